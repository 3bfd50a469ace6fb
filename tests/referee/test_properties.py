"""What holds on every evening, whatever happens at the table."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.apply import apply
from companion.referee.deadlines import next_deadline
from companion.referee.finish import Field, first_slaps, judge
from companion.referee.presses import MILLISECOND, SECOND, Press, Timing
from companion.referee.sentences import Refusal
from companion.referee.table import Game, Step, Table
from tests.referee.evening import ANA, BEN, Evening
from tests.referee.strategies import Act, Push, evenings

MS = MILLISECOND
EVENT = msgspec.json.Decoder(e.Event)


class Chronicle(Evening):
    """An evening that can be told again from its events, which went through the journal's form."""

    def retold(self) -> Table:
        table = Table()
        for event in self.events:
            table = apply(table, EVENT.decode(msgspec.json.encode(event)))
        return table


def starts() -> Iterator[Chronicle]:
    """The same evening, from where each way of playing begins."""
    lobby = Chronicle(3)
    yield lobby
    free = Chronicle(4)
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


def live(table: Chronicle, evening: list[Act | Push]) -> Iterator[None]:
    """Let the evening happen; what cannot be is refused and changes nothing."""
    for happening in evening:
        with contextlib.suppress(Refusal):
            if isinstance(happening, Act):
                table.do(happening.command, happening.after)
            else:
                table.wait(happening.after)
                at = table.press(happening.seat)
                table.wait(happening.held)
                table.let_go(happening.seat, at)
        yield


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 3), evenings)
def test_an_evening_told_again_from_its_journal_is_the_same(
    start: int, evening: list[Act | Push]
) -> None:
    table = list(starts())[start]
    for _ in live(table, evening):
        pass
    assert table.retold() == table.table


def labels(step: Step | None) -> list[str]:
    """What could be taken back, newest first."""
    found = []
    while step is not None:
        found.append(step.label.text)
        step = step.below
    return found


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 3), evenings)
def test_undo_then_redo_is_as_if_nothing_had_been(start: int, evening: list[Act | Push]) -> None:
    table = list(starts())[start]
    for _ in live(table, evening):
        before = table.table
        if before.past is None:
            continue
        events = len(table.events)
        table.do(c.Undo(), after=0)
        due = next_deadline(table.table)
        if due is not None and due <= table.now:
            # What was due in the game that came back is ruled at once: the game goes on.
            table.table = before
            del table.events[events:]
            continue
        table.do(c.Redo(), after=0)
        assert table.table.game == before.game
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
def test_no_card_appears_or_vanishes(start: int, evening: list[Act | Push]) -> None:
    table = list(starts())[start]
    for _ in live(table, evening):
        game = table.table.game
        assert game.match is None or all_cards(game) in (None, game.match.edition.size)
        if game.match is not None and game.match.round is not None:
            round_ = game.match.round
            assert min(round_.hands.values(), default=0) >= 0
            assert round_.draw_pile >= 0


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(2, 6), st.integers(0, 900)), max_size=12),
    st.randoms(use_true_random=False),
    st.sampled_from([0, 5, 40]),
)
def test_the_order_of_delivery_never_changes_a_ruling(
    slaps: list[tuple[int, int]], rng: object, uncertainty: int
) -> None:
    def ruled(order: list[tuple[int, int]]) -> tuple[object, ...]:
        table = Evening(6).start()
        start = table.now
        table.now += SECOND
        for seat, after in order:
            table.press(seat, start + after * MS, uncertainty=uncertainty * MS)
        table.wait(12 * SECOND)
        race = table.round.race
        assert race is not None
        assert race.layer == ANA
        assert race.finish is not None
        return race.finish, race.state, table.round.debts

    pushes = [(ANA, 0), *slaps]
    shuffled = list(pushes)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    first_of_each = {seat: min(at for s, at in pushes if s == seat) for seat, _ in pushes}
    kept_in_line = sorted(
        shuffled, key=lambda push: first_of_each[push[0]] == push[1], reverse=True
    )
    assert ruled(pushes) == ruled(kept_in_line)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.integers(2, 6), st.integers(0, 10**9), st.integers(0, 10**7))),
    st.randoms(use_true_random=False),
)
def test_a_finish_is_the_same_for_presses_in_any_order(
    presses: list[tuple[int, int, int]], rng: object
) -> None:
    field = Field(layer=1, racers=(2, 3, 4, 5, 6), declared_at=0, since=0)
    dated = [Press(seat, at, doubt) for seat, at, doubt in sorted(set(presses))]
    unique = list({(press.seat, press.at): press for press in dated}.values())
    shuffled = list(unique)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]

    def finish(order: list[Press]) -> object:
        return judge(field, first_slaps(field, order), Timing())

    assert finish(unique) == finish(shuffled)


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.integers(2, 6), st.tuples(st.integers(0, 10**9), st.integers(0, 10**7))),
    st.dictionaries(st.integers(1, 6), st.integers(0, 2 * SECOND)),
)
def test_a_head_start_is_worth_as_much_as_a_quicker_hand(
    hands: dict[int, tuple[int, int]], handicaps: dict[int, int]
) -> None:
    field = Field(layer=1, racers=(2, 3, 4, 5, 6), declared_at=0, since=0)
    made = {seat: Press(seat, at, doubt) for seat, (at, doubt) in hands.items()}
    quicker = {
        seat: replace(press, at=press.at - handicaps.get(seat, 0)) for seat, press in made.items()
    }
    counted = judge(replace(field, handicaps=handicaps), made, Timing())
    fair = judge(field, quicker, Timing())
    assert (counted.last, counted.margin, counted.doubt) == (fair.last, fair.margin, fair.doubt)
    assert [(p.seat, p.after, p.behind) for p in counted.places] == [
        (p.seat, p.after, p.behind) for p in fair.places
    ]
    assert {p.seat: p.press for p in counted.places if p.press} == made


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 900), st.integers(1, 900), st.integers(0, 300))
def test_calling_sooner_never_hurts(call: int, catch: int, sooner: int) -> None:
    def owed(at: int) -> int:
        table = Evening(way="refereed").refereed()
        table.hands(ben=2)
        table.wait(SECOND)
        table.play("red-1")
        start = table.now
        for moment, seat in sorted([(at, BEN), (catch, ANA)]):
            table.wait(max(0, start + moment * MS - table.now))
            table.tap(seat, start + moment * MS)
        table.wait(SECOND)
        return table.owed(BEN)

    assert owed(max(1, call - sooner)) <= owed(call)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 3), evenings)
def test_whatever_happens_the_table_answers_and_never_breaks(
    start: int, evening: list[Act | Push]
) -> None:
    table = list(starts())[start]
    with contextlib.suppress(Refusal):
        table.do(c.Redo())
    for _ in live(table, evening):
        assert len(table.table.presses) <= 64
