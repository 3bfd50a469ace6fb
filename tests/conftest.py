"""What all tests share: the same examples on every run of CI, new ones at every desk."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was measured on a real kernel, also where all is well."""
    told = [
        line
        for report in terminalreporter.getreports("passed")
        if "/kernel/" in report.nodeid
        for line in report.capstdout.splitlines()
    ]
    if told:
        terminalreporter.section("races on a real kernel")
    for line in dict.fromkeys(told):
        terminalreporter.write_line(line)
