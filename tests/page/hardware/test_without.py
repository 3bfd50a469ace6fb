"""Without lgpio a table opens and plays; its page says in every language what is missing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served

WITHOUT_LGPIO = """
from msgspec.structs import replace
from hardware.pins import factories
simulated = factories._open_simulated
factories._open_simulated = lambda wiring: replace(simulated(wiring), missing="no lgpio")
from companion.cli import main
main()
"""


class Silent(Served):
    """A table on a system that has no package for tones and shades."""

    def begin(self, said: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", WITHOUT_LGPIO, *said],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )


@pytest.fixture
def served(tmp_path) -> Iterator[Served]:
    served = Silent(tmp_path, '[hardware]\nseats = 3\nbuzzer = true\nlamps = "pwm"\n')
    yield served
    served.stop()


def test_what_the_table_plays_without_is_said_in_the_reader_s_language(served, screens):
    fingers = screens(served, country="de-DE")
    fingers.open(f"{served.address}/hardware")
    how = fingers.page.locator(".how")
    expect(how.locator("[data-without=buzzer]")).to_have_text("Es gibt keinen Summer. (no lgpio)")
    expect(how.locator("[data-without=shades]")).to_contain_text("nur an und aus gehen")
    expect(fingers.page.locator(".bench-button[data-contact='1']")).to_contain_text("GPIO 12")
