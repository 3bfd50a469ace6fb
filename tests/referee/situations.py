"""Situations in which several tests begin."""

from __future__ import annotations

from typing import Any

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.presses import MILLISECOND, SECOND, Press
from companion.referee.model.table import Window
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening

MS = MILLISECOND
DOUBT = 9 * MS
"""How vaguely a phone dates a press."""


def refereed(first: str = "red-5", players: int = 3, **setup: Any) -> Evening:
    """Ana has dealt, so Ben is on turn, and the first card lies there."""
    return Evening(players, way="refereed", **setup).refereed(first)


def turn(table: Evening, back: int = 1) -> int:
    """The number of one of the latest turns."""
    return table.round.turns[-back].number


def before_one(players: int = 3, **setup: Any) -> Evening:
    """Ben has two cards and is on turn."""
    table = refereed(players=players, **setup)
    table.hands(ben=2)
    table.wait(40 * SECOND)
    return table


def on_one(players: int = 3, **setup: Any) -> Evening:
    """Ben has just been recorded with his next-to-last card; Cleo is on turn."""
    table = before_one(players, **setup)
    table.play("red-1")
    return table


def window(table: Evening) -> Window:
    """Who is on one card and may be caught."""
    found = table.round.calls.window
    assert found is not None
    return found


def free(players: int = 4, **setup: Any) -> Evening:
    """A round of free play that has been on for a while."""
    table = Evening(players, **setup).start()
    table.wait(30 * SECOND)
    return table


def presses(table: Evening, *happenings: tuple[int, int]) -> int:
    """Let seats press so many milliseconds from now, and tell when now was."""
    start = table.now
    for ms, seat in happenings:
        table.wait(start + ms * MS - table.now)
        table.tap(seat)
    return start


def on_a_phone(table: Evening, seat: int, at: int, uncertainty: int = DOUBT) -> None:
    """A press that was made on a phone at this moment arrives now."""
    table.do(c.PhonePress(seat, at, uncertainty), after=0)


def last_press(table: Evening, seat: int) -> Press:
    """The latest press that the table knows of a seat."""
    return table.table.evidence[-1].presses[seat][-1][-1]


def with_head_start(seat: int = CLEO, ms: int = 200, players: int = 3, **setup: Any) -> Evening:
    """A table at which one player is a child."""
    table = Evening(players, **setup)
    table.do(c.SetHandicap(seat, ms))
    return table.start()


def raced(table: Evening, layer: int = ANA, **after_ms: float) -> int:
    """Name a Street Race and let these hands slap so many milliseconds later; tells when."""
    table.do(c.DeclareRace(layer))
    at = table.slaps(**after_ms)
    table.wait(2 * SECOND)
    return at


def seen_race() -> Evening:
    """A race that the hands of three showed by themselves; Dan was last."""
    table = Evening(4).start()
    table.hands_off(ANA)
    table.wait(SECOND)
    assert table.owed(DAN) == 4
    return table


def proposed() -> Evening:
    """Ben and Cleo came down together, and Ana is asked whether she laid a Street Race."""
    table = Evening(3).start()
    table.hands_off(ANA)
    table.wait(1500 * MS)
    assert table.question.kind == "was_race"
    return table


def who_laid() -> Evening:
    """Three of five slapped, and Ana and Eva are asked which of them laid the card."""
    table = Evening(5).start()
    table.slaps(ben=0, cleo=40, dan=80)
    table.wait(5 * SECOND)
    assert table.question.kind == "who_laid"
    return table


def who_was_last() -> Evening:
    """Dan has no button that works, and nobody knows whether he was last."""
    table = Evening(4).start()
    table.do(c.SetAside(DAN, "stuck", table.now))
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=0, cleo=50)
    table.wait(2 * SECOND)
    assert table.question.kind == "who_was_last"
    return table


def called_in_time() -> Evening:
    """Ben pressed some seconds before somebody tapped that he was caught."""
    table = free()
    table.tap(BEN)
    table.do(c.Catch(BEN), after=5 * SECOND)
    table.wait(SECOND)
    assert table.question.kind == "called_in_time"
    return table


def caught_in_time() -> Evening:
    """Ana caught Ben, and a moment later the next turn was recorded."""
    table = on_one()
    table.wait(5 * SECOND)
    table.catch_by_presses(ANA, 400 * MS)
    table.play("red-2")
    table.wait(SECOND)
    assert table.question.kind == "caught_in_time"
    return table


def play_stands() -> Evening:
    """The card before Cleo's was another one, and hers no longer goes on it."""
    table = refereed()
    table.play("red-1", "red-2")
    table.do(c.ChangePlay(turn(table, 2), Card("blue-5")))
    assert table.question.kind == "play_stands"
    return table
