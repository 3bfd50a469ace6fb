"""Screens, lamps and the home show the same view, which is made once a change."""

from __future__ import annotations

from companion.referee import commands as c
from tests.kit.night import Night


def test_everybody_is_shown_the_same_view_until_something_changes(night: Night) -> None:
    running = night.running
    assert running is not None
    night.do(c.Sit("Ana", 1, 1))
    shown = running.view()
    assert running.view() is shown
    assert running.view_of(night.table) is shown
    night.do(c.Sit("Ben", 2, 2))
    assert [seat.name for seat in running.view().seats] == ["Ana", "Ben"]


def test_a_phone_that_is_paired_is_shown_although_the_table_is_the_same(night: Night) -> None:
    running = night.running
    assert running is not None
    night.do(c.Sit("Ana", 1, 1))
    (ana,) = running.view().seats
    running.phones = frozenset({ana.player})
    assert not ana.phone
    assert running.view().seats[0].phone
