"""The choice of pin factory is never silent, and never another one than was asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from gpiozero.pins.local import get_pi_revision

from hardware.pins.factories import NoPins, open_pins
from hardware.pins.gpiod_factory import find_chip
from hardware.wiring.wiring import ButtonWiring, Wiring, default_wiring


def is_a_pi() -> bool:
    try:
        get_pi_revision()
    except RuntimeError:
        return False
    return True


elsewhere = pytest.mark.skipif(is_a_pi(), reason="this is a Raspberry Pi")


@elsewhere
def test_a_computer_that_is_no_pi_gets_simulated_buttons_and_says_so():
    pins = open_pins(default_wiring(2))
    try:
        assert (pins.asked, pins.name, pins.simulated) == ("auto", "simulated", True)
        assert pins.remarks == ("This computer is not a Raspberry Pi.",)
    finally:
        pins.close()


@elsewhere
@pytest.mark.parametrize("name", ["gpiod", "lgpio"])
def test_a_factory_that_was_asked_for_by_name_is_never_replaced(name):
    with pytest.raises(NoPins, match=f"The pin factory {name} does not work here"):
        open_pins(default_wiring(2, factory=name))


def test_buttons_on_usb_alone_need_no_pins():
    wiring = Wiring(buttons=(ButtonWiring("seat 1", usb="A", key="BTN_TRIGGER"),), lamps="none")
    pins = open_pins(wiring)
    assert (pins.name, pins.simulated) == ("usb", False)
    pins.close()


@pytest.mark.parametrize(
    ("chips", "header"),
    [
        pytest.param(["pinctrl-bcm2835", "raspberrypi-exp-gpio"], 0, id="a Pi 3"),
        pytest.param(["pinctrl-bcm2711", "raspberrypi-exp-gpio"], 0, id="a Pi 4"),
        pytest.param(["gpio-brcmstb@107d508500", "pinctrl-rp1"], 1, id="a Pi 5, newer kernel"),
        pytest.param([*["gpio-brcmstb"] * 4, "pinctrl-rp1"], 4, id="a Pi 5, older kernel"),
    ],
)
def test_the_header_s_chip_is_found_by_its_label_on_every_pi(tmp_path, chips, header):
    for number in range(len(chips)):
        (tmp_path / f"gpiochip{number}").touch()
    found = find_chip(tmp_path, lambda path: chips[int(path.name[-1])])
    assert found == str(tmp_path / f"gpiochip{header}")


def test_without_lgpio_a_table_with_a_buzzer_opens_and_says_plainly_why_it_is_silent(monkeypatch):
    chip = SimpleNamespace(drain=None, reader=SimpleNamespace(lateness=None))
    monkeypatch.setattr("hardware.pins.gpiod_factory.GpiodFactory", lambda **_given: chip)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    pins = open_pins(default_wiring(2, factory="gpiod", buzzer=True))
    assert (pins.output, pins.missing) == (None, "lgpio is not installed")


def test_huge_pages_are_really_off_once_real_pins_are_listened_to():
    script = (
        "from hardware.pins.huge_pages import no_huge_pages; no_huge_pages(); "
        "print(open('/proc/self/status').read())"
    )
    project = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=project, capture_output=True, text=True, check=True
    )
    assert "THP_enabled:\t0" in done.stdout


def test_importing_the_hardware_starts_nothing_and_leaves_nothing(tmp_path):
    """To import lgpio starts a thread and writes pipes, so that must wait."""
    script = (
        "import sys, threading; import hardware.board, hardware.checkup.selftest; "
        "assert 'lgpio' not in sys.modules and 'gpiod' not in sys.modules; "
        "assert threading.active_count() == 1"
    )
    project = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
