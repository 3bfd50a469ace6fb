"""What the guide for the Pi says is so: its commands, options, files and numbers exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from companion.cli import main

PROJECT = Path(__file__).parents[2]
GUIDE = (PROJECT / "docs" / "operating.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)
LINES = [line.partition("  #")[0].strip() for block in BLOCKS for line in block.splitlines()]
OURS = sorted({line for line in LINES if line.startswith("companion ")})


@pytest.mark.parametrize("line", OURS)
def test_a_command_of_the_guide_can_be_given(line: str) -> None:
    _, name, *words = shlex.split(re.split("[<>]", line)[0])
    command = main.get_command(click.Context(main), name)
    assert command is not None
    with command.make_context(name, words) as context:
        assert context.info_name == name
