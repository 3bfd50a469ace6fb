"""A turn in refereed play: R5 to R8, and what happens when the referee records a card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.model.cards import Card, Colour, colour_of, face_of
from companion.referee.model.edition import Edition, Face
from companion.referee.model.neighbours import next_seat
from companion.referee.model.rulings import Draws, LaidCard
from companion.referee.model.table import Round, Turn
from companion.referee.rules.deck import check_card, draw_cards, pay_debts
from companion.referee.rules.going_out import empty_hand, end_round
from companion.referee.rules.race import name_race_of_card
from companion.referee.rules.wild import hit_with_wild_draw, name_or_await
from companion.referee.sentences import Refusal, Sentence, refuse, say
from companion.referee.settling.settle import settle_turn


def goes_on(card: Card, top: Card, colour: Colour | None, edition: Edition) -> bool:
    """R5. A card goes on the top card by number, colour or symbol, and a wild on anything.

    After a wild only the colour that was named counts, so wilds match nothing by their symbol;
    until the colour is named, any card may be right.
    """
    if edition.face(card).wild or colour is None:
        return True
    return colour_of(card) == colour or face_of(card) == face_of(top)


def play(draft: Draft, command: c.Play) -> None:
    """Record a card, if it may be played or the referee insists."""
    round_ = _turn_action(draft)
    seat = draft.player_in_round(command.seat or _on_turn(round_))
    card = command.card
    check_card(draft, card)
    draft.step("step_play", name=seat.who, card=card, title=draft.title(card))
    command = replace(command, seat=seat.number)
    lay(draft, command, draft.enter(command))
    settle_turn(draft, seat.number)


def lay(draft: Draft, command: c.Play, number: int, *, lenient: bool = False) -> Refusal | None:
    """Let a seat lay a card; tell what speaks against it, where that was overlooked on purpose.

    `lenient` overlooks everything, for a card that was recorded before an earlier one was changed.
    """
    round_, edition, card, seat = draft.round, draft.edition, command.card, command.seat
    assert seat is not None
    face = edition.face(card)
    _begin_turn(draft, seat)
    if command.drawn:
        draw_cards(draft, seat, 1)
    held = draft.round
    illegal = _why_not(draft, round_, held.seen, seat, card)
    if illegal is not None and not command.insist and not lenient:
        raise illegal
    evidence = LaidCard(
        seat, card, round_.top, round_.colour, illegal.sentence if illegal else None
    )
    left = held.hands[seat] - 1
    draft.add(e.CardPlayed(Turn(number, draft.now.at, seat, left, card)))
    if illegal is not None and command.insist:
        insisted = say("insisted", name=draft.who(seat), card=card, title=edition.title(card))
        draft.rule("R5", "insisted", insisted, seats=(seat,), evidence=evidence)
    if command.last:
        empty_hand(draft, seat)
    if command.last or left <= 0:
        end_round(draft, seat, card, next_seat(draft.round, seat))
        return illegal
    if face.wild:
        name_or_await(draft, seat, command.colour)
    _take_effect(draft, seat, face, evidence, number)
    return illegal


def draw(draft: Draft, command: c.Draw) -> None:
    """R5. Instead of playing, draw one card and keep it, also with a playable card in hand."""
    round_ = _turn_action(draft)
    seat = draft.player_in_round(command.seat or _on_turn(round_))
    if seat.number != round_.turn:
        raise refuse("not_your_turn", "R5", name=seat.who, other=draft.who(_on_turn(round_)))
    draft.step("step_draw", name=seat.who)
    draw_one(draft, seat.number, draft.enter(c.Draw(seat.number)))
    settle_turn(draft, seat.number)


def draw_one(draft: Draft, seat: int, number: int) -> None:
    """Let a seat draw a card and keep it."""
    _begin_turn(draft, seat)
    draw_cards(draft, seat, 1)
    draft.add(e.CardKept(Turn(number, draft.now.at, seat, draft.round.hands[seat])))
    _pass_turn(draft, seat)


def _take_effect(draft: Draft, seat: int, face: Face, evidence: LaidCard, number: int) -> None:
    match face.act:
        case "number" | "wild":
            _pass_turn(draft, seat)
        case "draw":
            next_draws(draft, seat, evidence.card, evidence)
        case "reverse":
            reverse(draft, seat, evidence)
        case "skip":
            skip(draft, seat, evidence)
        case "wild_draw":
            hit_with_wild_draw(draft, seat, evidence.card, evidence)
        case "race":
            _pass_turn(draft, seat)
            name_race_of_card(draft, seat, number)
        case _:
            assert_never(face.act)


def next_draws(draft: Draft, seat: int, card: Card, evidence: LaidCard) -> None:
    """R6. The next player draws what the coloured draw card says and misses the turn."""
    face = draft.edition.face(card)
    victim = next_seat(draft.round, seat)
    sentence = say("hit", name=draft.who(victim), cards=face.draws, card=card, title=face.title)
    draws = (Draws(victim, face.draws),)
    draft.rule("R6", "hit", sentence, seats=(victim,), draws=draws, evidence=evidence)
    _pass_turn(draft, victim)


def reverse(draft: Draft, seat: int, evidence: LaidCard) -> None:
    """R7. The direction turns; with two players that changes nothing, or by house rule skips."""
    draft.add(e.DirectionTurned(-draft.round.direction))
    two = len(draft.round.seats) == 2
    used = ("reverse_skips_for_two",) if two else ()
    if two and draft.house.reverse_skips_for_two:
        other = next_seat(draft.round, seat)
        sentence = say("skipped", name=draft.who(other))
        draft.rule("R7", "skipped", sentence, seats=(other,), house=used, evidence=evidence)
        _pass_turn(draft, other)
        return
    draft.rule("R7", "reversed", say("reversed"), house=used, evidence=evidence)
    _pass_turn(draft, seat)


def skip(draft: Draft, seat: int, evidence: LaidCard) -> None:
    """R8. The next player loses the turn."""
    skipped = next_seat(draft.round, seat)
    sentence = say("skipped", name=draft.who(skipped))
    draft.rule("R8", "skipped", sentence, seats=(skipped,), evidence=evidence)
    _pass_turn(draft, skipped)


def _why_not(
    draft: Draft, round_: Round, seen: Mapping[Card, int], seat: int, card: Card
) -> Refusal | None:
    """Find what forbids this card, if anything does.

    Whether a copy is left is asked of the piles as they are by now: what was drawn in this very
    turn may have come out of the discard pile.
    """
    edition = draft.edition
    if seat != round_.turn:
        other = draft.who(_on_turn(round_))
        return refuse("not_your_turn", "R5", insist=True, name=draft.who(seat), other=other)
    assert round_.top is not None
    if not goes_on(card, round_.top, round_.colour, edition):
        sentence = may_play(card, round_.top, round_.colour, edition)
        return Refusal(sentence, "R5", insist=True)
    copies = edition.deck[card]
    if seen.get(card, 0) >= copies:
        title = edition.title(card)
        return refuse("all_played", "R1", insist=True, card=card, title=title, copies=copies)
    return None


def may_play(card: Card, top: Card, colour: Colour | None, edition: Edition) -> Sentence:
    """Answer "may I play this?" for somebody who looks it up."""
    title, on = edition.title(card), edition.title(top)
    shown = colour or "none"
    if edition.face(card).act == "wild_draw":
        return say("may_play_wild_draw", card=card, title=title, colour=shown)
    if goes_on(card, top, colour, edition):
        return say("may_play", card=card, title=title, top=top, on=on)
    return say("does_not_match", card=card, title=title, top=top, on=on, colour=shown)


def _turn_action(draft: Draft) -> Round:
    """Refuse what cannot be recorded yet; an open colour or an open race holds nothing up."""
    round_ = draft.playing
    if round_.way != "refereed":
        raise refuse("free_play")
    if round_.top is None:
        raise refuse("no_first_card", "R3")
    return round_


def _begin_turn(draft: Draft, seat: int) -> None:
    """A turn that begins ends the time to challenge, and takes debts as drawn."""
    round_ = draft.round
    if round_.challenge is not None:
        draft.add(e.ChallengeClosed())
    if round_.debts:
        pay_debts(draft, seat)


def _on_turn(round_: Round) -> int:
    assert round_.turn is not None
    return round_.turn


def _pass_turn(draft: Draft, seat: int) -> None:
    """It is the turn of the player who follows this seat."""
    draft.add(e.TurnMoved(next_seat(draft.round, seat)))
