"""How ghosts end a round: hands are laid open, counted, miscounted, and put on the sheet."""

from __future__ import annotations

from collections import Counter

from msgspec import structs

from companion.referee import commands as c
from companion.referee.commands import Hand
from companion.referee.model.cards import Card
from tests.simulation.ghost.ghost import Ghost
from tests.simulation.ghost.plays import deciding
from tests.simulation.ghost.plays.racing import ms
from tests.simulation.ghost.sheet import worth
from tests.simulation.ghost.truth import Round, Scored


def act(ghost: Ghost) -> None:
    """Do the next thing that the end of a round needs."""
    round_ = ghost.round
    if round_.race is not None and round_.race.state == "undecided":
        deciding.tend(ghost, round_.race)
        return
    ghost.wait(ms(ghost, 100, 1_500))
    if round_.doubted is not None and ghost.chance(ghost.temper.nonsense * 8):
        ghost.say(c.Challenge(guilty=True))
    if round_.doubted is not None and ghost.chance(ghost.temper.doubt):
        ghost.say(c.Challenge(guilty=False))
        return
    if round_.debts and ghost.chance(ghost.temper.tick / 2):
        ghost.say(c.Drawn(ghost.luck.choice(ghost.oracle.handles)[0]))
        return
    hands = (*round_.seats, *round_.gone)
    missing = [s for s in hands if s != round_.out and s not in round_.counts]
    if missing and ghost.chance(0.97):
        _count(ghost, round_, ghost.luck.choice(missing))
    elif not missing and ghost.chance(ghost.temper.miscount / 2):
        ghost.say(c.ClearHand(ghost.luck.choice(list(round_.counts))))
    else:
        ghost.say(c.ScoreRound())


def hand_of(round_: Round, seat: int) -> Hand:
    """What will lie open once the seat has drawn what it owes."""
    felt = round_.felt.copy()
    for debt in round_.debts:
        if debt.seat == seat:
            felt.take(seat, debt.cards)
    return {Card(card): copies for card, copies in Counter(felt.hands[seat]).items()}


def _count(ghost: Ghost, round_: Round, seat: int) -> None:
    hand = hand_of(round_, seat)
    if ghost.chance(ghost.temper.lazy):
        points = sum(worth(card) * copies for card, copies in hand.items())
        ghost.say(c.EnterPoints(seat, points))
        return
    if ghost.chance(ghost.temper.miscount):
        _miscount(ghost, seat, hand)
    refused = ghost.say(c.EnterHand(seat, hand))
    if refused is not None and refused.insist:
        ghost.say(c.EnterHand(seat, hand, confirm=True))


def _miscount(ghost: Ghost, seat: int, hand: Hand) -> None:
    """Enter a hand wrong in one of the ways in which people do."""
    deck = ghost.match.sheet.copies
    card = Card(ghost.luck.choice(list(deck)))
    wrong = dict(hand)
    match ghost.luck.randrange(5):
        case 0:
            wrong[card] = deck[card] + 1
        case 1:
            wrong[card] = wrong.get(card, 0) + 1
        case 2 if wrong:
            wrong.pop(ghost.luck.choice(list(wrong)))
        case 3 if wrong:
            copies = wrong.pop(ghost.luck.choice(list(wrong)))
            wrong[Card(ghost.round.felt.top)] = copies
        case _:
            wrong[Card("purple-7")] = 1
    refused = ghost.say(c.EnterHand(seat, wrong))
    if refused is not None and refused.insist and ghost.chance(0.3):
        ghost.say(c.EnterHand(seat, wrong, confirm=True))


def edit_old_round(ghost: Ghost) -> None:
    """Find that an earlier round was written down wrong."""
    scored = ghost.luck.choice(ghost.match.scored)
    others = list(scored.counts)
    player = ghost.luck.choice(others)
    match ghost.luck.randrange(4):
        case 0:
            points = {player: ghost.luck.randint(0, 120)}
            ghost.say(c.EditRound(scored.number, points=points))
        case 1:
            hand = {Card(ghost.luck.choice(list(ghost.match.sheet.copies))): 1}
            edit = c.EditRound(scored.number, hands={player: hand})
            refused = ghost.say(edit)
            if refused is not None and refused.insist:
                ghost.say(structs.replace(edit, confirm=True))
        case 2:
            _change_who_went_out(ghost, scored, player)
        case _:
            hand = {Card("red-0"): ghost.luck.choice((1, 3))}
            ghost.say(c.EditRound(scored.number, hands={player: hand, scored.out: hand}))


def _change_who_went_out(ghost: Ghost, scored: Scored, player: int) -> None:
    points = {scored.out: ghost.luck.randint(0, 60)}
    if ghost.chance(0.2):
        points = {}
    ghost.say(c.EditRound(scored.number, out=player, points=points))
