"""How a table of ghosts sits down, agrees on a match, and finds its dealer."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.house import HouseRules
from tests.simulation.ghost.ghost import Ghost
from tests.simulation.ghost.sheet import SHEETS

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gro", "Hugo", "Ida", "Jon", "Kim", "Lea")
ODD_NAMES = ("<b>Max</b>", "Nora & Co", "Özgür", "{name}", "O'Neill; --", "名前")


class Plan(Struct, frozen=True):
    """What a match is to be."""

    edition: str
    scoring: str
    players: int
    way: str
    house: HouseRules = HouseRules()


def any_plan(luck: Random, edition: str) -> Plan:
    """Make a plan up; half of the tables keep the companion's own house rules."""
    return Plan(
        edition,
        luck.choice(("classic", "alternative")),
        luck.choice((2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10)),
        luck.choice(("refereed", "refereed", "free")),
        any_house(luck) if luck.random() < 0.5 else HouseRules(),
    )


def any_house(luck: Random) -> HouseRules:
    """Make house rules up."""
    return HouseRules(
        deal_tie=luck.choice(("redraw", "first_seat")),
        reverse_skips_for_two=luck.random() < 0.5,
        guilty_gives_turn_back=luck.random() < 0.5,
        hands_stay_down=luck.random() < 0.2,
        no_slap=luck.choice(("pick", "all_draw")),
        wrong_catch_draws=luck.choice((0, 0, 1, 2)),
        tie_goes_to=luck.choice(("caller", "catcher")),
        race_on_last_card=luck.random() < 0.5,
        lowest_tie=luck.choice(("share", "play_on")),
        late_start=luck.choice(("highest", "average", "zero")),
        target=luck.choice((None, None, 50, 120)),
        next_dealer=luck.choice(("left", "winner")),
    )


def open_night(ghost: Ghost, plan: Plan) -> None:
    """Sit down one after another, set the match up, and start it."""
    while len(ghost.truth.seats) < plan.players:
        sit_down(ghost)
        ghost.wait(ghost.luck.randint(100, 2_000) * 1_000_000)
    for seat in ghost.truth.ordered():
        if ghost.chance(ghost.temper.small):
            give_head_start(ghost, seat)
    ghost.say(
        c.SetUp(plan.edition, plan.scoring, plan.way, plan.house)  # type: ignore[arg-type]
    )
    ghost.say(c.StartMatch())


def sit_down(ghost: Ghost) -> None:
    """Take a seat by pressing a button, or by a name on the tablet."""
    taken = {sitting.button for sitting in ghost.truth.seats.values()}
    button = next(number for number in range(1, 33) if number not in taken)
    if ghost.truth.match is None and ghost.chance(ghost.temper.silent):
        at = ghost.now()
        ghost.say(c.PushButton(button, at, 2_000))
        ghost.say(c.Release(button, at + 1_000_000, at))
        return
    if taken and ghost.chance(ghost.temper.nonsense * 6):
        ghost.say(c.Sit(seat=ghost.luck.choice(ghost.truth.ordered())))
        ghost.say(c.Sit(button=ghost.luck.choice([b for b in taken if b] or [1])))
    free = [number for number in range(1, 11) if number not in ghost.truth.seats]
    ghost.say(
        c.Sit(
            name="" if ghost.chance(ghost.temper.silent / 2) else fresh_name(ghost),
            seat=ghost.luck.choice(free) if ghost.chance(ghost.temper.silent) else None,
            button=None if ghost.chance(ghost.temper.silent / 4) else button,
        )
    )


def give_head_start(ghost: Ghost, seat: int) -> None:
    """Somebody small gets more time, or has grown and needs none."""
    ghost.say(c.SetHandicap(seat, ghost.luck.choice((0, 50, 100, 200, 350, 2_000))))


def fresh_name(ghost: Ghost) -> str:
    """Find a name that nobody has."""
    taken = {sitting.name for sitting in ghost.truth.seats.values()}
    names = (*NAMES, *ODD_NAMES) if ghost.temper.nonsense else NAMES
    return ghost.luck.choice([name for name in names if name not in taken])


def find_dealer(ghost: Ghost) -> None:
    """R2. Everyone draws from a shuffled deck, or the table agrees on somebody."""
    match = ghost.match
    seats = match.tied or ghost.truth.ordered()
    if ghost.chance(0.15):
        ghost.say(c.ChooseDealer(ghost.luck.choice(ghost.truth.ordered())))
        return
    deck = SHEETS[match.sheet.key].deck()
    if ghost.chance(0.3):
        deck = [card for card in deck if card.endswith(("9", "8", "wild", "skip"))]
    ghost.luck.shuffle(deck)
    drawn = {seat: Card(deck.pop()) for seat in seats}
    if ghost.chance(ghost.temper.nonsense * 3):
        short = dict(list(drawn.items())[1:])
        ghost.say(c.DrawForDeal(short))
        ghost.say(c.DrawForDeal({**drawn, seats[0]: Card("purple-5")}))
    ghost.say(c.DrawForDeal(drawn))
