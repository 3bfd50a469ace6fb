"""Wilds: naming a colour (R9), the wild draw card (R10) and its challenge (R11)."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.model.cards import Card, Colour
from companion.referee.model.neighbours import next_seat
from companion.referee.model.rulings import Draws, Evidence
from companion.referee.sentences import refuse, say


def name_or_await(draft: Draft, seat: int, colour: Colour | None) -> None:
    """R9. The player of a wild names the colour, now or in a moment; the current one is allowed."""
    if colour is None:
        draft.add(e.ColourAwaited(seat))
    else:
        draft.add(e.ColourNamed(colour))


def name_colour(draft: Draft, command: c.NameColour) -> None:
    """Name the colour of the wild on top, or another one; whatever else is on goes on."""
    round_ = draft.playing
    if not wild_on_top(draft):
        raise refuse("no_colour_open", "R9")
    first = next_seat(round_, round_.dealer)
    seat = round_.turns[-1].seat if round_.turns else first
    draft.step("step_name_colour", name=draft.who(round_.chooser or seat), colour=command.colour)
    draft.enter(command)
    draft.add(e.ColourNamed(command.colour))


def wild_on_top(draft: Draft) -> bool:
    """Whether there is a wild whose colour can be named, or named otherwise."""
    top = draft.round.top
    return top is not None and draft.edition.face(top).wild


def hit_with_wild_draw(draft: Draft, seat: int, card: Card, evidence: Evidence) -> None:
    """R10. The next player draws and misses the turn, and may challenge."""
    face = draft.edition.face(card)
    victim = next_seat(draft.round, seat)
    sentence = say("hit", name=draft.who(victim), cards=face.draws, card=card, title=face.title)
    ruling = draft.rule(
        "R10",
        "hit",
        sentence,
        seats=(victim,),
        draws=(Draws(victim, face.draws),),
        evidence=evidence,
    )
    draft.add(e.ChallengeOpened(seat, victim, face.draws, ruling, last_card=False))
    draft.add(e.TurnMoved(next_seat(draft.round, victim)))


def challenge(draft: Draft, command: c.Challenge) -> None:
    """R11. A guilty player draws instead; a wrong challenge costs the cards and two more.

    A wild draw card is guilty when its player held another card of the colour in play, so one
    that was the last card in the hand never is.
    """
    opened = draft.round.challenge
    if opened is None:
        raise refuse("no_challenge", "R11")
    accused, victim = draft.who(opened.accused), draft.who(opened.victim)
    if command.guilty and opened.last_card:
        raise refuse("last_card_innocent", "R11", name=accused)
    draft.step("step_challenge", name=victim)
    draft.enter(command)
    judge_challenge(draft, guilty=command.guilty)


def judge_challenge(draft: Draft, *, guilty: bool) -> None:
    """R11. Let the one who was wrong draw."""
    opened = draft.round.challenge
    assert opened is not None
    accused, victim = draft.who(opened.accused), draft.who(opened.victim)
    for debt in draft.round.debts:
        if debt.ruling == opened.ruling:
            draft.add(e.DebtForgiven(debt.number))
    draft.add(e.ChallengeClosed())
    if not guilty:
        cards = opened.cards + draft.edition.innocent_extra
        sentence = say("innocent", name=victim, accused=accused, cards=cards)
        draws = (Draws(opened.victim, cards),)
        draft.rule("R11", "innocent", sentence, seats=(opened.victim,), draws=draws)
        return
    sentence = say("guilty", name=accused, cards=opened.cards)
    draft.rule(
        "R11",
        "guilty",
        sentence,
        seats=(opened.accused,),
        draws=(Draws(opened.accused, opened.cards),),
        house=("guilty_gives_turn_back",),
    )
    if draft.house.guilty_gives_turn_back:
        draft.add(e.TurnMoved(opened.victim))
