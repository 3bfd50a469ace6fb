"""A race at a real table: the reports of the buttons go in, the referee's own ruling comes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.referee import commands as c
from companion.referee.apply import apply
from companion.referee.decide import decide
from companion.referee.draft import Now
from companion.referee.model.presses import MILLISECOND, SECOND, Gap, Timing
from companion.referee.model.rulings import Finish
from companion.referee.model.table import Table

SEATS = range(1, 11)
ENOUGH = 4
"""From so many players on, the hands of all but one are a race without a word."""


def ruled(
    hands: Sequence[int],
    start: int,
    presses: Iterable[c.PushButton],
    gaps: Iterable[Gap],
    timing: Timing,
) -> Finish:
    """Let these hands race at a table, each at the seat of its button, and give what was ruled.

    Whoever did not press lays the card; where all ten did, the first hand is the layer's. Who laid
    it is named on the tablet; where the hands say it too, they alone must lead to the same ruling.
    """
    presses, gaps = list(presses), list(gaps)
    free = [seat for seat in SEATS if seat not in hands]
    first = min(presses, key=lambda press: press.at, default=None)
    layer = free[0] if free else hands[0] if first is None else first.button
    table = _table(sorted({*hands, layer}), start - 20 * SECOND, timing)
    named = _raced(_decided(table, c.DeclareRace(layer), start), start, presses, gaps)
    everyone = {press.button for press in presses} == set(hands)
    if free and everyone and not gaps and len(hands) + 1 >= ENOUGH:
        assert _raced(table, start, presses, gaps) == named
    return named


def _raced(
    table: Table, start: int, presses: Iterable[c.PushButton], gaps: Iterable[Gap]
) -> Finish:
    """Give the ruling on these reports, in the order in which they came."""
    said: list[c.Command] = [
        c.MissPresses(buttons=gap.seats, since=gap.since, until=gap.until) for gap in gaps
    ]
    for press in presses:
        let_go = press.at + 30 * MILLISECOND
        said += [press, c.Release(press.button, let_go, press.at)]
    now = start
    for command in said:
        now = max(now, command.at) if isinstance(command, c.PushButton | c.Release) else now
        table = _decided(table, command, now)
    table = _decided(table, c.PassTime(), start + 2 * table.timing.race_limit)
    match = table.game.match
    assert match is not None
    assert match.round is not None
    (race,) = match.round.races
    assert race.finish is not None
    (ruling,) = [r for r in match.rulings if r.rule == "R12" and r.overruled is None]
    assert ruling.number == race.ruling
    assert ruling.seats == race.finish.last
    assert race.state == ("ruled" if ruling.draws else "undecided")
    assert [draws.seat for draws in ruling.draws] in ([], list(race.finish.last))
    return race.finish


def _table(seats: Sequence[int], now: int, timing: Timing) -> Table:
    table = Table(timing=timing)
    said: list[c.Command] = [c.Sit(f"Seat {seat}", seat, seat) for seat in seats]
    said += [c.SetUp(), c.StartMatch(), c.ChooseDealer(seats[0]), c.Deal()]
    for command in said:
        table = _decided(table, command, now)
    return table


def _decided(table: Table, command: c.Command, now: int) -> Table:
    for event in decide(table, command, Now(now, luck=1)):
        table = apply(table, event)
    return table
