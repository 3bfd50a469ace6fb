"""What the ghost expects when people set something right, and when buttons or the table fail."""

from __future__ import annotations

from msgspec import structs

from companion.ghost.finish import settle, settle_slap_off
from companion.ghost.moments import Gap, Night
from companion.ghost.seating import mend, seat_of
from companion.ghost.truth import Refused, Truth
from companion.ghost.turns import forget_challenge, pay, refereed
from companion.referee import commands as c


def settle_debt(truth: Truth, place: int, *, drawn: bool) -> None:
    """A debt is ticked: the cards were drawn, or are forgiven."""
    round_ = truth.the_round()
    debt = round_.debts[place]
    if drawn:
        pay(round_, place)
    else:
        forget_challenge(round_, debt)
        del round_.debts[place]


def overrule(truth: Truth, places: list[int], command: c.Overrule, at: int) -> None:
    """The referee puts something else in the place of what a ruling made people owe."""
    round_ = truth.the_round()
    if not places:
        raise Refused
    seats = sorted(set(command.seats))
    if any(seat not in round_.seats for seat in seats) or bool(seats) != bool(command.draws):
        raise Refused
    old = round_.debts[places[0]]
    for debt in [round_.debts[place] for place in places]:
        forget_challenge(round_, debt)
    round_.debts = [debt for at_, debt in enumerate(round_.debts) if at_ not in places]
    for seat in seats:
        round_.owe(seat, command.draws, old.rule, race=old.race)
    race = round_.race
    if race is not None and old.race == race.at:
        round_.race = structs.replace(race, state="ruled", last=tuple(seats), light=None)
        round_.ruled_until = max(round_.ruled_until, at)


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


Trouble = c.SetAside | c.PutBack | c.MissPresses | c.OpenTable


def button_trouble(truth: Truth, command: Trouble, at: int) -> None:
    """A button breaks or is mended, pushes are lost, or the whole table was away for a while."""
    night, round_ = truth.night, truth.round
    race = round_.race if round_ is not None else None
    match command:
        case c.SetAside(button, fault):
            night.aside[button] = fault
            seat = seat_of(truth, button)
            if round_ is not None and race is not None and race.state in ("running", "slap_off"):
                if seat in race.racers and seat not in race.aside:
                    round_.race = structs.replace(race, aside=(*race.aside, seat))
                settle(truth.the_match(), round_, at)
                settle_slap_off(truth.the_match(), round_, at)
        case c.PutBack(button):
            night.aside.pop(button, None)
            seat = seat_of(truth, button)
            if seat is not None:
                mend(truth, seat)
        case c.MissPresses(buttons, since):
            owners = [seat_of(truth, button) for button in buttons]
            seats = tuple(seat for seat in owners if seat is not None)
            if seats:
                _gap(truth, Gap(since, command.until, seats))
        case c.OpenTable(gap_since=since):
            truth.night = Night(gaps=night.gaps, awaiting=night.awaiting)
            if since is not None:
                _gap(truth, Gap(since, at))


def _gap(truth: Truth, gap: Gap) -> None:
    """A race that is on remembers that somebody's hand may have gone unseen."""
    truth.night.gaps.append(gap)
    round_ = truth.round
    race = round_.race if round_ is not None else None
    if round_ is None or race is None or race.state not in ("running", "slap_off"):
        return
    if gap.until >= race.since:
        round_.race = structs.replace(race, gaps=(*race.gaps, gap))
