"""The pins under the unit's own restrictions, on a real kernel with a chip like a Pi's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.appliance.emulated import play
from tests.appliance.house import NAME, House
from tests.appliance.wheels import CannotRun

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("appliance")]

A_PI = "[Service]\nBindReadOnlyPaths=/cpuinfo:/proc/cpuinfo\nRestart=no\n"
FIRST_BUTTON = 17
LEAVE = f"/usr/bin/gpasswd --delete {NAME} gpio"
"""The installer makes the user a member as well, for the command that checks the buttons."""


def act(name: str, factory: str, unit: str = "") -> dict[str, Any]:
    config = f'[hardware]\nfactory = "{factory}"\n'
    return {"name": name, "unit": A_PI + unit, "config": config, "pin": FIRST_BUTTON}


ACTS = [
    act("as installed", "gpiod"),
    act("with lgpio", "lgpio"),
    act("by itself", "auto"),
    act("without the device", "gpiod", "DeviceAllow=\n"),
    act("without the group", "gpiod", f"SupplementaryGroups=\nExecStartPre=+{LEAVE}\n"),
]


@pytest.fixture(scope="module")
def played(wheel: Path) -> Iterator[dict[str, dict[str, Any]]]:
    try:
        house = House(8080)
    except CannotRun as reason:
        pytest.skip(f"not installed anywhere: {reason}")
    try:
        said = house.install(wheel)
        assert said.code == 0, said.text
        yield play(house.root, ACTS, seconds=1800)
    except CannotRun as reason:
        pytest.skip(f"not emulated: {reason}")
    finally:
        house.close()


@pytest.mark.parametrize(
    ("name", "factory"),
    [("as installed", "gpiod"), ("with lgpio", "lgpio"), ("by itself", "gpiod")],
)
def test_a_press_is_heard_through_every_restriction(played, name, factory):
    told = played[name]
    assert told["opened"], told["log"]
    assert told["factory"] == factory
    assert told["presses"] == [1, 0, 0, 0, 0, 0]
    assert told["huge"][0] == "0", "the process that listens gets small pages only"


@pytest.mark.parametrize("name", ["without the device", "without the group"])
def test_the_pins_are_out_of_reach_where_either_right_is_missing(played, name):
    told = played[name]
    assert not told["opened"]
    assert "does not work here" in told["log"]
    assert re.search("Permission denied|Operation not permitted", told["log"])
