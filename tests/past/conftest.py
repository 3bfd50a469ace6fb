"""Nights to look at, on folders of their own."""

from __future__ import annotations

import pytest

from companion.past.tables import read_model
from tests.kit.fixtures import folder, night, played, quick_night

__all__ = ["folder", "night", "played", "quick_night"]


@pytest.fixture(autouse=True)
def no_buttons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody plays beside these: on a busy machine each pause for buttons costs a time slice."""
    monkeypatch.setattr(read_model, "BREATH", 1 << 30)
