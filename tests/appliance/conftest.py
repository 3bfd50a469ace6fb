"""The wheel of this project, built once for all who install it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.appliance.wheels import build


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as `make wheel` does, with the page inside."""
    return build(tmp_path_factory.mktemp("dist"))
