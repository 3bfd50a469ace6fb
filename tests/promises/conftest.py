"""Folders for tests that open thousands of journals."""

from __future__ import annotations

from tests.kit.fixtures import quick_folder as quick_folder
