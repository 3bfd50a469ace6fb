"""A table away from its Pi: the pages say how much less exact its presses are."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from hardware.wiring.wiring import DEFAULT_BUTTON_PINS
from tests.hardware.pins.pigpiod import RemotePi
from tests.kit.served import Served, eventually

pytest.importorskip("pigpio")

SLOW = 0.004
DOUBT = re.compile(r"± (\d+\.\d+) ms")


@pytest.fixture
def pi() -> Iterator[RemotePi]:
    pi = RemotePi(slow=SLOW)
    yield pi
    pi.vanish()


@pytest.fixture
def config(pi: RemotePi) -> str:
    where = f'factory = "pigpio"\nhost = "127.0.0.1"\nport = {pi.port}'
    return f'[hardware]\n{where}\nseats = 3\nlamps = "none"\n'


@pytest.fixture
def served(tmp_path, config) -> Iterator[Served]:
    """A table with the buttons of another machine, and not with simulated ones."""
    served = Served(tmp_path, config, simulate=False)
    yield served
    served.stop()


def push(served: Served, pi: RemotePi, button: int) -> None:
    """Push a button of the other machine until the table has heard it, and let it go."""
    before = presses(served, button)
    pi.press(DEFAULT_BUTTON_PINS[button - 1])
    eventually(lambda: presses(served, button) > before)
    pi.release(DEFAULT_BUTTON_PINS[button - 1])


def presses(served: Served, button: int) -> int:
    count: int = served.get("/api/hardware").json["buttons"][button - 1]["presses"]
    return count


def doubt(place: Locator) -> float:
    expect(place).to_have_text(DOUBT)
    found = DOUBT.search(place.inner_text())
    assert found
    return float(found[1])


def test_presses_over_the_network_show_their_larger_uncertainty(tablet, served, pi):
    served.pair()
    for number, name in enumerate(("Ana", "Ben", "Cam"), 1):
        assert served.do("sit", name=name, button=number).status == 200
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        assert served.do(kind, **fields).status == 200
    assert served.do("declare_race", layer=1).status == 200
    for button in (2, 3):
        push(served, pi, button)
        time.sleep(0.05)
    fingers = tablet()
    lanes = fingers.page.locator(".lane .exact")
    expect(lanes).to_have_count(2)
    assert all(doubt(lane) > 1000 * SLOW / 4 for lane in lanes.all())
    fingers.page.goto(f"{served.address}/hardware")
    card = fingers.page.locator(".bench-button[data-contact='2']")
    assert doubt(card.locator(".doubt-fact dd")) > 1000 * SLOW / 4
    how = fingers.page.locator(".how")
    expect(how).to_contain_text("pigpio")
    expect(how).to_contain_text("The buttons are on another machine")
    expect(fingers.page.locator(".simulated-note, .simulated")).to_have_count(0)
