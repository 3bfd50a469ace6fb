"""Sitting down, standing up, and what the next match will be."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.model.names import tidy
from companion.referee.model.neighbours import next_seat
from companion.referee.model.presses import MILLISECOND
from companion.referee.model.table import Setup, marks
from companion.referee.rules.dealing import dealer_now
from companion.referee.rules.deck import pay_debts
from companion.referee.rules.race import refuse_if_open
from companion.referee.rules.scoring import late_start
from companion.referee.sentences import refuse, say
from companion.referee.settling.settle import settle

SEATS = range(1, 11)
LONGEST_NAME = 24
LARGEST_HANDICAP = 2_000
"""In milliseconds: more than that would outrun a whole table of grown-ups."""


def sit(draft: Draft, command: c.Sit) -> None:
    """Take a seat; between rounds of a match too."""
    _between_rounds(draft)
    most = draft.game.match.house if draft.game.match else draft.game.setup.house
    if len(draft.game.seats) >= most.most_players:
        raise refuse("table_full", most=most.most_players)
    number = _free_seat(draft, command.seat)
    if command.button is not None:
        _free_button(draft, command.button)
    name = _new_name(draft, command.name) if command.name.strip() else _stand_in(draft)
    player = _player(draft, name)
    draft.step("step_sit", name=(player,))
    start = None if draft.game.match is None else late_start(draft.game.match, player)
    draft.add(e.SeatTaken(number, player, name, command.button, start))


def stand(draft: Draft, command: c.Stand) -> None:
    """Leave the table; the points stay on the sheet."""
    seat = draft.seat(command.seat)
    match = draft.game.match
    if match is not None and match.round is not None:
        _leave_round(draft, seat.number, command)
        return
    draft.step("step_stand", name=seat.who)
    draft.add(e.SeatLeft(seat.number))


def _leave_round(draft: Draft, seat: int, command: c.Stand) -> None:
    """People. Somebody leaves in the middle of a round: the table says what becomes of the hand."""
    round_ = draft.playing
    name = draft.player_in_round(seat).who
    if command.hand is None:
        raise refuse("hand_unsaid", name=name)
    if len(round_.seats) <= 2:
        raise refuse("too_few_to_go_on")
    refuse_if_open(draft)
    counted = command.hand == "counted"
    draft.step("step_stand", name=name)
    if counted:
        pay_debts(draft, seat)
    if round_.turn == seat:
        draft.add(e.TurnMoved(next_seat(round_, seat)))
    draft.add(e.PlayerLeft(seat, counted, draft.now.at))
    if not counted:
        draft.add(e.SeatLeft(seat))
    settle(draft, say("again_record"))


def abandon_round(draft: Draft, _command: c.AbandonRound) -> None:
    """People. The round ends without a result, and nobody scores."""
    round_ = draft.round
    draft.step("step_abandon_round", number=round_.number)
    draft.add(e.RoundAbandoned())
    for seat in round_.gone:
        draft.add(e.SeatLeft(seat))


def rename(draft: Draft, command: c.Rename) -> None:
    """Change a name, at any time."""
    seat = draft.seat(command.seat)
    name = _new_name(draft, command.name, seat.name)
    draft.step("step_rename", name=seat.who)
    draft.add(e.PlayerRenamed(seat.number, name, seat.player))


def swap(draft: Draft, command: c.Swap) -> None:
    """Let two change places, or one move to an empty seat."""
    _between_rounds(draft)
    seat = draft.seat(command.seat)
    if command.other == command.seat:
        raise refuse("same_seat")
    draft.step("step_swap", name=seat.who, seat=command.other)
    draft.add(e.SeatsSwapped(command.seat, command.other))


def set_handicap(draft: Draft, command: c.SetHandicap) -> None:
    """Give a player a head start, at any time; a race that is declared keeps what held then."""
    seat = draft.seat(command.seat)
    if not 0 <= command.milliseconds <= LARGEST_HANDICAP:
        raise refuse("handicap_out_of_range", "R12", most=LARGEST_HANDICAP)
    draft.step("step_handicap", name=seat.who, ms=command.milliseconds)
    draft.add(e.HandicapSet(seat.number, command.milliseconds * MILLISECOND))


def choose_mark(draft: Draft, command: c.ChooseMark) -> None:
    """Give a player the mark that they like best; two who want the same one change."""
    seat = draft.seat(command.seat)
    held = marks(draft.game.seats)
    if held[seat.number] == command.mark:
        raise refuse("same_mark")
    draft.step("step_mark", name=seat.who)
    for number, mark in held.items():
        if mark == command.mark:
            draft.add(e.MarkChosen(number, held[seat.number]))
    draft.add(e.MarkChosen(seat.number, command.mark))


def assign_button(draft: Draft, command: c.AssignButton) -> None:
    """Give a seat another button, now or at the next press of a free one."""
    seat = draft.seat(command.seat)
    if command.button is None:
        draft.add(e.ButtonAwaited(seat.number))
        return
    draft.step("step_button", name=seat.who, button=command.button)
    draft.add(e.ButtonAssigned(seat.number, command.button, draft.now.at))


def set_up(draft: Draft, command: c.SetUp) -> None:
    """Choose what the next match is played by."""
    if draft.game.match is not None:
        raise refuse("match_on")
    setup = draft.game.setup
    if command.edition is not None and draft.table.edition(command.edition) is None:
        known = ", ".join(edition.key for edition in draft.table.editions)
        raise refuse("unknown_edition", edition=command.edition[:40], known=known)
    draft.step("step_set_up")
    draft.add(
        e.TableSetUp(
            Setup(
                edition=command.edition or setup.edition,
                scoring=command.scoring or setup.scoring,
                way=command.way or setup.way,
                house=command.house or setup.house,
            )
        )
    )


def start_match(draft: Draft, _command: c.StartMatch) -> None:
    """Begin a match with everyone who sits."""
    if draft.game.match is not None:
        raise refuse("match_on")
    draft.step("step_start_match", number=draft.game.matches + 1)
    _start(draft, draft.game.setup)


def rematch(draft: Draft, _command: c.Rematch) -> None:
    """Play again with the same players and rules; the deal passes on (R20)."""
    match = draft.match
    _between_rounds(draft)
    draft.step("step_rematch")
    again = Setup(match.edition.key, match.scoring, match.way, match.house)
    draft.add(e.MatchClosed())
    _start(draft, again)
    if match.dealer is not None:
        draft.add(e.DealerNamed(dealer_now(match, draft.game.seats)))


def close_match(draft: Draft, _command: c.CloseMatch) -> None:
    """End the match, won or not."""
    draft.step("step_close_match", number=draft.match.number)
    draft.add(e.MatchClosed())


def take_free_button(draft: Draft, button: int) -> None:
    """Let a button without an owner mean something: a new player, or a spare for a seat.

    A spare takes over in one press where exactly one seat's button is broken.
    """
    table = draft.table
    broken = [seat.number for seat in table.game.seats if seat.button in table.aside]
    taker = table.awaiting_button or (broken[0] if len(broken) == 1 else None)
    if taker is not None and table.game.seat(taker) is not None:
        draft.step("step_button", name=draft.who(taker), button=button)
        draft.add(e.ButtonAssigned(taker, button, draft.now.at))
    elif table.game.match is None and len(table.game.seats) < table.game.setup.house.most_players:
        sit(draft, c.Sit(button=button))


def _start(draft: Draft, setup: Setup) -> None:
    players = len(draft.game.seats)
    if players < 2:
        raise refuse("too_few_players")
    edition = draft.table.edition(setup.edition)
    if edition is None:
        raise refuse("unknown_edition", edition=setup.edition, known="")
    if not edition.serves(players):
        raise refuse("deck_too_small", edition=edition.name, players=players)
    number = draft.game.matches + 1
    draft.add(
        e.MatchStarted(
            match=number,
            edition=edition,
            scoring=setup.scoring,
            way=setup.way,
            house=setup.house,
            as_step=True,
            seats=draft.game.seats,
            setup=None if setup == draft.game.setup else draft.game.setup,
        )
    )


def _between_rounds(draft: Draft) -> None:
    match = draft.game.match
    if match is not None and match.round is not None:
        raise refuse("round_on")


def _free_seat(draft: Draft, wanted: int | None) -> int:
    taken = {seat.number for seat in draft.game.seats}
    if wanted is None:
        return next(number for number in SEATS if number not in taken)
    if wanted in taken:
        raise refuse("seat_taken", seat=wanted, name=draft.who(wanted))
    return wanted


def _free_button(draft: Draft, button: int) -> None:
    owner = draft.game.seat_of_button(button)
    if owner is not None:
        raise refuse("button_taken", button=button, name=owner.who)


def _new_name(draft: Draft, typed: str, own: str | None = None) -> str:
    """Tidy a typed name; markup stays text and is the screens' to show as such."""
    name = tidy(typed)
    if not name:
        raise refuse("name_empty")
    if len(name) > LONGEST_NAME:
        raise refuse("name_too_long", most=LONGEST_NAME, length=len(name))
    others = {seat.name.casefold() for seat in draft.game.seats if seat.name != own}
    if name.casefold() in others:
        raise refuse("name_taken", name=name)
    return name


def _stand_in(draft: Draft) -> str:
    taken = {seat.name for seat in draft.game.seats}
    number = draft.table.players + 1
    while f"Player {number}" in taken:
        number += 1
    return f"Player {number}"


def _player(draft: Draft, name: str) -> int:
    """A player who comes back to a match under the same name goes on as the same player."""
    seated = {seat.player for seat in draft.game.seats}
    if draft.game.match is not None:
        for entrant in draft.game.match.entrants:
            if entrant.name == name and entrant.player not in seated:
                return entrant.player
    return draft.table.players + 1


def switch_way(draft: Draft, command: c.SwitchWay) -> None:
    """Change between free and refereed play for the rounds to come."""
    _ = draft.match
    _between_rounds(draft)
    draft.step("step_switch_way", way=command.way)
    draft.add(e.WaySwitched(command.way))
