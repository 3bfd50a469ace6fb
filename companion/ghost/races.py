"""What the ghost expects of a Street Race: how it is declared, and what is done about it (R12)."""

from __future__ import annotations

from msgspec import structs

from companion.ghost.calls import call_stands
from companion.ghost.finish import lose, settle
from companion.ghost.moments import (
    COOLDOWN,
    LIMIT,
    LOOK_BACK,
    LOOK_BACK_TABLET,
    Push,
)
from companion.ghost.truth import Light, Match, Raced, Refused, Round, Truth
from companion.referee import commands as c

OPEN = ("running", "undecided", "slap_off")


def declare_race(truth: Truth, command: c.DeclareRace, at: int) -> None:
    """The tablet says who laid a Street Race; a hold that was no declaration is set right by it."""
    match, round_ = truth.the_match(), truth.playing()
    _in_round(round_, command.layer)
    if "street-race" not in match.sheet.copies:
        raise Refused("R12")
    race = round_.race
    held = race is not None and race.how == "hold" and at - race.at <= LOOK_BACK_TABLET
    if race is not None and held and race.state != "void":
        if race.layer == command.layer:
            raise Refused("R12")
        with_layer(match, round_, race, command.layer, at)
        return
    refuse_if_open(round_)
    declare(truth, command.layer, "tablet", at, at)


def declare(truth: Truth, layer: int, how: str, laid: int, now: int) -> None:
    """A race begins; hands that were quicker than its declaration count too."""
    match, round_ = truth.the_match(), truth.the_round()
    look_back = LOOK_BACK if how == "hold" else LOOK_BACK_TABLET
    since = max(laid - look_back, round_.ruled_until + 1)
    call = round_.window.call if round_.window is not None else None
    call_key = None if call is None else call.key
    pushes = tuple(push for push in truth.night.since(since) if push.key != call_key)
    for push in pushes:
        if push.seat != layer or (how == "hold" and push.at == laid):
            _claim(match, round_, push)
    truth.night.race_with(pushes)
    round_.race = Raced(
        layer,
        how,
        laid,
        since,
        laid + LIMIT,
        tuple(seat for seat in round_.seats if seat != layer),
        pushes,
        card_seen=how == "card",
        gaps=tuple(gap for gap in truth.night.gaps if gap.until >= since),
        aside=tuple(seat for seat in truth.broken_seats() if seat != layer),
        starts=truth.starts(),
    )
    settle(match, round_, now)


def _claim(match: Match, round_: Round, push: Push) -> None:
    """What was taken for a call, or for a catch that failed, was a hand in this race."""
    kept = tuple(call for call in round_.calls.pop(push.seat, ()) if call.at != push.at)
    if kept:
        round_.calls[push.seat] = kept
    if round_.cooldowns.get(push.seat) == push.at + COOLDOWN:
        del round_.cooldowns[push.seat]
        round_.debts = [
            debt for debt in round_.debts if (debt.seat, debt.failed) != (push.seat, push.at)
        ]
    window = round_.window
    if window is not None and _same(window.catch, push) and call_stands(match, window, push):
        round_.window = structs.replace(window, catch=None)


def with_layer(match: Match, round_: Round, race: Raced, layer: int, now: int) -> None:
    """The same hands are looked at again, with somebody else as the layer."""
    _take_back(round_)
    racers = tuple(seat for seat in round_.seats if seat != layer)
    round_.race = structs.replace(
        race, layer=layer, racers=racers, state="running", last=(), light=None
    )
    settle(match, round_, now)


def change_layer(truth: Truth, command: c.ChangeLayer, at: int) -> None:
    """Somebody else laid it."""
    match, round_ = truth.the_match(), truth.the_round()
    race = _latest(round_)
    _in_round(round_, command.layer)
    if command.layer == race.layer:
        raise Refused("R12")
    with_layer(match, round_, race, command.layer, at)


def rerun_race(truth: Truth, at: int) -> None:
    """The race is run again, and the table waits for hands from now on."""
    round_ = truth.the_round()
    race = _latest(round_)
    _take_back(round_)
    round_.race = Raced(
        race.layer,
        race.how,
        at,
        at,
        at + LIMIT,
        race.racers,
        card_seen=race.card_seen,
        aside=race.aside,
        starts=truth.starts(),
    )
    settle(truth.the_match(), round_, at)


def cancel_race(truth: Truth, at: int) -> None:
    """It was no race."""
    round_ = truth.the_round()
    race = _latest(round_)
    _take_back(round_)
    round_.race = structs.replace(race, state="void", last=(), light=None)
    round_.ruled_until = max(round_.ruled_until, at)


def slap_off(truth: Truth, at: int, light_at: int) -> None:
    """Those who tied slap again when a light comes on."""
    round_ = truth.the_round()
    race = _undecided(round_)
    light = Light(race.last, at, light_at, light_at + LIMIT)
    round_.race = structs.replace(race, state="slap_off", light=light)


def pick_last(truth: Truth, command: c.PickLast, at: int) -> None:
    """The referee saw who was last."""
    round_ = truth.the_round()
    race = _undecided(round_)
    seats = tuple(sorted(set(command.seats)))
    if not seats:
        raise Refused("R12")
    for seat in seats:
        _in_round(round_, seat)
        if seat not in race.racers:
            raise Refused("R12")
    lose(truth.the_match(), round_, seats)
    round_.ruled_until = max(round_.ruled_until, at)


def lay_last_card(truth: Truth, seat: int, at: int) -> None:
    """R14. A Street Race as the last card is raced only if the house says so."""
    match, round_ = truth.the_match(), truth.the_round()
    race = round_.race
    known = race is not None and race.state != "void" and not race.card_seen
    if race is not None and known and round_.way == "free":
        known = race.layer == seat and at - race.at <= LOOK_BACK_TABLET
    if race is None or not known:
        if match.house.race_on_last_card:
            declare(truth, seat, "card", at, at)
    elif match.house.race_on_last_card:
        lay_card(truth, seat, at)
    elif round_.way == "refereed":
        cancel_race(truth, at)


def lay_card(truth: Truth, seat: int, at: int) -> None:
    """R12. The card and the hold before it are one race."""
    match, round_ = truth.the_match(), truth.the_round()
    race = round_.race
    if race is None or race.state == "void" or race.card_seen:
        declare(truth, seat, "card", at, at)
        return
    round_.race = structs.replace(race, card_seen=True)
    if race.layer != seat:
        with_layer(match, round_, round_.race, seat, at)


def refuse_if_open(round_: Round) -> None:
    """Nobody plays on before a race is settled."""
    if round_.race is not None and round_.race.state in OPEN:
        raise Refused("R12")


def _take_back(round_: Round) -> None:
    """What the latest race made somebody owe is owed no more."""
    assert round_.race is not None
    round_.debts = [debt for debt in round_.debts if debt.race != round_.race.at]


def _same(one: Push | None, other: Push) -> bool:
    return one is not None and one.key == other.key


def _in_round(round_: Round, seat: int) -> None:
    if seat not in round_.seats:
        raise Refused


def _latest(round_: Round) -> Raced:
    if round_.race is None or round_.race.state == "void":
        raise Refused("R12")
    return round_.race


def _undecided(round_: Round) -> Raced:
    race = _latest(round_)
    if race.state != "undecided":
        raise Refused("R12")
    return race
