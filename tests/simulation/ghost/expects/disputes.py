"""What the ghost expects when people set something right, and when buttons or the table fail."""

from __future__ import annotations

from companion.referee import commands as c
from tests.simulation.ghost.expects import races
from tests.simulation.ghost.expects.turns import forget_challenge, pay, refereed
from tests.simulation.ghost.truth import Refused, Truth


def settle_debt(truth: Truth, place: int, *, drawn: bool) -> None:
    """A debt is ticked: the cards were drawn, or are forgiven."""
    round_ = truth.the_round()
    debt = round_.debts[place]
    round_.disputed |= sum(other.seat == debt.seat for other in round_.debts) > 1
    if drawn:
        pay(round_, place)
    else:
        forget_challenge(round_, debt)
        del round_.debts[place]


def overrule(truth: Truth, places: list[int], command: c.Overrule) -> None:
    """The referee puts something else in the place of what a ruling made people owe."""
    round_ = truth.the_round()
    if not places:
        raise Refused
    seats = sorted(set(command.seats))
    if any(seat not in round_.seats for seat in seats) or bool(seats) != bool(command.draws):
        raise Refused
    round_.disputed = True
    old = round_.debts[places[0]]
    for debt in [round_.debts[place] for place in places]:
        forget_challenge(round_, debt)
    round_.debts = [debt for at, debt in enumerate(round_.debts) if at not in places]
    kept: dict[int, int] = {}
    if old.race is not None:
        kept = races.give_back(round_, old.race, dict.fromkeys(seats, command.draws))
        round_.drawn[old.race] = kept
        races.overrule(round_, old.race, tuple(seats))
    for seat in seats:
        if kept.get(seat, 0) < command.draws:
            round_.owe(seat, command.draws - kept.get(seat, 0), old.rule, race=old.race)


def correct(truth: Truth, command: c.Correct) -> None:
    """The table agrees on whose turn it is, which way, and on which colour."""
    round_ = refereed(truth)
    if not round_.felt.discard:
        raise Refused("R3")
    if command.turn is not None and command.turn not in round_.seats:
        raise Refused
    assert command.hands is None, "real cards are counted right"
    assert command.top is None, "real cards are seen right"
    round_.turn = command.turn or round_.turn
    round_.felt.direction = command.direction or round_.felt.direction
    if command.colour is not None:
        round_.felt.colour = command.colour
        round_.chooser = None


def button_trouble(truth: Truth, command: c.SetAside | c.PutBack) -> None:
    """A button breaks, or is mended."""
    if isinstance(command, c.SetAside):
        truth.night.aside[command.button] = command.fault
    else:
        truth.night.aside.pop(command.button, None)
