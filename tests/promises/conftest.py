"""Folders for tests that open thousands of journals, and a clock on the wall that can be put."""

from __future__ import annotations

from tests.kit.fixtures import quick_folder as quick_folder
from tests.kit.fixtures import wall as wall
