"""What commands and events declare: who may send the one, and what the other touches."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.model.rulings import Ruling
from companion.referee.model.table import Race
from companion.referee.sentences import Sentence

WORDS = Sentence("race_last")
LAST, CAUGHT = Ruling(4, "R12", "last", WORDS, 8), Ruling(4, "R13", "caught", WORDS, 8)
RACE = Race(5, "hands", (2, 3), "running", 10)


@pytest.mark.parametrize(
    ("module", "declaration", "named"),
    [
        pytest.param(c, '@sent_by(REFEREE, "scored {round}")', "EditRound", id="a command"),
        pytest.param(e, '@touches("way")', "WaySwitched", id="an event"),
    ],
)
def test_what_declares_nothing_does_not_import(
    module: ModuleType, declaration: str, named: str
) -> None:
    file = str(module.__file__)
    source = Path(file).read_text()
    assert declaration in source
    with pytest.raises(TypeError, match=f"{named} does not declare"):
        exec(compile(source.replace(declaration, ""), file, "exec"), {"__name__": module.__name__})


def test_every_aspect_that_is_relied_on_can_be_touched() -> None:
    """A word that only one side uses would let every stale tap through."""
    relied = {word for kind in get_args(c.Command) for word in kind.relies_on}
    touched = {word for kind in _members(e.Event) for word in kind.touched}
    assert {_nameless(word) for word in relied} <= {_nameless(word) for word in touched}


def test_screens_send_what_people_ask_for_and_nothing_else() -> None:
    sent = {kind for kind in get_args(c.Command) if kind.senders}
    assert sent == set(get_args(c.PersonCommand))


@pytest.mark.parametrize(
    ("event", "touched"),
    [
        pytest.param(e.CardsDrawn(2, 1, 5), {"turn"}, id="a card is drawn on turn"),
        pytest.param(e.CardsDrawn(2, 4, 5, debt=7), {"debt {debt}"}, id="a debt is paid"),
        pytest.param(e.RulingGiven(LAST), {"race ruling"}, id="a race is ruled"),
        pytest.param(e.RulingGiven(CAUGHT), set(), id="a catch is ruled"),
        pytest.param(
            e.RulingOverruled(4, WORDS, LAST), {"ruling {number}", "race ruling"}, id="overruled"
        ),
        pytest.param(e.RulingOverruled(4, WORDS, CAUGHT), {"ruling {number}"}, id="a catch again"),
        pytest.param(e.RaceRead(RACE), {"race"}, id="another race"),
        pytest.param(e.RaceRead(RACE, was=RACE.key), set(), id="a hand lands in a race"),
        pytest.param(e.TurnMoved(3), {"turn"}, id="always the same"),
    ],
)
def test_what_an_event_touches_may_depend_on_what_happened(
    event: e.Event, touched: set[str]
) -> None:
    assert set(event.touches()) == touched


def _members(union: object) -> list[Any]:
    """Take a union of unions apart."""
    found: list[Any] = []
    for member in get_args(union):
        found += _members(member) if get_args(member) else [member]
    return found


def _nameless(aspect: str) -> str:
    return re.sub(r"\{\w+\}", "{}", aspect)
