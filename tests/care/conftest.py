"""Nights to look at, on folders of their own."""

from __future__ import annotations

from tests.kit.fixtures import folder, night, played, quick_night

__all__ = ["folder", "night", "played", "quick_night"]
