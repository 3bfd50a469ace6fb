"""What the ghost expects of the seats, the set-up, and who deals."""

from __future__ import annotations

from collections import Counter

from msgspec import structs

from companion.referee import commands as c
from tests.simulation.ghost.expects.races import refuse_if_open
from tests.simulation.ghost.expects.score import tally_to_begin_with, winners
from tests.simulation.ghost.expects.turns import pay_all
from tests.simulation.ghost.felt import Felt
from tests.simulation.ghost.sheet import SHEETS, number
from tests.simulation.ghost.truth import Entrant, Match, Refused, Round, Sitting, Truth


def step(truth: Truth, command: c.Command) -> None:
    """Everything about seats and the match that can be taken back."""
    match command:
        case c.Sit():
            sit(truth, command)
        case c.Stand():
            stand(truth, command)
        case c.Rename():
            rename(truth, command)
        case c.Swap():
            swap(truth, command)
        case c.SetHandicap(seat, ms):
            head_start(truth, seat, ms)
        case c.ChooseMark():
            pass  # how a seat looks is nothing that is played
        case c.AssignButton(seat, int(button)):
            assign_button(truth, seat, button)
        case c.SetUp():
            set_up(truth, command)
        case c.DrawForDeal():
            draw_for_deal(truth, command)
        case c.ChooseDealer():
            choose_dealer(truth, command)
        case c.AbandonRound():
            abandon(truth)
        case c.SwitchWay():
            switch_way(truth, command)
        case c.CloseMatch():
            truth.the_match()
            truth.match = None
        case _:
            raise AssertionError(f"the ghost does not know {command}")


def sit(truth: Truth, command: c.Sit) -> None:
    """Somebody takes a seat, or joins the match between two rounds."""
    _between_rounds(truth)
    house = truth.match.house if truth.match else truth.house
    if len(truth.seats) >= house.most_players:
        raise Refused
    seat = command.seat or next(n for n in range(1, 11) if n not in truth.seats)
    if seat in truth.seats:
        raise Refused
    if command.button and any(s.button == command.button for s in truth.seats.values()):
        raise Refused
    name = command.name.strip()
    if name:
        _check_name(truth, name)
    else:
        name = f"Player {truth.night.players + 1}"
    player = _player_back_again(truth, name)
    if player is None:
        truth.night.players += 1
        player = truth.night.players
    if truth.match is not None:
        start = tally_to_begin_with(truth.match, player)
        done = len(truth.match.scored)
        truth.match.entrants.append(Entrant(player, name, done, start=start))
    truth.seats[seat] = Sitting(player, name, command.button)
    truth.night.awaiting = None


def stand(truth: Truth, command: c.Stand) -> None:
    """Somebody goes, in the middle of a round with the hand or without it."""
    _taken(truth, command.seat)
    if truth.round is not None:
        _walk_out(truth.playing(), command)
    if truth.round is None or command.hand == "under":
        go(truth, command.seat)


def _walk_out(round_: Round, command: c.Stand) -> None:
    """The hand goes under the pile, or stays to be counted; what is past is not looked at again."""
    seat, felt = command.seat, round_.felt
    if seat not in round_.seats or command.hand is None or len(round_.seats) == 2:
        raise Refused
    refuse_if_open(round_)
    doubted = round_.doubted
    if command.hand == "counted":
        pay_all(round_, seat)
        round_.gone = (*round_.gone, seat)
    else:
        felt.pile[:0] = felt.hands.pop(seat)
    round_.debts = [debt for debt in round_.debts if debt.seat != seat]
    if doubted is not None and seat in (doubted.accused, doubted.debt.seat):
        round_.doubted = None
    round_.turn = felt.beyond(seat) if round_.turn == seat else round_.turn
    felt.turn = felt.beyond(seat) if felt.turn == seat else felt.turn
    felt.seats = tuple(other for other in felt.seats if other != seat)
    round_.chooser = None if round_.chooser == seat else round_.chooser
    round_.window, round_.calls, round_.races, round_.saved = None, {}, [], frozenset()


def abandon(truth: Truth) -> None:
    """Nobody wants to go on; whoever dealt deals again."""
    match, gone = truth.the_match(), truth.the_round().gone
    match.round, match.chosen = None, True
    for seat in gone:
        go(truth, seat)


def go(truth: Truth, seat: int) -> None:
    """A seat is empty; what was scored there stays on the sheet."""
    player = truth.seats.pop(seat).player
    if truth.match is not None:
        truth.match.entrants = [
            structs.replace(entrant, left=len(truth.match.scored))
            if entrant.player == player and entrant.left is None
            else entrant
            for entrant in truth.match.entrants
        ]
        tied = tuple(other for other in truth.match.tied if other != seat)
        truth.match.tied = tied if len(tied) > 1 else ()


def rename(truth: Truth, command: c.Rename) -> None:
    """A player wants to be called something else."""
    sitting = _taken(truth, command.seat)
    name = command.name.strip()
    _check_name(truth, name, but=command.seat)
    truth.seats[command.seat] = structs.replace(sitting, name=name)
    if truth.match is not None:
        truth.match.entrants = [
            structs.replace(entrant, name=name) if entrant.player == sitting.player else entrant
            for entrant in truth.match.entrants
        ]


def swap(truth: Truth, command: c.Swap) -> None:
    """Two change places and leave the buttons where they are; or one moves with the button."""
    _between_rounds(truth)
    one = _taken(truth, command.seat)
    if command.other == command.seat:
        raise Refused
    if truth.match is not None:
        moved = {command.seat: command.other, command.other: command.seat}
        truth.match.tied = tuple(sorted(moved.get(seat, seat) for seat in truth.match.tied))
    other = truth.seats.get(command.other)
    if other is None:
        truth.seats[command.other] = truth.seats.pop(command.seat)
        return
    truth.seats[command.seat] = structs.replace(other, button=one.button)
    truth.seats[command.other] = structs.replace(one, button=other.button)


def head_start(truth: Truth, seat: int, ms: int) -> None:
    """R12. Somebody small gets up to two seconds, from the next race on."""
    sitting = _taken(truth, seat)
    if ms not in range(2_001):
        raise Refused("R12")
    truth.seats[seat] = structs.replace(sitting, start=ms * 1_000_000)


def assign_button(truth: Truth, seat: int, button: int) -> None:
    """A seat takes a button, from whoever had it."""
    _taken(truth, seat)
    for number_, sitting in truth.seats.items():
        if sitting.button == button:
            truth.seats[number_] = structs.replace(sitting, button=None)
    truth.seats[seat] = structs.replace(truth.seats[seat], button=button)
    truth.night.awaiting = None


def owner(truth: Truth, button: int) -> int | None:
    """Whose button this is."""
    return next((seat for seat, s in truth.seats.items() if s.button == button), None)


def await_button(truth: Truth, seat: int) -> None:
    """The next free button that is pressed goes to this seat."""
    _taken(truth, seat)
    truth.night.awaiting = seat


def take_button(truth: Truth, button: int) -> bool:
    """Somebody sits down by pressing, or a spare takes over; tell whether anything came of it."""
    broken = truth.broken_seats()
    taker = truth.night.awaiting or (broken[0] if len(broken) == 1 else None)
    if taker in truth.seats:
        assign_button(truth, taker, button)
    elif truth.match is None and len(truth.seats) < truth.house.most_players:
        sit(truth, c.Sit(button=button))
    else:
        return False
    return True


def set_up(truth: Truth, command: c.SetUp) -> None:
    """What the next match is played by."""
    if truth.match is not None:
        raise Refused
    if command.edition is not None and command.edition not in SHEETS:
        raise Refused
    truth.sheet = SHEETS[command.edition] if command.edition else truth.sheet
    truth.scoring = command.scoring or truth.scoring
    truth.way = command.way or truth.way
    truth.house = command.house or truth.house


def start(truth: Truth, *, again: bool) -> None:
    """A match begins with everyone who sits, by the set-up or by the rules of the one before."""
    if again:
        truth.the_match()
        _between_rounds(truth)
    if (truth.match is not None and not again) or len(truth.seats) < 2:
        raise Refused
    old, truth.matches = truth.match, truth.matches + 1
    rules = old if old is not None else truth
    entrants = [
        Entrant(truth.seats[seat].player, truth.seats[seat].name, 0) for seat in truth.ordered()
    ]
    truth.match = Match(truth.matches, rules.sheet, rules.scoring, rules.way, rules.house, entrants)
    if old is not None and old.dealer is not None:
        truth.match.dealer, truth.match.chosen = next_dealer(truth, old, old.dealer), True


def draw_for_deal(truth: Truth, command: c.DrawForDeal) -> None:
    """R2. The highest number deals; those who tie draw again."""
    match = truth.the_match()
    if match.dealer is not None:
        raise Refused("R2")
    drawing = match.tied or truth.ordered()
    if set(command.cards) != set(drawing):
        raise Refused("R2")
    for card, copies in Counter(command.cards.values()).items():
        if copies > match.sheet.copies.get(card, 0):
            raise Refused("R1")
    best = max(number(card) for card in command.cards.values())
    tied = tuple(seat for seat in drawing if number(command.cards[seat]) == best)
    if len(tied) > 1 and match.house.deal_tie == "redraw":
        match.tied = tied
    else:
        match.dealer, match.tied = min(tied), ()


def choose_dealer(truth: Truth, command: c.ChooseDealer) -> None:
    """The table agrees on a dealer."""
    match = truth.the_match()
    _between_rounds(truth)
    _taken(truth, command.seat)
    match.dealer, match.tied, match.chosen = command.seat, (), True


def switch_way(truth: Truth, command: c.SwitchWay) -> None:
    """The next rounds are played free, or refereed."""
    truth.the_match()
    _between_rounds(truth)
    truth.the_match().way = command.way


def deal(truth: Truth, seed: int) -> None:
    """R3 and R20. Everything is shuffled and dealt again."""
    match = truth.the_match()
    _between_rounds(truth)
    if winners(match) and not match.playing_on:
        raise Refused
    if match.dealer is None:
        raise Refused("R2")
    seats = truth.ordered()
    if len(seats) < 2:
        raise Refused
    match.dealer, match.chosen = next_dealer(truth, match, match.dealer), False
    felt = Felt.deal(match.sheet, seats, seed, two=match.house.reverse_skips_for_two)
    match.round = Round(len(match.scored) + 1, match.dealer, match.way, felt)


def next_dealer(truth: Truth, match: Match, dealer: int) -> int:
    """R20. The deal passes to the left; a dealer who has gone is followed by the next one left."""
    seats = truth.ordered()
    onwards = match.scored and not match.chosen
    if onwards and match.house.next_dealer == "winner":
        for seat in seats:
            if truth.seats[seat].player == match.scored[-1].out:
                return seat
    if dealer in seats and not onwards:
        return dealer
    return min((seat for seat in seats if seat > dealer), default=seats[0])


def _between_rounds(truth: Truth) -> None:
    if truth.round is not None:
        raise Refused


def _taken(truth: Truth, seat: int) -> Sitting:
    if seat not in truth.seats:
        raise Refused
    return truth.seats[seat]


def _check_name(truth: Truth, name: str, but: int | None = None) -> None:
    others = {s.name.casefold() for seat, s in truth.seats.items() if seat != but}
    if not name or len(name) > 24 or name.casefold() in others:
        raise Refused


def _player_back_again(truth: Truth, name: str) -> int | None:
    """Somebody who left this match and comes back under the same name goes on with their score."""
    if truth.match is None:
        return None
    seated = {sitting.player for sitting in truth.seats.values()}
    for entrant in truth.match.entrants:
        if entrant.name == name and entrant.player not in seated:
            return entrant.player
    return None
