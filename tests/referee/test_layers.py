"""The referee can be read, tested and trusted alone, because it reaches for nothing."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REFEREE = ROOT / "companion" / "referee"

# The import contracts in pyproject.toml name what is forbidden; these rows name all that is left.
FROM_OUTSIDE = {"msgspec"}


def strangers(source: str) -> set[str]:
    """Name every module that a source imports and that is neither standard, msgspec nor referee."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                found |= {alias.name for alias in names}
            case ast.ImportFrom(module=module, names=names, level=0):
                found |= {f"{module}.{alias.name}" for alias in names}
            case ast.ImportFrom():
                found.add("a relative import")
            case ast.Call(func=ast.Name(id="__import__" | "open" | "input" | "print" as name)):
                found.add(name)
            case _:
                pass
    return {name for name in found if not at_home(name)}


def at_home(name: str) -> bool:
    """Tell whether the referee may know a module of this name."""
    top = name.partition(".")[0]
    if top == "companion":
        return (name + ".").startswith("companion.referee.")
    return top in sys.stdlib_module_names or top in FROM_OUTSIDE


@pytest.mark.parametrize(
    ("source", "named"),
    [
        pytest.param("import flask", {"flask"}, id="a library"),
        pytest.param("from companion import journal", {"companion.journal"}, id="the service"),
        pytest.param(
            "from companion.journal import chain", {"companion.journal.chain"}, id="its inside"
        ),
        pytest.param("import companion.refereeing", {"companion.refereeing"}, id="a near name"),
        pytest.param("def f():\n    import web", {"web"}, id="hidden in a function"),
        pytest.param("from . import cards", {"a relative import"}, id="a relative import"),
        pytest.param("print(open('x'))", {"print", "open"}, id="the disk and the screen"),
        pytest.param("import enum, msgspec\nfrom companion.referee import cards", set(), id="fine"),
    ],
)
def test_a_stranger_in_the_referee_is_named(source: str, named: set[str]) -> None:
    assert strangers(source) == named


def test_the_referee_knows_only_the_standard_library_msgspec_and_itself() -> None:
    sources = sorted(REFEREE.rglob("*.py"))
    assert sources
    named = {str(path.relative_to(ROOT)): strangers(path.read_text("utf-8")) for path in sources}
    assert {path: names for path, names in named.items() if names} == {}
