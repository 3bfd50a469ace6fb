"""Write down who sits where, what is played, and when a match begins and ends."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply.evidence import usable_again
from companion.referee.apply.parts import with_game, with_match
from companion.referee.model.table import Entrant, Game, Match, Seat, Stint, Table


def fold_seating(table: Table, event: e.SeatingEvent) -> Table:
    """Write down an event of the seats or of the match as a whole."""
    match event:
        case e.SeatTaken():
            players = max(table.players, event.player)
            game = _sit(table.game, event)
            return replace(table, game=game, awaiting_button=None, players=players)
        case e.SeatLeft(seat):
            return replace(table, game=_leave(table.game, seat))
        case e.PlayerRenamed(seat, name):
            return replace(table, game=_rename(table.game, seat, name))
        case e.SeatsSwapped(seat, other):
            return replace(table, game=_change_places(table.game, seat, other))
        case e.HandicapSet(seat, handicap):
            return with_game(table, seats=_with_handicap(table.game.seats, seat, handicap))
        case e.MarkChosen(seat, mark):
            seats = tuple(
                replace(s, mark=mark) if s.number == seat else s for s in table.game.seats
            )
            return with_game(table, seats=seats)
        case e.ButtonAwaited(seat):
            return replace(table, awaiting_button=seat)
        case e.ButtonAssigned(seat, button, at):
            seats = tuple(_with_button(s, seat, button) for s in table.game.seats)
            table = replace(with_game(table, seats=seats), awaiting_button=None)
            return usable_again(table, at, seat) if button not in table.aside else table
        case e.TableSetUp(setup):
            return with_game(table, setup=setup)
        case e.MatchStarted():
            step = table.past if event.as_step else None
            past = None if step is None else replace(step, below=None)
            return replace(_start(table, event), past=past, future=None)
        case e.DealTied(seats_):
            return with_match(table, deal_tied=seats_)
        case e.DealerNamed(seat):
            return with_match(table, dealer=seat, dealer_chosen=True, deal_tied=())
        case e.WaySwitched(way):
            return with_match(table, way=way)
        case e.PlayedOn():
            return with_match(table, playing_on=True)
        case e.MatchClosed():
            return with_game(table, match=None)
        case _:
            assert_never(event)


def _sit(game: Game, event: e.SeatTaken) -> Game:
    seat = Seat(event.seat, event.player, event.name, event.button)
    seats = tuple(sorted((*game.seats, seat), key=lambda s: s.number))
    match_ = game.match
    if match_ is not None:
        match_ = replace(match_, entrants=_with_entrant(match_, event))
    return replace(game, seats=seats, match=match_)


def _leave(game: Game, number: int) -> Game:
    match_ = game.match
    if match_ is not None:
        gone = game.seat(number)
        rounds = len(match_.rounds)
        entrants = tuple(
            _until(en, rounds) if gone is not None and en.player == gone.player else en
            for en in match_.entrants
        )
        tied = tuple(seat for seat in match_.deal_tied if seat != number)
        match_ = replace(match_, entrants=entrants, deal_tied=tied if len(tied) > 1 else ())
    return replace(game, seats=tuple(s for s in game.seats if s.number != number), match=match_)


def _rename(game: Game, number: int, name: str) -> Game:
    seats = tuple(replace(s, name=name) if s.number == number else s for s in game.seats)
    renamed = {s.player for s in seats if s.number == number}
    match_ = game.match
    if match_ is not None:
        entrants = tuple(
            replace(en, name=name) if en.player in renamed else en for en in match_.entrants
        )
        match_ = replace(match_, entrants=entrants)
    return replace(game, seats=seats, match=match_)


def _with_entrant(match_: Match, event: e.SeatTaken) -> tuple[Entrant, ...]:
    """A player who comes back goes on as the same entrant."""
    stint = Stint(len(match_.rounds), start=event.start)
    if all(entrant.player != event.player for entrant in match_.entrants):
        return (*match_.entrants, Entrant(event.player, event.name, (stint,)))
    return tuple(
        replace(en, stints=(*en.stints, stint)) if en.player == event.player else en
        for en in match_.entrants
    )


def _until(entrant: Entrant, rounds: int) -> Entrant:
    last = replace(entrant.stints[-1], left=rounds)
    return replace(entrant, stints=(*entrant.stints[:-1], last))


def _change_places(game: Game, one: int, other: int) -> Game:
    match_ = game.match
    if match_ is not None:
        moved = {one: other, other: one}
        tied = tuple(sorted(moved.get(seat, seat) for seat in match_.deal_tied))
        match_ = replace(match_, deal_tied=tied)
    return replace(game, seats=_swap(game.seats, one, other), match=match_)


def _swap(seats: tuple[Seat, ...], one: int, other: int) -> tuple[Seat, ...]:
    by_number = {s.number: s for s in seats}
    first, second = by_number[one], by_number.get(other)
    if second is None:
        by_number[one] = replace(first, number=other)
    else:
        by_number[one] = replace(second, number=one, button=first.button)
        by_number[other] = replace(first, number=other, button=second.button)
    return tuple(sorted(by_number.values(), key=lambda s: s.number))


def _with_handicap(seats: tuple[Seat, ...], number: int, handicap: int) -> tuple[Seat, ...]:
    return tuple(replace(s, handicap=handicap) if s.number == number else s for s in seats)


def _with_button(seat: Seat, number: int, button: int) -> Seat:
    if seat.number == number:
        return replace(seat, button=button)
    return replace(seat, button=None) if seat.button == button else seat


def _start(table: Table, event: e.MatchStarted) -> Table:
    match_ = Match(
        number=event.match,
        edition=event.edition,
        scoring=event.scoring,
        way=event.way,
        house=event.house,
        entrants=tuple(Entrant(s.player, s.name, (Stint(0),)) for s in table.game.seats),
    )
    return replace(with_game(table, match=match_, matches=event.match), evidence=())
