"""The card boots: as Debian's emulated machine and as a Pi 3, from power-on until the page answers.

`make image` builds the card and `make test-image` runs this; with nothing but emulation a boot
takes minutes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance.evening import until
from tests.image.emulated_pi import BUILT, LOGIN, PROJECT, ROOMY, EmulatedPi, missing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.image,
    pytest.mark.xdist_group("image"),
]

SAID = f"seats = 4\nname = kitchen\nhotspot = cards4everybody\nlogin = {LOGIN}\n"
UNIT = "table-companion"
PRINTED = f"journalctl -q -b -o cat -u {UNIT}"
FIRST_LINE = 5
THREE_LINES = """
[hardware]
factory = "gpiod"
chip = 0
pressed = "high"
buttons = [{ pin = 5 }, { pin = 6 }, { pin = 7 }]
"""
A_PI = "[Service]\\nBindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo\\n"
LISTEN_TO_THE_LINES = f"""
printf 'Revision\\t: c03114\\n' >/run/cpuinfo
mkdir -p /run/systemd/system/{UNIT}.service.d
printf '{A_PI}' >/run/systemd/system/{UNIT}.service.d/lines.conf
mount -o remount,bind,rw none /
sed -i '/^\\[table\\]/,/^$/d' /etc/{UNIT}/companion.toml
cat >>/etc/{UNIT}/companion.toml <<'END'
{THREE_LINES}
END
mount -o remount,bind,ro none /
systemctl daemon-reload
systemctl restart {UNIT}
"""
OPEN_THE_SYSTEM = "sudo mount -o remount,rw / && sudo mount -o remount,rw /boot/firmware"
assert OPEN_THE_SYSTEM in (PROJECT / "docs" / "operating.md").read_text()
CHECK_THE_BUTTONS = f"systemctl stop {UNIT}; companion hardware --no-lamps --seconds 1 || true"


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    if reason := missing():
        pytest.fail(reason)


@pytest.fixture(scope="module")
def virt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmulatedPi]:
    """Debian's usual emulated machine, booted from the card."""
    booted = EmulatedPi("virt", tmp_path_factory.mktemp("virt"), SAID)
    yield booted
    booted.pull_the_plug()


def test_the_page_answers_after_the_first_boot(virt):
    seconds = virt.await_page()
    print(f"figures: the card of {BUILT.stat().st_size / 1e9:.2f} GB: page after {seconds:.0f} s")
    assert b"<script" in virt.referee.fetch("/")


def test_companion_txt_was_heard(virt):
    virt.await_page()
    assert virt.run("hostname").strip() == "kitchen"
    assert virt.run("cat /var/lib/table-companion-network/password") == "cards4everybody"
    assert len(virt.referee.ask("/api/hardware")["buttons"]) == 4
    assert virt.referee.fetch("/", name="kitchen.local:8080")


def test_the_root_file_system_has_taken_the_whole_card(virt):
    virt.await_page()
    size = int(virt.run("df --output=size --block-size=1 / | tail -n 1"))
    assert size > 0.8 * ROOMY


def test_only_var_can_be_written_to(virt):
    virt.await_page()
    for place in ("/etc", "/usr", "/opt", "/root", "/boot/firmware"):
        said = virt.run(f"touch {place}/here 2>&1 || true")
        assert "Read-only file system" in said, place
    virt.run("touch /var/lib/here && rm /var/lib/here")


def test_nothing_has_failed(virt):
    virt.await_page()
    assert virt.run("systemctl --failed --quiet --no-legend") == ""


def test_the_pi_s_own_screen_shows_the_referee_s_link_as_a_code(virt):
    virt.await_page()
    shown = virt.run("systemctl cat getty@tty1 | sed -n 's/^ExecStart=-//p' | tail -n 1")
    said = virt.run(shown.replace("--follow", "--no-pager"))
    assert "/?code=" in said
    assert "▀▀▀" in said


def test_the_system_can_be_opened_as_the_guide_says(virt):
    virt.await_page()
    virt.run(OPEN_THE_SYSTEM.replace("sudo ", ""))
    virt.run("touch /etc/here /boot/firmware/here && rm /etc/here /boot/firmware/here")


def test_after_a_power_cut_the_match_goes_on(virt):
    virt.await_page()
    referee = virt.referee
    referee.pair(virt.run(PRINTED))
    for seat, player in enumerate(("Ana", "Ben", "Cleo"), start=1):
        referee.do("sit", name=player, seat=seat, button=seat)
    referee.do("set_up", way="free")
    referee.do("start_match")
    referee.do("choose_dealer", seat=3)
    referee.do("deal")
    before = referee.score()
    virt.pull_the_plug()
    virt.power_on()
    seconds = virt.await_page()
    print(f"figures: the same card for the second time: page after {seconds:.0f} s")
    assert referee.score() == before
    assert "The journal is whole" in virt.run("companion verify")
    assert "Read-only file system" in virt.run("touch /etc/here 2>&1 || true")


def test_a_press_on_the_emulated_line_reaches_the_referee(virt):
    virt.run(LISTEN_TO_THE_LINES)
    referee = virt.referee
    until(referee.answers, "the table is back", patience=600)
    assert referee.ask("/api/hardware")["factory"] == "gpiod"
    referee.pair(virt.run(PRINTED))
    referee.do("declare_race", layer=3)
    virt.push(FIRST_LINE)
    until(lambda: referee.last_hands() == [2], "Ben, who never slapped, is told to draw")
    presses = [button["presses"] for button in referee.ask("/api/hardware")["buttons"]]
    assert presses == [1, 0, 0]


def test_an_emulated_pi_3_opens_its_own_pins(tmp_path: Path):
    booted = EmulatedPi("raspi3b", tmp_path, f"seats = 10\nlogin = {LOGIN}\n")
    try:
        seconds = booted.await_page()
        print(f"figures: the card in an emulated Pi 3: page after {seconds:.0f} s")
        hardware = booted.referee.ask("/api/hardware")
        assert hardware["factory"] == "gpiod"
        assert len(hardware["buttons"]) == 10
        checked = booted.run(CHECK_THE_BUTTONS)
        assert "gpiod" in checked
        assert "seat 10: GPIO 25" in checked
    finally:
        booted.pull_the_plug()
