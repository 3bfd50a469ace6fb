"""Debts ticked or forgiven, rulings overruled, and what the companion believes set right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.model.cards import Card, colour_of
from companion.referee.model.rulings import Draws
from companion.referee.model.table import Debt, Round
from companion.referee.rules.deck import check_card, close_challenge, pay
from companion.referee.sentences import refuse, say
from companion.referee.settling.settle import settle


def drawn(draft: Draft, command: c.Drawn) -> None:
    """Tick a debt: the cards were drawn."""
    debt = _debt(draft, command.debt)
    draft.step("step_drawn", name=draft.who(debt.seat), cards=debt.cards)
    _enter(draft, command, debt.seat)
    pay(draft, debt)
    settle(draft, say("again_record"))


def forgive(draft: Draft, command: c.Forgive) -> None:
    """Let a debt go."""
    debt = _debt(draft, command.debt)
    draft.step("step_forgive", name=draft.who(debt.seat), cards=debt.cards)
    _enter(draft, command, debt.seat)
    draft.add(e.DebtForgiven(debt.number))
    close_challenge(draft, debt.ruling)


def overrule(draft: Draft, command: c.Overrule) -> None:
    """Replace the consequence of a ruling by the referee's own."""
    ruling = next((r for r in draft.match.rulings if r.number == command.ruling), None)
    if ruling is None or ruling.overruled is not None:
        raise refuse("no_such_ruling", ruling=command.ruling)
    seats = tuple(sorted(set(command.seats)))
    for seat in seats:
        draft.player_in_round(seat)
    if bool(seats) != bool(command.draws):
        raise refuse("overrule_unclear")
    draft.step("step_overrule", rule=ruling.rule)
    names = draft.who(*seats)
    by = say("overruled", names=names, cards=command.draws) if seats else say("overruled_nobody")
    draws = tuple(Draws(seat, command.draws) for seat in seats)
    new = draft.ruling(ruling.rule, "overruled", by, seats, draws)
    draft.overrule(ruling.number, by, new)
    if draft.match.round is not None:
        close_challenge(draft, ruling.number)
        _leave_to_the_referee(draft, ruling.number, new.number)


def _leave_to_the_referee(draft: Draft, number: int, new: int) -> None:
    """What the referee has overruled stays so: no reading gives another ruling for it."""
    for race in draft.round.races:
        if race.ruling == number:
            draft.add(e.RaceRead(replace(race, ruling=new), race.key))
    for claim in draft.round.claims:
        if claim.ruling == number:
            draft.add(e.ClaimRead(replace(claim, ruling=new)))
    settle(draft, say("again_record"))


def correct(draft: Draft, command: c.Correct) -> None:
    """Set right what the companion believes of a refereed round; no card appears or vanishes."""
    round_ = draft.playing
    if round_.way != "refereed":
        raise refuse("free_play")
    if round_.top is None:
        raise refuse("no_first_card", "R3")
    draft.step("step_correct")
    draft.enter(command)
    set_right(draft, command)
    settle(draft, say("again_record"))


def set_right(draft: Draft, command: c.Correct) -> None:
    """Let the round be as a correction says, where hands and piles still add up."""
    round_ = draft.round
    assert round_.top is not None
    hands = dict(round_.hands)
    for seat, count in (command.hands or {}).items():
        draft.player_in_round(seat)
        hands[seat] = count
    if command.turn is not None:
        draft.player_in_round(command.turn)
    if command.top is not None:
        check_card(draft, command.top)
    change = sum(hands.values()) - sum(round_.hands.values())
    draw_pile = round_.draw_pile - change if command.draw_pile is None else command.draw_pile
    discard_pile = draft.edition.size - sum(hands.values()) - draw_pile
    if draw_pile < 0 or discard_pile < 1:
        raise refuse("cards_do_not_add_up", "R1", size=draft.edition.size)
    if any(count < 1 for count in hands.values()):
        raise refuse("hand_cannot_be_empty", "R14")
    top = command.top or round_.top
    seen = _seen(draft, top, discard_pile)
    colour = command.colour
    if colour is None:
        face = draft.edition.face(top)
        same = command.top is None
        colour = round_.colour if same or face.wild else colour_of(top)
    draft.add(
        e.RoundCorrected(
            hands=hands,
            turn=command.turn or round_.turn,
            direction=command.direction or round_.direction,
            top=top,
            colour=colour,
            draw_pile=draw_pile,
            discard_pile=discard_pile,
            seen=seen,
            left=_counted_wrong(round_, command.hands or {}),
        )
    )


def _counted_wrong(round_: Round, hands: Mapping[int, int]) -> Mapping[int, int]:
    """R13. The latest cards of these seats left other counts than was believed.

    Where somebody has drawn since then, a count of now says nothing of that moment.
    """
    latest = {turn.seat: turn for turn in round_.turns}
    return {
        turn.number: count
        for seat, count in hands.items()
        if (turn := latest.get(seat)) is not None
        and turn.card is not None
        and turn.left != count
        and max(round_.drew_at.get(seat, (0,))) <= turn.at
    }


def _seen(draft: Draft, top: Card, discard_pile: int) -> Mapping[Card, int]:
    """What can be known of a discard pile of this size under this top card.

    Where it cannot hold what was seen, it was shuffled without anybody saying so.
    """
    seen = Counter(draft.round.seen)
    seen[draft.round.top or top] -= 1
    seen[top] += 1
    seen = +seen
    deck = draft.edition.deck
    if seen.total() > discard_pile or any(seen[card] > deck[card] for card in seen):
        return {top: 1}
    return dict(seen)


def _enter(draft: Draft, command: c.Drawn | c.Forgive, seat: int) -> None:
    """Put a debt that was ticked into the log of a refereed round."""
    if draft.round.way == "refereed":
        draft.enter(command, seat)


def _debt(draft: Draft, number: int) -> Debt:
    for debt in draft.round.debts:
        if debt.number == number:
            return debt
    raise refuse("no_such_debt", debt=number)
