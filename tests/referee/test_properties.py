"""What holds on every evening, whatever happens at the table."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.apply import apply
from companion.referee.model.table import Game, Round, Step, Table
from companion.referee.sentences import Refusal, Sentence, packed, unpacked
from tests.kit.evening import Evening
from tests.referee.strategies import Act, Happening, Push, Wish, evenings

EVENT = msgspec.json.Decoder(e.Event, dec_hook=unpacked)


class Chronicle(Evening):
    """An evening that can be told again from its events, which went through the journal's form."""

    def retold(self) -> Table:
        table = Table()
        for event in self.events:
            table = apply(table, EVENT.decode(msgspec.json.encode(event, enc_hook=packed)))
        return table


def starts() -> Iterator[Chronicle]:
    """The same evening, from where each way of playing begins."""
    lobby = Chronicle(3)
    yield lobby
    free = Chronicle(5)
    free.start()
    yield free
    refereed = Chronicle(3, way="refereed", edition="express")
    refereed.refereed()
    yield refereed
    racing = Chronicle(4, way="refereed")
    racing.refereed()
    racing.hands(ben=2)
    racing.play("street-race red")
    yield racing


def live(table: Evening, evening: list[Happening]) -> Iterator[None]:
    """Let the evening happen; what cannot be is refused and changes nothing."""
    for happening in evening:
        with contextlib.suppress(Refusal):
            if isinstance(happening, Act):
                table.wait(happening.after)
                wanted = happening.command
                table.do(wanted.of(table) if isinstance(wanted, Wish) else wanted, after=0)
            elif isinstance(happening, Push):
                table.wait(happening.after)
                at = table.press(happening.seat)
                table.wait(happening.held)
                table.let_go(happening.seat, at)
            else:
                table.wait(happening.after)
                start = table.now
                for seat, after in sorted(happening.hands.items(), key=lambda hand: hand[1]):
                    table.wait(start + after - table.now)
                    table.tap(seat)
        yield


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 3), evenings)
def test_an_evening_told_again_from_its_journal_is_the_same(
    start: int, evening: list[Happening]
) -> None:
    table = list(starts())[start]
    for _ in live(table, evening):
        pass
    assert table.retold() == table.table


def labels(step: Step | None) -> list[Sentence]:
    """What could be taken back, newest first."""
    found = []
    while step is not None:
        found.append(step.label)
        step = step.below
    return found


def records(round_: Round | None) -> tuple[object, ...] | None:
    """What people entered in a round, and the cards as they lie."""
    if round_ is None:
        return None
    return (
        round_.log,
        round_.turns,
        round_.named,
        round_.catches,
        round_.said,
        round_.withdrawn,
        round_.answers,
        round_.denied,
        round_.hands,
        round_.turn,
        round_.top,
        round_.colour,
        round_.out,
        round_.left,
    )


def entered(game: Game) -> tuple[object, ...]:
    """Everything of the game that somebody entered."""
    match = game.match
    if match is None:
        return game.seats, game.setup
    return game.seats, game.setup, match.rounds, match.dealer, records(match.round)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 3), evenings)
def test_undo_then_redo_is_as_if_nothing_had_been(start: int, evening: list[Happening]) -> None:
    table = list(starts())[start]
    for _ in live(table, evening):
        before, events = table.table, len(table.events)
        with contextlib.suppress(Refusal):
            table.do(c.Undo(), after=0)
            table.do(c.Redo(), after=0)
            assert entered(table.table.game) == entered(before.game)
            assert labels(table.table.past) == labels(before.past)
        table.table = before
        del table.events[events:]


def all_cards(game: Game) -> int | None:
    """Count the cards of a refereed round that has begun."""
    if game.match is None or game.match.round is None or game.match.round.way == "free":
        return None
    round_ = game.match.round
    return sum(round_.hands.values()) + round_.draw_pile + round_.discard_pile


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 3), evenings)
def test_no_card_appears_or_vanishes(start: int, evening: list[Happening]) -> None:
    table = list(starts())[start]
    for _ in live(table, evening):
        game = table.table.game
        assert game.match is None or all_cards(game) in (None, game.match.edition.size)
        if game.match is not None and game.match.round is not None:
            round_ = game.match.round
            assert min(round_.hands.values(), default=0) >= 0
            assert round_.draw_pile >= 0


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 3), evenings)
def test_whatever_happens_the_table_answers_and_never_breaks(
    start: int, evening: list[Happening]
) -> None:
    table = list(starts())[start]
    with contextlib.suppress(Refusal):
        table.do(c.Redo())
    for _ in live(table, evening):
        assert len(table.table.evidence) <= 2
        match = table.table.game.match
        if match is not None and match.round is not None:
            assert_sound(match.round)


def assert_sound(round_: Round) -> None:
    """Nothing is asked twice, and no race or catch is there twice."""
    about = [(question.kind, question.about) for question in round_.questions]
    assert len(about) == len(set(about))
    anchors = [(race.anchor, race.record) for race in round_.races]
    assert len(anchors) == len(set(anchors))
    catches = [(claim.record, claim.catch.seat, claim.catch.at) for claim in round_.claims]
    assert len(catches) == len(set(catches))
