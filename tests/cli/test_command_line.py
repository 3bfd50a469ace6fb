"""The command line: helpful sentences, and exit codes that a script can rely on."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from companion import __version__
from companion.journal.file import FORMAT
from tests.kit.command_line import companion
from tests.kit.damage import damage_event
from tests.kit.night import Night, until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def no_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the configuration of whoever runs the tests out of them."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nothing"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))


pytestmark = pytest.mark.usefixtures("no_configuration")


@contextmanager
def started(*words: str | Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the real program and wait for the address that it prints."""
    program = subprocess.Popen(
        [sys.executable, "-m", "companion", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert program.stdout is not None
    address = ""
    try:
        for line in program.stdout:
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found is not None:
                address = found[0]
                break
        yield program, address
    finally:
        if program.poll() is None:
            program.terminate()
        program.communicate(timeout=60)


RUN = ("run", "--simulate", "--host", "127.0.0.1", "--port", "0", "--data")


def test_the_version_is_told() -> None:
    result = companion("--version")
    assert (result.exit_code, result.output) == (0, f"companion {__version__}\n")


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("run",),
        ("export",),
        ("verify",),
        ("demo",),
        ("hardware",),
        ("backup",),
        ("restore",),
        ("doctor",),
        ("support",),
        ("safe",),
    ],
)
def test_help_is_there_for_every_command(words: tuple[str, ...]) -> None:
    result = companion(*words, "--help")
    assert result.exit_code == 0
    assert "Usage:" in result.output


def test_an_unknown_command_is_a_wrong_call() -> None:
    assert companion("rnu").exit_code == 2


def test_a_whole_journal_is_found_whole(folder: Path) -> None:
    result = companion("verify", "--data", folder)
    assert result.exit_code == 0
    assert "2 matches" in result.output


def test_a_changed_byte_is_found(folder: Path) -> None:
    journal = folder / "journal.db"
    damage_event(journal, 1)
    result = companion("verify", "--data", folder)
    assert result.exit_code == 1
    assert "not what was written" in result.output


def test_where_nothing_was_played_there_is_nothing_to_verify_or_export(tmp_path: Path) -> None:
    for command in ("verify", "export"):
        result = companion(command, "--data", tmp_path)
        assert result.exit_code == 2
        assert "There is no journal" in result.output


@pytest.mark.parametrize("command", ["verify", "export"])
def test_a_journal_from_a_later_version_is_refused(folder: Path, command: str) -> None:
    connection = sqlite3.connect(folder / "journal.db")
    connection.execute(f"UPDATE head SET format = {FORMAT + 1}")
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.commit()
    connection.close()
    result = companion(command, "--data", folder)
    assert result.exit_code == 2
    assert "later version" in result.output


def test_all_matches_are_exported_as_json(folder: Path) -> None:
    result = companion("export", "--data", folder)
    assert result.exit_code == 0
    whole = json.loads(result.output)
    assert [match["number"] for match in whole["matches"]] == [1, 2]
    assert [line["out"] for line in whole["matches"][0]["sheet"]["rounds"]] == [2, 3]
    told = whole["matches"][0]["story"]["rounds"]
    assert [round_["score"]["out"] for round_ in told] == [2, 3]
    assert told[0]["rulings"][-1]["rule"] == "R17"


def test_all_matches_are_exported_as_lines_under_one_heading(folder: Path) -> None:
    result = companion("export", "--data", folder, "--format", "csv")
    assert result.exit_code == 0
    lines = list(csv.DictReader(io.StringIO(result.output)))
    assert len(lines) == 6
    assert {line["name"] for line in lines} == {"Ana", "Ben", "Cleo"}
    assert lines[-1]["classic_total"] == "90"


def test_a_file_for_a_spreadsheet_says_how_its_letters_are_written(folder, tmp_path) -> None:
    shown = companion("export", "--data", folder, "--format", "csv").output
    file = tmp_path / "scores.csv"
    companion("export", "--data", folder, "--format", "csv", "--output", file)
    assert file.read_text("utf-8") == "\ufeff" + shown


def test_one_match_is_exported_into_a_new_file(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    assert companion("export", "--data", folder, "--match", "2", "--output", file).exit_code == 0
    assert [match["number"] for match in json.loads(file.read_text())["matches"]] == [2]
    again = companion("export", "--data", folder, "--match", "2", "--output", file)
    assert again.exit_code == 2
    assert "there already" in again.output


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        (("--from", "2"), [2]),
        (("--player", "Ana", "--player", "Ben"), [1, 2]),
        (("--player", "Ana", "--player", "Ben", "--group"), []),
        (("--edition", "express"), []),
        (("--scoring", "classic", "--to", "1"), [1]),
    ],
)
def test_matches_are_chosen_for_the_export(folder: Path, asked, numbers) -> None:
    result = companion("export", "--data", folder, *asked)
    assert [match["number"] for match in json.loads(result.output)["matches"]] == numbers


def test_a_group_of_nobody_is_not_exported(folder: Path) -> None:
    result = companion("export", "--data", folder, "--group")
    assert (result.exit_code, "A group is its players" in result.output) == (2, True)


def test_a_match_that_was_never_played_cannot_be_exported(folder: Path) -> None:
    result = companion("export", "--data", folder, "--match", "9")
    assert result.exit_code == 2
    assert "There is no match 9" in result.output


def test_mistakes_of_configuration_and_wiring_are_named_together(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(
        "[server]\nport = 'http'\n[hose]\n[hardware]\nfactory = 'gpoid'\n"
        "[[hardware.buttons]]\npin = 17\n[[hardware.buttons]]\npin = 17\n"
    )
    result = companion("run", "--config", file, "--data", tmp_path / "table")
    assert result.exit_code == 2
    for said in ("server.port", "[hose]", "Did you mean house?", "gpiod", "GPIO 17 is given twice"):
        assert said in result.output
    assert not (tmp_path / "table").exists(), "nothing is begun before all is mended"


def test_a_mistake_in_an_edition_keeps_the_table_closed(tmp_path: Path) -> None:
    (tmp_path / "editions").mkdir()
    (tmp_path / "editions" / "odd.toml").write_text("nmae = 'Odd'")
    result = companion("run", "--data", tmp_path, "--simulate")
    assert result.exit_code == 2
    assert "editions/odd.toml: There is no setting nmae. Did you mean name?" in result.output


def test_a_folder_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    result = companion("run", "--data", tmp_path / "file" / "table", "--simulate")
    assert result.exit_code == 2
    assert "Nothing can be kept in" in result.output


def test_a_port_that_is_taken_is_said_so(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        result = companion(
            "run", "--simulate", "--host", "127.0.0.1", "--port", str(port), "--data", tmp_path
        )
    assert result.exit_code == 2
    assert f"Port {port}" in result.output


def test_two_tables_on_one_folder_are_one_too_many(tmp_path: Path) -> None:
    with Night(tmp_path):
        result = companion("run", "--simulate", "--data", tmp_path)
    assert result.exit_code == 2
    assert "Another companion" in result.output


def test_a_demo_does_not_play_into_real_matches(folder: Path) -> None:
    result = companion("demo", "--fast", "--data", folder)
    assert result.exit_code == 2
    assert "folder of its own" in result.output


def state_of(address: str) -> dict[str, object]:
    with urllib.request.urlopen(f"{address}/api/state", timeout=60) as answer:
        state: dict[str, object] = json.load(answer)
        return state


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT], ids=["stopped", "Ctrl-C"])
def test_a_table_opens_answers_and_closes_cleanly(tmp_path: Path, ending: signal.Signals) -> None:
    with started(*RUN, tmp_path) as (program, address):
        assert state_of(address)["table"]["phase"] == "seating"  # type: ignore[index]
        program.send_signal(ending)
        assert program.wait(60) == 0
    assert not (tmp_path / "journal.db-wal").exists(), "the log is folded in at a clean end"
    assert companion("verify", "--data", tmp_path).exit_code == 0


def test_a_later_journal_keeps_the_table_closed_with_a_sentence(folder: Path) -> None:
    connection = sqlite3.connect(folder / "journal.db")
    connection.execute(f"UPDATE head SET format = {FORMAT + 1}")
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.commit()
    connection.close()
    done = subprocess.run(
        [sys.executable, "-m", "companion", *RUN, str(folder)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 2
    assert "later version" in done.stderr
    assert "Traceback" not in done.stderr


def version_of(address: str) -> int | None:
    """The table's version, where it answers."""
    with suppress(OSError):
        return int(state_of(address)["table"]["version"])  # type: ignore[index]
    return None


def test_a_table_whose_serving_process_is_killed_comes_back(tmp_path: Path) -> None:
    with started(*RUN, tmp_path) as (program, address):
        version = state_of(address)["table"]["version"]  # type: ignore[index]
        children = Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)
        back = until(lambda: version_of(address), look=0.1)
        assert back == version + 1


def test_a_demo_plays_a_whole_match_and_ends(tmp_path: Path) -> None:
    data = tmp_path / "kept"
    words = ("demo", "--fast", "--edition", "express", "--players", "3", "--seed", "11")
    with started(*words, "--host", "127.0.0.1", "--port", "0", "--data", data) as (program, _):
        output, errors = program.communicate(timeout=120)
        assert program.returncode == 0
        # A busy computer may keep the listening thread waiting, which is told, too.
        (warning,) = [line for line in errors.splitlines() if "not listened to" not in line]
        assert "Buttons are simulated" in warning
        assert "won the match of Express" in output
    result = companion("export", "--data", data)
    (match,) = json.loads(result.output)["matches"]
    assert match["ended"] is not None
    assert match["sheet"]["winners"]
    assert companion("verify", "--data", data).exit_code == 0
