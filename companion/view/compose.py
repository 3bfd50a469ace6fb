"""The whole view, put together from the table."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from companion.referee.model.cards import colour_of, face_of
from companion.referee.model.edition import Edition
from companion.referee.model.questions import Question
from companion.referee.model.table import Match, Round, Seat, Table, marks, names_at
from companion.referee.sentences import Sentence
from companion.referee.undoing import hands_to_take_back
from companion.view.next_step import claim_looked_at, next_step
from companion.view.racing import race_to_show
from companion.view.scoresheet import count, match_shown
from companion.view.shape import (
    CardShown,
    EditionShown,
    MatchShown,
    Phase,
    QuestionShown,
    RaceShown,
    RoundInPlay,
    SeatShown,
    TurnShown,
    Uno,
    View,
)

RULINGS_SHOWN = 12
TURNS_SHOWN = 12


def view(table: Table, phones: Collection[int] = ()) -> View:
    """Show the table as it stands, and which of its players have paired a phone.

    Pairing is no matter of the game, so the table itself does not know of phones.
    """
    game = table.game
    match = game.match
    round_ = match.round if match else None
    sheet = match_shown(game, match) if match else None
    on_phones = frozenset(seat.number for seat in game.seats if seat.player in phones)
    race, waited_for, slapped = race_to_show(round_, on_phones)
    phase = _phase(match, sheet)
    held = marks(game.seats)
    seats = tuple(
        _seat_shown(
            table,
            seat,
            round_,
            sheet,
            race,
            racing=seat.number in waited_for,
            slapped=seat.number in slapped,
            phone=seat.number in on_phones,
            mark=held[seat.number],
        )
        for seat in game.seats
    )
    step = next_step(table, phase, race, waited_for)
    return View(
        version=table.version,
        phase=phase,
        step=step.word,
        next=step.sentence,
        setup=game.setup,
        editions=_editions_shown(table.editions),
        seats=seats,
        awaiting_button=table.awaiting_button,
        match=sheet,
        round=_round_in_play(table, match, round_) if match and round_ else None,
        debts=round_.debts if round_ else (),
        uno=_uno(round_),
        race=race,
        questions=tuple(map(_question_shown, round_.questions)) if round_ else (),
        without_button=_without_button(match, phase, seats),
        rulings=tuple(reversed(match.rulings[-RULINGS_SHOWN:])) if match else (),
        undo=_undo(table),
        redo=table.future.label if table.future else None,
        names=names_at(table),
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
    racing: bool,
    slapped: bool,
    phone: bool,
    mark: int,
) -> SeatShown:
    number = seat.number
    player = next((p for p in sheet.players if p.player == seat.player), None) if sheet else None
    debts = [debt for debt in round_.debts if debt.seat == number] if round_ else []
    window = round_.calls.window if round_ else None
    called_now = window is not None and window.seat == number and window.call is not None
    counted = round_ is not None and round_.way == "refereed"
    return SeatShown(
        number=number,
        player=seat.player,
        name=seat.name,
        button=seat.button,
        aside=table.aside.get(seat.button) if seat.button is not None else None,
        playing=round_ is not None and number in round_.seats,
        scored=round_ is not None and number in (*round_.seats, *round_.gone),
        turn=round_ is not None and round_.turn == number and round_.out is None,
        dealer=sheet is not None and sheet.dealer == number,
        hand=round_.hands.get(number) if round_ and counted else None,
        owes=sum(debt.cards for debt in debts),
        called=called_now or (round_ is not None and number in round_.calls.called),
        on_one=counted and window is not None and window.seat == number,
        racing=racing,
        slapped=slapped,
        last=race is not None
        and race.ruling is not None
        and any(debt.ruling == race.ruling for debt in debts),
        out=round_ is not None and round_.out == number,
        classic=player.classic if player else None,
        alternative=player.alternative if player else None,
        handicap=seat.handicap,
        phone=phone,
        press_again=round_ is not None and number in round_.calls.again,
        asked=round_ is not None and any(number in one.asked_seats for one in round_.questions),
        usable=seat.button is not None and seat.button not in table.aside,
        mark=mark,
    )


def _without_button(
    match: Match | None, phase: Phase, seats: tuple[SeatShown, ...]
) -> tuple[int, ...]:
    """Name who could not press anything, while there is time to do something about it."""
    if match is None or match.rounds or phase not in ("deal", "between", "first_card"):
        return ()
    return tuple(seat.number for seat in seats if not seat.usable and not seat.phone)


def _round_in_play(table: Table, match: Match, round_: Round) -> RoundInPlay:
    missing, preview = count(table.game, match, round_)
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
        missing_hands=missing,
        preview=preview,
        turns=tuple(
            TurnShown(turn.number, turn.seat, turn.card, turn.left)
            for turn in round_.turns[-TURNS_SHOWN:]
        ),
    )


def _uno(round_: Round | None) -> Uno | None:
    """Show the catch that is being looked at, else who may be caught."""
    if round_ is None:
        return None
    if round_.claims and (claim := claim_looked_at(round_)):
        return Uno(claim.seat, claim.call, claim.catch)
    window = round_.calls.window
    return None if window is None else Uno(window.seat, window.call, None)


def _question_shown(question: Question) -> QuestionShown:
    return QuestionShown(
        number=question.number,
        kind=question.kind,
        sentence=question.sentence,
        at=question.at,
        choices=question.choices,
        seats=question.asked_seats,
        until=question.until,
    )


def _undo(table: Table) -> Sentence | None:
    """Say what undo would take back: what hands have just done, else the last step."""
    hands = hands_to_take_back(table)
    if hands is not None:
        return hands[0]
    return table.past.label if table.past else None


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
