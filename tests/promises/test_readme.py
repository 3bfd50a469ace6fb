"""README.md promises nothing that no test backs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECTION = "## What it promises"
PROMISES = 16


def rows() -> list[tuple[int, str, list[str]]]:
    """Read the table: the number, the promise, and the tests that are named for it."""
    _, _, after = (ROOT / "README.md").read_text("utf-8").partition(SECTION)
    section = after.partition("\n## ")[0]
    found = re.findall(r"^\| (\d+) \| (.+?) \| (.+) \|$", section, re.MULTILINE)
    return [(int(n), promise, re.findall(r"`(tests/\S+)`", tests)) for n, promise, tests in found]


def test_all_promises_are_there() -> None:
    assert [number for number, _, _ in rows()] == list(range(1, PROMISES + 1))


@pytest.mark.parametrize(
    ("promise", "tests"), [pytest.param(p, t, id=f"promise {n}") for n, p, t in rows()]
)
def test_each_test_that_is_named_exists_and_tests_something(promise: str, tests: list[str]) -> None:
    assert tests, f"nothing backs this: {promise}"
    for name in tests:
        assert re.search(r"^(def test_|class Test|Test\w+ = )", (ROOT / name).read_text(), re.M)
