"""What all tests share: the same examples on every run of CI, new ones at every desk."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from hatch_build import build_page

GROUP = re.compile(r"""xdist_group\(["']([^"']+)["']\)""")
URGENT = "kernel"
"""The group whose emulated machines go before everything else on the computer."""
ROOMS = Path(__file__).parent
UNTIMED = {ROOMS / room for room in ("simulation", "view", "settings")}
"""Rooms whose tests wait for no clock, no other program and no browser."""

# How long an example takes says how busy the machine is, and nothing about the example.
settings.register_profile("desk", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("desk"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")


class Together(LoadScopeScheduling):  # type: ignore[misc]  # published without type hints
    """Hands tests out one by one, but those of a module's group to one and the same worker.

    xdist marks groups in the names of tests, which pytest 9.2 no longer lets it change; so the
    group is read off the module.
    """

    def _split_scope(self, nodeid: str) -> str:
        return _group(self.config.rootpath / nodeid.partition("::")[0]) or nodeid


@cache
def _group(module: Path) -> str | None:
    found = GROUP.search(module.read_text("utf-8"))
    return found[1] if found else None


def pytest_configure(config: pytest.Config) -> None:
    """Hand tests out in the order in which they are collected."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the emulated machines, and with tests that may run beside them.

    The machines leave little of the processors to others, and a browser that has to share them is
    too slow for its tests. Then come the groups, so that no long one is left over at the end.
    """
    items.sort(key=lambda item: turn(item.path))


@cache
def turn(module: Path) -> int:
    """Say which modules are run before others: those with smaller numbers."""
    group = _group(module)
    if group == URGENT:
        return 0
    if UNTIMED.intersection(module.parents):
        return 1
    return 2 if group else 3


def pytest_sessionstart() -> None:
    """Bundle the page if its sources have changed: tests are about what is served."""
    with contextlib.redirect_stdout(sys.stderr):
        build_page()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Together | None:
    """Keep groups together wherever that is asked for."""
    return Together(config, log) if config.getvalue("dist") == "loadgroup" else None


FIGURES = "figures: "
"""A line that a test prints with this in front is shown at the end of the run."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was measured, also where all is well."""
    passed = terminalreporter.getreports("passed")
    kernel, others = (
        [report for report in passed if ("/kernel/" in report.nodeid) is real]
        for real in (True, False)
    )
    races = [line for report in kernel for line in report.capstdout.splitlines()]
    figures = [
        line.removeprefix(FIGURES)
        for report in others
        for line in report.capstdout.splitlines()
        if line.startswith(FIGURES)
    ]
    for title, told in (("races on a real kernel", races), ("figures", figures)):
        if told:
            terminalreporter.section(title)
        for line in dict.fromkeys(told):
            terminalreporter.write_line(line)
