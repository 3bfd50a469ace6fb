"""People with real cards play whole matches: there is something to see, and all of it is lawful."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from bench.sides.tables import BareTable
from companion.demo.commentary import lines
from companion.demo.people import LIVELY, STEADY, Habits
from companion.demo.playing import play, seat, set_up
from companion.demo.refereed import RefereedMatch, TableDisturbed
from companion.demo.steps import TimedCommand
from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.apply.parts import the_match, the_round
from companion.referee.decide import drafted
from companion.referee.draft import Now
from companion.referee.model.edition import EXPRESS, FAST_AND_FURIOUS, PRINTED, Edition
from companion.referee.model.rulings import Ruling


class Watched(BareTable):
    """A bare table with a luck of its own that remembers what happened at it."""

    def __init__(self, luck: int = 0) -> None:
        super().__init__()
        self.luck = Random(luck)
        self.events: list[e.Event] = []
        self.last_hand = 0
        """The button that was pressed last."""
        self.races: list[tuple[Ruling, int]] = []
        """Who was ruled to be last by a margin, and whose hand really was."""

    def carry_out(self, step: TimedCommand):
        if isinstance(step.command, c.PushButton):
            self.last_hand = step.command.button
        return super().carry_out(step)

    def decide(self, command: c.Command) -> None:
        draft = drafted(self.table, command, Now(self.now, self.luck.getrandbits(32)))
        self.table = draft.table
        self.events += draft.events
        for ruling in rulings(draft.events):
            if ruling.rule == "R12" and ruling.outcome == "last":
                self.races.append((ruling, self.last_hand))


def rulings(events):
    return [event.ruling for event in events if isinstance(event, e.RulingGiven)]


@cache
def played(edition: Edition, players: int, seed: int, habits: Habits = LIVELY, luck: int = 0):
    """Play a match once, whichever tests look at it."""
    table = Watched(luck)
    seats = seat(table, players)
    set_up(table, edition, "refereed")
    match = RefereedMatch(edition, seats, seed, habits)
    return table, match, play(table, match.steps())


@pytest.mark.parametrize("habits", [STEADY, LIVELY], ids=["for the bench", "to watch"])
@pytest.mark.parametrize("players", [2, 4, 10])
@pytest.mark.parametrize("edition", PRINTED, ids=lambda edition: edition.key)
def test_a_match_is_refereed_until_somebody_has_won(
    edition: Edition, players: int, habits: Habits
) -> None:
    table, match, steps = played(edition, players, players, habits)
    assert isinstance(steps[-1].command, c.CloseMatch)
    assert table.table.game.match is None
    assert rulings(table.events)[-1].outcome == "won"
    plays = sum(isinstance(step.command, c.Play | c.Draw) for step in steps)
    slips = sum(isinstance(step.command, c.Undo) for step in steps)
    assert match.turns == plays - slips > 20


def test_the_same_seed_deals_the_same_cards_whatever_the_table_draws_by_lot() -> None:
    commands = [
        [step.command for step in steps if not isinstance(step.command, c.PushButton | c.Release)]
        for _, _, steps in (played(FAST_AND_FURIOUS, 4, 1, luck=luck) for luck in (1, 2))
    ]
    assert commands[0] == commands[1]
    assert c.SlapOff() in commands[0], "the light of no slap-off was drawn by lot"


SEEDS = range(1, 6)
SEEN = {
    "deals", "deal_tie", "first_card", "hit", "skipped", "reversed", "guilty", "innocent",
    "called", "caught", "out", "scored", "won",
}  # fmt: skip
IN_RACES = {"last", "never_slapped", "dead_heat", "picked", "false_start"}


@pytest.mark.parametrize(
    ("edition", "outcomes"),
    [
        pytest.param(FAST_AND_FURIOUS, SEEN | IN_RACES, id="Fast & Furious"),
        pytest.param(EXPRESS, SEEN, id="Express"),
    ],
)
def test_whoever_watches_sees_everything_that_can_happen_at_a_good_table(
    edition: Edition, outcomes: set[str]
) -> None:
    events = [event for seed in SEEDS for event in played(edition, 4, seed)[0].events]
    kinds = {type(event) for event in events}
    assert {ruling.outcome for ruling in rulings(events)} >= outcomes
    assert {e.PileReshuffled, e.Undone, e.CardsDrawn, e.ColourNamed} <= kinds


def test_the_hand_that_came_down_last_draws() -> None:
    races = [race for seed in SEEDS for race in played(FAST_AND_FURIOUS, 4, seed)[0].races]
    assert len(races) > 25
    assert all(ruling.seats == (hand,) for ruling, hand in races)


def test_the_story_tells_each_card_and_what_the_referee_ruled() -> None:
    table, _, steps = played(EXPRESS, 3, 1)
    told = lines(table.events, {})
    plays = sum(isinstance(step.command, c.Play) for step in steps)
    assert sum(" plays " in line and not line.startswith((" ", "Taken")) for line in told) == plays
    assert "A match of Express begins." in told
    assert any(line.startswith("    R13: ") for line in told)


class Corrected(Watched):
    """A table where the referee lets the first one who has drawn for a Draw Two off again."""

    def __init__(self) -> None:
        super().__init__()
        self.let_off: int | None = None
        """Who had drawn already, and puts the cards back."""

    def carry_out(self, step: TimedCommand):
        drawn = step.command.debt if isinstance(step.command, c.Drawn) else None
        debts = () if drawn is None else the_round(the_match(self.table)).debts
        super().carry_out(step)
        for debt in debts:
            if debt.number == drawn and self.let_off is None:
                self.let_off = debt.seat
                self.decide(c.Overrule(debt.ruling))
        return self.table


def test_whoever_drew_for_a_ruling_that_is_taken_back_puts_the_cards_back() -> None:
    table = Corrected()
    seats = seat(table, 3)
    set_up(table, FAST_AND_FURIOUS, "refereed")
    play(table, RefereedMatch(FAST_AND_FURIOUS, seats, 3).steps())
    assert table.let_off is not None
    assert any(ruling.back for ruling in rulings(table.events) + overruled(table.events))
    assert rulings(table.events)[-1].outcome == "won"


def overruled(events):
    return [event.ruling for event in events if isinstance(event, e.RulingOverruled)]


def test_a_ruling_that_is_replaced_while_somebody_draws_changes_what_is_owed() -> None:
    table, _, _ = played(FAST_AND_FURIOUS, 3, 2005, STEADY, luck=26_070)
    assert overruled(table.events), "nothing was judged again in this match"
    assert rulings(table.events)[-1].outcome == "won"


def test_people_stop_when_somebody_else_has_closed_the_match() -> None:
    table = Watched()
    seats = seat(table, 3)
    set_up(table, EXPRESS, "refereed")
    steps = RefereedMatch(EXPRESS, seats, 1).steps()
    step = next(steps)
    for _ in range(20):
        step = steps.send(table.carry_out(step.begun_at(0)))
    table.carry_out(TimedCommand(table.now, c.CloseMatch()))
    with pytest.raises(TableDisturbed, match="The match is gone"):
        steps.send(table.table)
