"""The reading itself: the same evidence gives the same outcomes, however it came in."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee.evidence.material import material_of
from companion.referee.evidence.races.finish import Field, judge
from companion.referee.evidence.reading import Reading, read
from companion.referee.model.cards import Card
from companion.referee.model.presses import MILLISECOND, SECOND, Press, Timing
from tests.kit.evening import ANA, BEN, Evening
from tests.referee.strategies import Happening, evenings
from tests.referee.test_properties import live, starts

MS = MILLISECOND


def outcomes(reading: Reading) -> tuple[object, ...]:
    """What was read of races and catches, as far as anybody draws for it."""
    races = [
        (race.anchor, race.record, race.layer, race.outcome, race.finish and race.finish.last)
        for race in reading.races
    ]
    claims = [
        (claim.record, claim.catch.seat, claim.catch.at, claim.seat, claim.outcome)
        for claim in reading.claims
    ]
    return races, sorted(claims, key=repr)


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 3), evenings)
def test_reading_what_is_new_gives_the_same_as_reading_the_whole_round(
    start: int, evening: list[Happening]
) -> None:
    table = list(starts())[start]
    for _ in live(table, evening):
        pass
    match, material = table.table.game.match, material_of(table.table)
    if match is None or material is None:
        return
    house, timing = match.house, table.table.timing
    some = read(material, house, timing, table.now)
    everything = read(material, house, timing, table.now, since=material.began)
    assert outcomes(some) == outcomes(everything)


def test_a_ruling_does_not_change_by_growing_old() -> None:
    """Two who pressed together before a race have not hammered, neither now nor a minute later."""
    table = Evening(5).start()
    table.wait(5 * SECOND)
    start = table.now
    table.slaps(cleo=0, ben=60)
    table.wait(start + 1500 * MS - table.now)
    table.slaps(cleo=0, ben=60)
    table.wait(start + 3010 * MS - table.now)
    table.slaps(ben=0, dan=10, eva=20, cleo=30)
    table.wait(SECOND)
    before = table.match.rulings
    assert len(before) == 1
    for _ in range(60):
        table.do(c.PassTime(), after=SECOND)
    assert table.match.rulings == before


presses = st.lists(st.tuples(st.integers(1, 6), st.integers(0, 9_000)), max_size=16, unique=True)


def ruled(way: str, order: list[tuple[int, int]], doubt: int) -> tuple[object, ...]:
    """Who draws in the end, when these presses are delivered in this order."""
    table = Evening(6, way=way)
    if way == "free":
        table.start()
    else:
        table.refereed()
        table.hands(ben=2)
    start = table.now
    table.now += 9 * SECOND
    for seat, after in order:
        table.press(seat, start + after * MS, uncertainty=doubt * MS)
    if way == "free":
        table.do(c.DeclareRace(ANA), after=0)
        table.do(c.Catch(BEN, ANA), after=0)
    else:
        table.do(c.Play(Card("red-1")), after=0)
        table.do(c.Play(Card("street-race"), colour="blue"), after=0)
    table.wait(60 * SECOND)
    debts = sorted((debt.seat, debt.cards) for debt in table.round.debts)
    races = [(r.anchor, r.layer, r.outcome, r.finish and r.finish.last) for r in table.round.races]
    claims = [(claim.catch.seat, claim.catch.at, claim.outcome) for claim in table.round.claims]
    return debts, races, sorted(claims), sorted(table.in_force)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["free", "refereed"]),
    presses,
    st.randoms(use_true_random=False),
    st.sampled_from([0, 5, 40]),
)
def test_the_order_of_delivery_never_changes_a_ruling(
    way: str, hands: list[tuple[int, int]], rng: object, doubt: int
) -> None:
    in_time = sorted(hands, key=lambda hand: hand[1])
    shuffled = list(hands)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert ruled(way, in_time, doubt) == ruled(way, shuffled, doubt)


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.integers(2, 6), st.tuples(st.integers(0, 10**9), st.integers(0, 10**7))),
    st.dictionaries(st.integers(1, 6), st.integers(0, 2 * SECOND)),
)
def test_a_head_start_is_worth_as_much_as_a_quicker_hand(
    hands: dict[int, tuple[int, int]], handicaps: dict[int, int]
) -> None:
    field = Field(layer=1, racers=(2, 3, 4, 5, 6), start=0, since=0)
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


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 900), st.integers(1, 900), st.integers(0, 300))
def test_calling_sooner_never_hurts(call: int, catch: int, sooner: int) -> None:
    def owed(at: int) -> int:
        table = Evening(way="refereed").refereed()
        table.hands(ben=2)
        table.wait(SECOND)
        table.play("red-1")
        start = table.now
        for moment, seat in sorted([(at, BEN), (catch, ANA), (catch + 500, ANA)]):
            table.wait(max(0, start + moment * MS - table.now))
            table.tap(seat, start + moment * MS)
        table.wait(SECOND)
        return table.owed(BEN)

    assert owed(max(1, call - sooner)) <= owed(call)
