"""Every numbered rule has a function that names it and a test that names it."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

import pytest

import companion.referee
from companion.referee.english import ENGLISH
from companion.referee.model.questions import QuestionKind
from companion.referee.settling.questions import CHOICES

REFEREE = Path(companion.referee.__file__).parent
RULES = [f"R{number}" for number in range(1, 21)]
NAMED = re.compile(r"(R\d+)\. ")


def rules_named_by_functions() -> set[str]:
    found: set[str] = set()
    for path in REFEREE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and (text := ast.get_docstring(node)):
                found.update(NAMED.findall(text.splitlines()[0]))
    return found


def rules_named_by_tests() -> set[str]:
    found: set[str] = set()
    for path in Path(__file__).parent.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.update(
                    decorator.args[0].value
                    for decorator in node.decorator_list
                    if isinstance(decorator, ast.Call)
                    and ast.unparse(decorator.func) == "pytest.mark.rule"
                    and isinstance(decorator.args[0], ast.Constant)
                    and isinstance(decorator.args[0].value, str)
                )
    return found


@pytest.mark.parametrize("rule", RULES)
def test_the_rule_has_a_function_and_a_test(rule: str) -> None:
    assert rule in rules_named_by_functions()
    assert rule in rules_named_by_tests()


def test_no_rule_is_named_that_the_sheets_do_not_have() -> None:
    assert rules_named_by_functions() | rules_named_by_tests() == set(RULES)


def constants(node: ast.AST) -> set[str]:
    """The words that stand in an expression by themselves, not as parts of others."""
    if isinstance(node, ast.JoinedStr):
        return set()
    if isinstance(node, ast.Constant):
        return {node.value} if isinstance(node.value, str) else set()
    return {word for child in ast.iter_child_nodes(node) for word in constants(child)}


def spoken_codes() -> set[str]:
    codes: set[str] = set()
    beside = (REFEREE.parent / "past" / "review").glob("*.py")
    for path in (*REFEREE.rglob("*.py"), *beside):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func).rpartition(".")[2]
            if called in ("say", "refuse", "step") and node.args:
                codes |= constants(node.args[0])
    return codes


def test_every_sentence_is_in_the_catalogue_and_none_is_left_over() -> None:
    questions = {f"ask_{kind}" for kind in get_args(QuestionKind)}
    indirect = {"unknown_card", *questions, *CHOICES.values()}
    assert spoken_codes() | indirect == set(ENGLISH)
