"""Wilds: naming a colour (R9), the wild draw card (R10) and its challenge (R11)."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.cards import Card, Colour
from companion.referee.draft import Draft
from companion.referee.order import next_seat
from companion.referee.rulings import Draws, Evidence
from companion.referee.sentences import refuse, say


def name_or_await(draft: Draft, seat: int, colour: Colour | None) -> None:
    """R9. The player of a wild names the colour, now or in a moment; the current one is allowed."""
    if colour is None:
        draft.add(e.ColourAwaited(seat))
    else:
        draft.add(e.ColourNamed(colour))


def name_colour(draft: Draft, command: c.NameColour) -> None:
    """Name the colour that is still open."""
    chooser = draft.playing.chooser
    if chooser is None:
        raise refuse("no_colour_open", "R9")
    draft.step("step_name_colour", name=draft.name(chooser), colour=command.colour)
    draft.add(e.ColourNamed(command.colour))


def hit_with_wild_draw(draft: Draft, seat: int, card: Card, evidence: Evidence) -> None:
    """R10. The next player draws and misses the turn, and may challenge."""
    face = draft.edition.face(card)
    victim = next_seat(draft.round, seat)
    sentence = say("hit", name=draft.name(victim), cards=face.draws, card=card, title=face.title)
    ruling = draft.rule(
        "R10",
        sentence,
        seats=(victim,),
        draws=(Draws(victim, face.draws),),
        evidence=evidence,
    )
    draft.add(e.ChallengeOpened(seat, victim, face.draws, ruling, last_card=False))
    draft.add(e.TurnMoved(next_seat(draft.round, victim), draft.now.at))


def challenge(draft: Draft, command: c.Challenge) -> None:
    """R11. A guilty player draws instead; a wrong challenge costs the cards and two more.

    A wild draw card is guilty when its player held another card of the colour in play, so one
    that was the last card in the hand never is.
    """
    opened = draft.round.challenge
    if opened is None:
        raise refuse("no_challenge", "R11")
    accused, victim = draft.name(opened.accused), draft.name(opened.victim)
    if command.guilty and opened.last_card:
        raise refuse("last_card_innocent", "R11", name=accused)
    draft.step("step_challenge", name=victim)
    for debt in draft.round.debts:
        if debt.ruling == opened.ruling:
            draft.add(e.DebtForgiven(debt.number))
    draft.add(e.ChallengeClosed())
    if not command.guilty:
        cards = opened.cards + draft.edition.innocent_extra
        sentence = say("innocent", name=victim, accused=accused, cards=cards)
        draft.rule("R11", sentence, seats=(opened.victim,), draws=(Draws(opened.victim, cards),))
        return
    sentence = say("guilty", name=accused, cards=opened.cards)
    draft.rule(
        "R11",
        sentence,
        seats=(opened.accused,),
        draws=(Draws(opened.accused, opened.cards),),
        house=("guilty_gives_turn_back",),
    )
    if draft.house.guilty_gives_turn_back:
        draft.add(e.TurnMoved(opened.victim, draft.now.at))
