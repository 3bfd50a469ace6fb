"""What the guide for the Pi says is so: its commands, options, files and numbers exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from companion.care.failed_starts import ENOUGH
from companion.cli import COMMANDS, main
from companion.keeping import backups
from companion.keeping.daily_backup import IDLE
from companion.referee.model.presses import SECOND

PROJECT = Path(__file__).parents[2]
GUIDE = (PROJECT / "docs" / "operating.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)
LINES = [line.partition("  #")[0].strip() for block in BLOCKS for line in block.splitlines()]
OURS = sorted({line for line in LINES if line.startswith("companion ")})
SPOKEN = sorted(set(re.findall(r"`companion ([a-z]+)", GUIDE)))


@pytest.mark.parametrize("line", OURS)
def test_a_command_of_the_guide_can_be_given(line: str) -> None:
    _, name, *words = shlex.split(re.split("[<>]", line)[0])
    command = main.get_command(click.Context(main), name)
    assert command is not None
    with command.make_context(name, words) as context:
        assert context.info_name == name


@pytest.mark.parametrize("name", SPOKEN)
def test_a_command_that_the_guide_speaks_of_exists(name: str) -> None:
    assert name in COMMANDS


def test_every_command_is_in_the_readme() -> None:
    readme = (PROJECT / "README.md").read_text()
    missing = [name for name in COMMANDS if f"`companion {name}" not in readme]
    assert missing == []


def test_units_paths_and_options_of_the_guide_are_those_of_the_installer() -> None:
    installer = (PROJECT / "systemd" / "install").read_text()
    for said in ("--kiosk", "--usb", "/etc/$name/companion.toml", "/opt/$name", "/var/lib/$name"):
        assert said in installer
        assert said.replace("$name", "table-companion") in GUIDE
    units = {path.stem for path in (PROJECT / "systemd").glob("*.service")}
    assert {line.split()[-1] for line in LINES if "systemctl" in line} <= units


def test_the_numbers_of_the_guide_are_those_of_the_program() -> None:
    for kind, kept in backups.KEPT.items():
        (row,) = [line for line in GUIDE.splitlines() if line.startswith(f"| `{kind}-")]
        assert row.rstrip("| ").endswith(f"| {kept}")
    assert IDLE == 60 * SECOND
    assert "nothing happens for a minute" in GUIDE
    assert ENOUGH == 3
    assert "three times in a row" in GUIDE
