"""No router: the referee opens the table's own Wi-Fi, and shows on the board how to join it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served, eventually
from tests.page.fingers import Fingers

WITH_ITS_OWN_RUN = """
mount -t tmpfs run /run
mkdir /run/table-companion /run/table-companion-network
exec "$@"
"""
APART = ("unshare", "--mount", "--propagation", "private", "sh", "-ec", WITH_ITS_OWN_RUN, "sh")
OWN = {"name": "Table Companion", "password": "abc234xyz7", "address": "10.42.0.1"}


class Portable(Served):
    """A table on a Pi with a radio; the test does what the service for the network would do."""

    def begin(self, said: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*APART, sys.executable, "-m", "companion", *said],
            env={**os.environ, "RUNTIME_DIRECTORY": "/run/table-companion"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def grant(self, wish: str) -> None:
        """Wait for this wish, and do it."""
        run = Path(f"/proc/{self.process.pid}/root/run")
        left = run / "table-companion" / "network-wish"
        eventually(left.exists)
        assert left.read_text() == f"{wish}\n"
        left.unlink()
        said = run / "table-companion-network" / "hotspot.json"
        if wish == "hotspot":
            said.with_suffix(".new").write_text(json.dumps(OWN))
            said.with_suffix(".new").rename(said)
        else:
            said.unlink()


@pytest.fixture
def portable(tmp_path: Path) -> Iterator[Portable]:
    if os.geteuid() != 0 or subprocess.run([*APART, "true"], check=False).returncode != 0:
        pytest.skip("no folder /run of its own can be made here")
    portable = Portable(tmp_path)
    yield portable
    portable.stop()


def test_the_referee_opens_it_shows_it_on_the_board_and_closes_it(
    portable: Portable, screens: Callable[..., Fingers]
) -> None:
    tablet, board = screens(portable), screens(portable)
    tablet.open(portable.link)
    board.open(f"{portable.address}/board")
    tablet.tap("Menu")
    tablet.tap("Open the table’s own Wi-Fi")
    portable.grant("hotspot")
    code = tablet.page.locator(".own-wifi .wifi-code")
    expect(code).to_contain_text(OWN["password"])
    expect(board.page.locator(".wifi-code")).to_have_count(0)
    tablet.tap("Show it on the television")
    expect(board.page.locator(".wifi-code")).to_contain_text(OWN["password"])
    expect(board.page.locator(".wifi-code img")).to_be_visible()
    tablet.tap("Close it and go back to the usual Wi-Fi")
    portable.grant("home")
    expect(tablet.button("Open the table’s own Wi-Fi")).to_be_visible()
    expect(board.page.locator(".wifi-code")).to_have_count(0)
