"""Somebody says that a player has no cards left, and what speaks against it."""

from __future__ import annotations

from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee.draft import Draft
from companion.referee.model.table import Logged, Round
from companion.referee.rules.change_play import replay
from companion.referee.rules.deck import check_card
from companion.referee.rules.going_out import say_out
from companion.referee.sentences import refuse, say
from companion.referee.settling.settle import settle


def go_out(draft: Draft, command: c.GoOut) -> None:
    """Record who has no cards left; a last card that was recorded already is the last one now."""
    round_ = draft.playing
    seat = draft.player_in_round(command.seat)
    if command.card is not None:
        check_card(draft, command.card)
    refereed = round_.way == "refereed"
    laid = _laid(round_, command) if refereed else None
    if not refereed:
        _check_next(draft, command)
    elif round_.top is None:
        raise refuse("no_first_card", "R3")
    elif not command.confirm:
        _doubt(draft, round_, command.seat, laid)
    draft.step("step_go_out", name=seat.who)
    if laid is not None and isinstance(laid.command, c.Play):
        last = replace(laid, command=replace(laid.command, last=True))
        log = tuple(last if entry is laid else entry for entry in round_.log)
        replay(draft, log, say("again_out", name=seat.who))
        return
    if refereed:
        draft.enter(command)
    say_out(draft, command)
    settle(draft, say("again_record"))


def _laid(round_: Round, command: c.GoOut) -> Logged | None:
    """The entry of the last card, where it was recorded as a card like any other."""
    turn = round_.turns[-1] if round_.turns else None
    if turn is None or turn.seat != command.seat or turn.card is None:
        return None
    unsaid = command.card is None and round_.turn != command.seat
    if not unsaid and command.card != turn.card:
        return None
    return next(entry for entry in round_.log if entry.number == turn.number)


def _doubt(draft: Draft, round_: Round, seat: int, laid: Logged | None) -> None:
    """R14. Ask where the count or the turn says that this player cannot be out."""
    name = draft.who(seat)
    assert round_.turn is not None
    if laid is None and round_.turn != seat:
        other = draft.who(round_.turn)
        raise refuse("not_your_turn", "R14", insist=True, name=name, other=other)
    left = round_.hands[seat] + draft.owed(seat) - (laid is None)
    if left:
        raise refuse("out_with_cards", "R14", insist=True, name=name, cards=left)


def _check_next(draft: Draft, command: c.GoOut) -> None:
    """In free play a card that still makes somebody draw has to say whom."""
    if command.card is None or not draft.edition.face(command.card).draws_when_last:
        return
    if command.next is None or command.next == command.seat:
        raise refuse("next_unknown", "R14")
    draft.player_in_round(command.next)
