"""A match that was forgotten leaves its people where they sit, and its number taken."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.apply import apply
from tests.kit.evening import ANA, BEN, Evening


def without_the_match(table: Evening, number: int) -> Evening:
    """The same evening, as somebody finds it who has never heard of that match."""
    left = table.table
    table.table = apply(
        left,
        e.MatchForgotten(
            match=number,
            seats=left.game.seats,
            setup=left.game.setup,
            players=left.players,
            editions=left.editions,
            timing=left.timing,
            aside=left.aside,
            awaiting_button=left.awaiting_button,
        ),
    )
    return table


def test_what_was_forgotten_keeps_its_place_and_changes_nothing() -> None:
    table = Evening().start()
    after = apply(table.table, e.Forgotten())
    assert after.version == table.table.version + 1
    assert after.game is table.table.game


def test_everybody_still_sits_there_and_the_next_match_has_the_next_number() -> None:
    table = Evening().start()
    table.tap(BEN)
    table.do(c.SetAside(BEN, "stuck", table.now))
    table.do(c.CloseMatch())
    table.do(c.AssignButton(ANA))
    before = table.table
    after = without_the_match(table, 1).table
    assert after.game == before.game
    assert after.evidence == (), "what hands did in it is forgotten too"
    assert after.aside == before.aside == {BEN: "stuck"}
    assert after.awaiting_button == ANA
    assert after.forgotten == (1,)
    table.do(c.StartMatch())
    assert table.match.number == 2
    assert table.table.forgotten == (1,)


def test_nobody_goes_back_into_it_or_past_it() -> None:
    table = Evening().start()
    table.do(c.CloseMatch())
    without_the_match(table, 1)
    assert table.refused(c.Undo()).sentence.code == "nothing_to_undo"
    assert table.refused(c.Redo()).sentence.code == "nothing_to_redo"


def test_two_matches_can_be_forgotten() -> None:
    table = Evening().start()
    for number in (1, 2):
        table.do(c.CloseMatch())
        without_the_match(table, number)
        table.do(c.StartMatch())
    assert table.match.number == 3
    assert table.table.forgotten == (1, 2)
