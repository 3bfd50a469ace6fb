"""A folder for tests that kill halls and tables by the hundred."""

from __future__ import annotations

from tests.kit.fixtures import quick_folder as quick_folder
