"""The whole view, put together from the table."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from companion.referee.cards import colour_of, face_of
from companion.referee.edition import Edition
from companion.referee.table import Match, Round, Seat, Table
from companion.view.next_step import next_step
from companion.view.racing import awaited, has_slapped, race_shown
from companion.view.scoresheet import match_shown, missing_hands, preview
from companion.view.shape import (
    CardShown,
    EditionShown,
    MatchShown,
    Phase,
    RaceShown,
    RoundInPlay,
    SeatShown,
    Uno,
    View,
)

RULINGS_SHOWN = 12


def view(table: Table, phones: Collection[int] = ()) -> View:
    """Show the table as it stands, and which of its players have paired a phone.

    Pairing is no matter of the game, so the table itself does not know of phones.
    """
    game = table.game
    match = game.match
    round_ = match.round if match else None
    sheet = match_shown(game, match) if match else None
    race = race_shown(round_.race, match.house) if match and round_ and round_.race else None
    phase = _phase(match, sheet)
    return View(
        version=table.version,
        phase=phase,
        next=next_step(table, phase),
        setup=game.setup,
        editions=_editions_shown(table.editions),
        seats=tuple(
            _seat_shown(table, seat, round_, sheet, race, phone=seat.player in phones)
            for seat in game.seats
        ),
        awaiting_button=table.awaiting_button,
        match=sheet,
        round=_round_in_play(table, match, round_) if match and round_ else None,
        debts=round_.debts if round_ else (),
        uno=_uno(round_),
        race=race,
        rulings=tuple(reversed(match.rulings[-RULINGS_SHOWN:])) if match else (),
        undo=table.past.label if table.past else None,
        redo=table.future.label if table.future else None,
    )


def _phase(match: Match | None, sheet: MatchShown | None) -> Phase:
    if match is None or sheet is None:
        return "seating"
    if match.round is not None:
        return _phase_of_round(match.round)
    if sheet.winners and not match.playing_on:
        return "won"
    return "deal" if match.dealer is None else "between"


def _phase_of_round(round_: Round) -> Phase:
    if round_.out is not None:
        return "hands"
    if round_.way == "refereed" and round_.top is None:
        return "first_card"
    return "play"


def _seat_shown(
    table: Table,
    seat: Seat,
    round_: Round | None,
    sheet: MatchShown | None,
    race: RaceShown | None,
    *,
    phone: bool,
) -> SeatShown:
    number = seat.number
    player = next((p for p in sheet.players if p.player == seat.player), None) if sheet else None
    debts = [debt for debt in round_.debts if debt.seat == number] if round_ else []
    window = round_.window if round_ else None
    called_now = window is not None and window.seat == number and window.call is not None
    counted = round_ is not None and round_.way == "refereed"
    return SeatShown(
        number=number,
        player=seat.player,
        name=seat.name,
        button=seat.button,
        aside=table.aside.get(seat.button) if seat.button is not None else None,
        playing=round_ is not None and number in round_.seats,
        turn=round_ is not None and round_.turn == number and round_.out is None,
        dealer=sheet is not None and sheet.dealer == number,
        hand=round_.hands.get(number) if round_ and counted else None,
        owes=sum(debt.cards for debt in debts),
        called=called_now or (round_ is not None and number in round_.calls),
        on_one=counted and window is not None and window.seat == number,
        racing=race is not None and number in awaited(race),
        slapped=race is not None and number in has_slapped(race),
        last=race is not None
        and race.ruling is not None
        and any(debt.ruling == race.ruling for debt in debts),
        out=round_ is not None and round_.out == number,
        classic=player.classic if player else None,
        alternative=player.alternative if player else None,
        handicap=seat.handicap,
        phone=phone,
    )


def _round_in_play(table: Table, match: Match, round_: Round) -> RoundInPlay:
    return RoundInPlay(
        number=round_.number,
        way=round_.way,
        seats=round_.seats,
        dealer=round_.dealer,
        direction=round_.direction,
        turn=round_.turn,
        top=round_.top,
        colour=round_.colour,
        chooser=round_.chooser,
        draw_pile=round_.draw_pile,
        discard_pile=round_.discard_pile,
        challenge=round_.challenge,
        out=round_.out,
        left=dict(round_.left),
        missing_hands=missing_hands(round_),
        preview=preview(table.game, match, round_),
        hold=None if match.edition.race_card is None else table.timing.hold,
    )


def _uno(round_: Round | None) -> Uno | None:
    if round_ is None or round_.window is None:
        return None
    return Uno(round_.window.seat, round_.window.call, round_.window.catch)


@lru_cache(maxsize=8)
def _editions_shown(editions: tuple[Edition, ...]) -> tuple[EditionShown, ...]:
    """Editions hardly ever change, and their cards are the largest part of the view."""
    return tuple(_edition_shown(edition) for edition in editions)


def _edition_shown(edition: Edition) -> EditionShown:
    cards = tuple(
        CardShown(
            card=card,
            title=edition.face(card).title,
            face=face_of(card),
            colour=colour_of(card),
            copies=copies,
            points=edition.face(card).points,
            act=edition.face(card).act,
            draws=edition.face(card).draws,
            draws_when_last=edition.face(card).draws_when_last,
        )
        for card, copies in edition.deck.items()
    )
    return EditionShown(
        key=edition.key,
        name=edition.name,
        target=edition.target,
        dealt=edition.dealt,
        size=edition.size,
        race=edition.race_card is not None,
        cards=cards,
    )
