"""The doctor: every line is OK, or says what to do, and the exit code says which."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.care import doctor
from companion.care.doctor import LITTLE_ROOM
from companion.care.failed_starts import Starts
from companion.keeping import backups
from companion.settings.configuration import ServerSettings
from hardware.pins.factories import Pins, open_pins
from hardware.wiring.wiring import Wiring
from tests.kit.command_line import companion
from tests.kit.damage import damage_event
from tests.kit.served import Served, free_port


@pytest.fixture(scope="module")
def played(played: Path) -> Path:
    """An evening with a backup."""
    backups.make(played, "asked")
    return played


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration with a port that is free."""
    file = tmp_path / "companion.toml"
    file.write_text(
        f'[server]\nhost = "127.0.0.1"\nport = {free_port()}\n[hardware]\nfactory = "simulated"\n'
    )
    return file


def lines_of(output: str) -> dict[str, str]:
    """What is said about each thing, with the word before it."""
    return {line[6:].split("  ")[0]: line for line in output.splitlines() if line[4:6] == "  "}


def test_a_healthy_table_gets_a_line_for_everything_and_nothing_to_do(folder, config):
    result = companion("doctor", "--config", config, "--data", folder)
    assert result.exit_code == 0, result.output
    lines = lines_of(result.output)
    for about in ("Versions", "Configuration", "Pins", "Disk", "Journal", "Backups", "Starts"):
        assert lines[about].startswith("OK"), lines[about]
    assert "companion 0.1.0" in lines["Versions"]
    assert "simulated" in lines["Pins"]
    assert "free" in next(line for about, line in lines.items() if about.startswith("Port"))
    assert {"Time", "Power"} <= lines.keys()


def test_who_has_no_buzzer_although_one_is_wired_hears_why(folder, config, monkeypatch):
    def without(wiring: Wiring) -> Pins:
        return replace(open_pins(wiring), missing="lgpio is not installed")

    monkeypatch.setattr("hardware.pins.factories.open_pins", without)
    result = companion("doctor", "--config", config, "--data", folder)
    assert result.exit_code == 0, result.output
    line = lines_of(result.output)["Pins"]
    assert line.startswith("note")
    assert line.endswith("No buzzer sounds and no lamp can be dim: lgpio is not installed.")


def test_a_damaged_journal_must_be_seen_to(folder, config):
    journal = folder / "journal.db"
    damage_event(journal, 1)
    result = companion("doctor", "--config", config, "--data", folder)
    assert result.exit_code == 1
    assert lines_of(result.output)["Journal"].startswith("DO")
    assert "companion restore" in result.output


def test_a_wrong_configuration_is_told_with_all_its_mistakes(folder, config):
    config.write_text("[server]\nport = 'http'\n[hardware]\nfactory = 'gpoid'\n")
    result = companion("doctor", "--config", config, "--data", folder)
    assert result.exit_code == 1
    line = lines_of(result.output)["Configuration"]
    assert line.startswith("DO")
    assert "server.port" in line
    assert "gpiod" in line


def test_pins_that_cannot_be_had_are_told_with_what_helps(folder, config):
    config.write_text(config.read_text().replace("simulated", "gpiod"))
    result = companion("doctor", "--config", config, "--data", folder)
    assert result.exit_code == 1
    line = lines_of(result.output)["Pins"]
    assert line.startswith("DO")
    assert "gpiod does not work here" in line


def test_a_running_table_has_the_port_and_the_pins(tmp_path):
    served = Served(tmp_path)
    try:
        config = tmp_path / "companion.toml"
        config.write_text(f'[server]\nhost = "127.0.0.1"\nport = {served.port}\n')
        result = companion("doctor", "--config", config, "--data", tmp_path / "data")
    finally:
        served.stop()
    assert result.exit_code == 0, result.output
    lines = lines_of(result.output)
    assert "The table runs and answers." in lines[f"Port {served.port}"]
    assert "The running table has them" in lines["Pins"]


def test_a_stranger_on_the_port_must_go():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        found, ours = doctor.port(ServerSettings("127.0.0.1", other.getsockname()[1]))
    assert (found.state, ours) == ("act", False)
    assert "choose another port" in found.sentence


@pytest.mark.parametrize(
    ("free", "state"),
    [(LITTLE_ROOM - 1, "act"), (LITTLE_ROOM * 2, "hint"), (LITTLE_ROOM * 100, "ok")],
)
def test_room_on_the_disk(folder, monkeypatch, free, state):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(free, 0, free))
    assert doctor.disk(folder).state == state


def test_a_folder_that_cannot_be_written_must_be_seen_to():
    found = doctor.disk(Path("/proc/1"))
    assert found.state == "act"
    assert "Nothing can be written to /proc/1" in found.sentence


@pytest.mark.parametrize(
    ("alarms", "throttled", "state", "word"),
    [
        pytest.param([], None, "ok", "cannot tell", id="no Pi"),
        pytest.param(["0"], "throttled=0x0", "ok", "strong enough", id="a good supply"),
        pytest.param(["1"], None, "act", "now", id="the kernel's alarm"),
        pytest.param([], "throttled=0x50005", "act", "now", id="the firmware's word"),
        pytest.param([], "throttled=0x50000", "act", "since", id="it was too weak before"),
        pytest.param([], "throttled=0x20000", "ok", "strong", id="hot, but well supplied"),
        pytest.param([], "VCHI initialization failed", "ok", "strong", id="nonsense"),
    ],
)
def test_a_weak_supply_is_noticed(alarms, throttled, state, word):
    found = doctor.voltage(lambda: alarms, lambda: throttled)
    assert found.state == state
    assert word in found.sentence


@pytest.mark.parametrize(("known", "state"), [(True, "ok"), (False, "hint"), (None, "hint")])
def test_a_clock_that_nobody_sets_is_only_a_note(known, state):
    assert doctor.clock(lambda: known).state == state


def test_the_backup_that_is_not_whole_is_noticed(folder):
    (copy,) = (folder / "backups").iterdir()
    copy.write_bytes(copy.read_bytes()[:-9000])
    assert doctor.latest_backup(folder).state == "act"
    copy.unlink()
    assert doctor.latest_backup(folder).state == "hint"


def test_failed_starts_are_remembered(folder):
    starts = Starts(folder)
    starts.begin()
    starts.failed("It was Tuesday.")
    assert "It was Tuesday." in doctor.last_starts(starts).sentence


def test_nothing_was_played_yet_and_that_is_well(tmp_path, config):
    result = companion("doctor", "--config", config, "--data", tmp_path / "none")
    assert result.exit_code == 0, result.output
    assert not (tmp_path / "none").exists()
