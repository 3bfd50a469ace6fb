"""`companion hardware`: the walk around the table from a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec import structs

from companion.cli import main
from companion.cli.hardware.button_sources import OwnButtons, TableButtons, TableGone
from companion.cli.hardware.button_watch import Watch, happened
from companion.cli.hardware.command import sum_up
from companion.cli.hardware.lamp_search import search_lamps
from companion.cli.hardware.usb_keys import assign_keys
from companion.cli.problems import Misuse, ProblemFound
from hardware.checkup.light_trial import Lights
from hardware.checkup.selftest import Check
from hardware.usb.encoders import Encoder, NoEvdev
from hardware.wiring.wiring import default_wiring
from tests.kit.served import Served, eventually, free_port

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
REACTION = 0.2


@pytest.fixture(autouse=True)
def no_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the configuration of whoever runs the tests out of them, and their files too."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nothing"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.chdir(tmp_path)


def companion(*words: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def three() -> Iterator[OwnButtons]:
    buttons = OwnButtons(default_wiring(3, factory="simulated"))
    yield buttons
    buttons.close()


def quiet(_line: str) -> None:
    pass


def watch(buttons: OwnButtons, say: Callable[[str], None], *, fairness: bool = False) -> Watch:
    def save(_seen: Check) -> Path:
        raise AssertionError("nobody asked for a report")

    return Watch(buttons, fairness=fairness, save=save, say=say, drawing=False)


def test_a_silent_button_is_named_by_the_walk_around_the_table() -> None:
    result = companion("hardware", "--simulate", "--no-lamps", "--seconds", "0.1")
    assert result.exit_code == 1
    assert "simulated" in result.output
    assert "The configuration asks for it." in result.output
    assert "seat 1 was not heard" in result.output


def test_a_walk_ends_well_when_every_button_was_heard(
    three: OwnButtons, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[str] = []
    for button in (2, 3, 1):
        three.tap(button)
    seen = watch(three, told.append).run(PATIENCE)
    assert any(line.startswith("seat 2: pressed, accurate to ±2.00 ms") for line in told)
    sum_up(seen)
    assert "All 3 buttons were heard." in capsys.readouterr().out


def test_a_fair_check_waits_for_five_pushes_of_each(three: OwnButtons) -> None:
    for button in (1, 2, 3):
        three.tap(button)
    assert watch(three, quiet, fairness=True).run(0.05).fairness.verdict == "unknown"
    for button in (1, 2, 3) * 4:
        three.tap(button)
    seen = watch(three, quiet, fairness=True).run(PATIENCE)
    assert (seen.fairness.verdict, seen.fairness.wanting) == ("alike", ())


def test_a_broken_or_odd_button_spoils_the_walk(three: OwnButtons) -> None:
    for button in (1, 2, 3):
        three.tap(button)
    seen = watch(three, quiet).run(PATIENCE)
    first, *others = seen.buttons
    broken = structs.replace(seen, buttons=(structs.replace(first, fault="chatter"), *others))
    with pytest.raises(ProblemFound, match="seat 1 is broken: chatter"):
        sum_up(broken)
    assert list(happened(seen, broken)) == ["seat 1: set aside, chatter."]
    assert list(happened(broken, seen)) == ["seat 1: works again."]


@pytest.mark.parametrize("ending", ["txt", "json"])
def test_the_report_is_written_where_it_is_asked_for(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"report.{ending}"
    words = ("--no-lamps", "--seconds", "0.1", "--report", file)
    assert f"Written to {file}." in companion("hardware", "--simulate", *words).output
    text = file.read_text(encoding="utf-8")
    if ending == "json":
        assert json.loads(text)["check"]["factory"] == "simulated"
    else:
        assert "Not heard yet: seat 1" in text


def test_a_report_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "report.txt"
    result = companion("hardware", "--simulate", "--no-lamps", "--seconds", "0", "--report", file)
    assert result.exit_code == 1
    assert "could not be written: No such file" in result.output


def test_a_factory_that_does_not_work_here_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text('[hardware]\nfactory = "lgpio"\nchip = 99\n')
    result = companion("hardware", "--config", file)
    assert result.exit_code == 2
    assert "The pin factory lgpio does not work here" in result.output


def test_a_person_at_a_terminal_sees_the_table_and_presses_simulated_buttons(
    tmp_path: Path,
) -> None:
    words = ("-m", "companion", "hardware", "--simulate", "--no-lamps")
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update({"COLUMNS": "120", "TERM": "xterm", "PYTHONPATH": str(ROOT)})
        os.execv(sys.executable, [sys.executable, *words])
    seen = typed(terminal, after="q end", keys="s123456")
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, seen
    assert "PASSED: all 6 buttons were heard." in seen
    assert "Written to buttons-and-lamps.txt." in seen
    assert (tmp_path / "buttons-and-lamps.txt").is_file()


@pytest.mark.parametrize(
    ("swapped", "end"),
    [
        ({}, "Every lamp lights up at its own button."),
        ({"1": "3", "3": "1"}, "The lamp of seat 1 lights up at seat 3: swap the wires"),
    ],
    ids=["every lamp at its button", "two lamps are swapped"],
)
def test_a_person_at_a_terminal_presses_the_one_that_is_lit(tmp_path, swapped, end):
    config = tmp_path / "three.toml"
    config.write_text("[hardware]\nseats = 3\n")
    words = ("-m", "companion", "hardware", "--simulate", "--find-lamps", "--config", str(config))
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update({"COLUMNS": "120", "TERM": "xterm", "PYTHONPATH": str(ROOT)})
        os.execv(sys.executable, [sys.executable, *words])
    answered, seen, until = 0, "", time.monotonic() + PATIENCE
    with suppress(OSError):  # a terminal whose program has ended cannot be read
        while time.monotonic() < until:
            seen += os.read(terminal, 65536).decode(errors="replace")
            lit = re.findall(r"is lit: press (\d)\.", seen)
            for number in lit[answered:]:
                time.sleep(REACTION)
                os.write(terminal, swapped.get(number, number).encode())
            answered = len(lit)
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert end in seen
    assert os.waitstatus_to_exitcode(status) == (1 if swapped else 0)


def typed(terminal: int, *, after: str, keys: str) -> str:
    """Type these keys, all at once, when the terminal shows this, and read it to its end."""
    seen, waiting, end = "", keys.encode(), time.monotonic() + PATIENCE
    with suppress(OSError):  # a terminal whose program has ended cannot be read
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                seen += os.read(terminal, 65536).decode(errors="replace")
            if waiting and after in seen:
                waiting = waiting[os.write(terminal, waiting) :]
    os.close(terminal)
    return seen


def test_while_a_table_is_open_the_terminal_shows_what_the_table_sees(tmp_path: Path) -> None:
    port = free_port()
    config = f'[server]\nhost = "127.0.0.1"\nport = {port}\n[hardware]\nseats = 2\n'
    served = Served(tmp_path, config, port)
    try:
        served.pair()
        buttons = TableButtons(served.address)
        assert buttons.check().walk.silent == (1, 2)
        for down in (True, False):
            served.post("/api/simulate", {"button": 2, "down": down})
        eventually(lambda: buttons.check().walk.heard == (2,))
        assert buttons.test_lamps() is None
        words = ("--config", tmp_path / "companion.toml", "--seconds", "0.1")
        told = companion("hardware", *words)
    finally:
        served.stop()
    assert f"{served.address}/hardware shows the same" in told.output
    assert re.search(r"seat 1 was not heard", told.output)
    with pytest.raises(TableGone, match="does not answer"):
        buttons.check()


PAD = Encoder("Arcade", "/dev/input/event7", "usb-1", 1_000_000, ("BTN_TRIGGER", "BTN_THUMB"))


def test_a_press_gives_a_key_of_an_encoder_to_a_button(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = [(PAD, "BTN_TRIGGER"), (PAD, "BTN_TRIGGER"), (PAD, "BTN_THUMB")]
    file = tmp_path / "companion.toml"
    assign_keys(default_wiring(2), file, find=lambda: (PAD,), pressed=lambda _stop: iter(keys))
    told = capsys.readouterr().out
    assert "Arcade at usb-1, 2 keys, asked every 1 ms" in told
    assert "That is the button of seat 1." in told
    assert 'key = "BTN_THUMB"' in told
    assert str(file) in told


def test_without_an_encoder_or_its_package_there_is_a_sentence(tmp_path: Path) -> None:
    def no_package() -> tuple[Encoder, ...]:
        raise NoEvdev("USB encoders need the package evdev")

    with pytest.raises(ProblemFound, match=r"plugged in"):
        assign_keys(default_wiring(2), tmp_path, find=lambda: ())
    with pytest.raises(Misuse, match="evdev"):
        assign_keys(default_wiring(2), tmp_path, find=no_package)


class Lit(OwnButtons):
    """Simulated buttons whose lights were answered already, in this way."""

    found: Lights

    def __init__(self, wiring) -> None:
        assert wiring.lamps == "led"
        super().__init__(wiring)

    def check(self) -> Check:
        return structs.replace(super().check(), lights=self.found)


def lit(**found) -> type[Lit]:
    lights = structs.replace(Lights("done", 1, 0, None, (), (), ()), **found)
    return type("LitSo", (Lit,), {"found": lights})


def test_lamps_that_are_all_right_get_their_line_for_the_configuration(capsys):
    search_lamps(default_wiring(2, factory="simulated"), Path("companion.toml"), lit())
    assert 'under [hardware] in companion.toml:\n\nlamps = "led"\n' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        ({"swapped": ((1, 2),)}, "The lamp of seat 1 lights up at seat 2: swap the wires"),
        ({"unseen": (2,)}, "Nobody answered the lamp of seat 2: look at its wires"),
    ],
)
def test_a_lamp_that_is_not_right_is_named(found, sentence):
    with pytest.raises(ProblemFound, match=sentence):
        search_lamps(default_wiring(2, factory="simulated"), Path("x.toml"), lit(**found))


def test_without_lamps_there_is_none_to_light():
    with pytest.raises(Misuse, match="There are no lamps"):
        search_lamps(default_wiring(2, factory="simulated", lamps="none"), Path("x.toml"))
