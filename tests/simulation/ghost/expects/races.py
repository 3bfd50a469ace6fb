"""What the ghost expects of a Street Race: who was last, and what people decide about it (R12)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from companion.referee import commands as c
from tests.simulation.ghost.truth import MILLISECOND, Light, Raced, Refused, Round, Slap, Truth

OPEN = ("running", "undecided", "slap_off")
SWITCH = 1 * MILLISECOND
"""How far apart two good switches may report the same moment."""


def lay(truth: Truth, layer: int, how: str) -> Raced:
    """A Street Race was laid, and the table knows of it."""
    round_ = truth.the_round()
    racers = tuple(seat for seat in round_.seats if seat != layer)
    round_.raced += 1
    round_.races.append(Raced(round_.raced, layer, how, racers, truth.starts()))
    return round_.races[-1]


def slapped(truth: Truth, slaps: dict[int, Slap], mute: Sequence[int]) -> None:
    """R12. All hands are down that will come: the last one draws, or nobody can tell."""
    round_ = truth.the_round()
    race = _latest(round_)
    slaps = {seat: slap for seat, slap in slaps.items() if seat != race.layer}
    mute = tuple(seat for seat in race.racers if seat in mute and seat not in slaps)
    race = structs.replace(race, slaps=slaps, mute=mute)
    if len(race.racers) == 1:
        lose(truth, race, race.racers)
        return
    able = [seat for seat in race.racers if seat not in mute]
    last = _last_of(race, able, slaps)
    if mute:
        _leave_open(round_, race, (*mute, *last))
    else:
        _decide(truth, race, last, slaps)


def slapped_off(truth: Truth, slaps: dict[int, Slap]) -> None:
    """R12. A slap-off is over: whoever was too early loses, then the last hand."""
    round_ = truth.the_round()
    race = _latest(round_)
    assert race.light is not None
    light = structs.replace(race.light, slaps=slaps)
    race = structs.replace(race, light=light)
    early = tuple(sorted(seat for seat, slap in slaps.items() if slap.at < light.at))
    if len(early) == 1:
        lose(truth, race, early)
    else:
        assert not early, "several who were too early get another light"
        _decide(truth, race, _last_of(race, light.seats, slaps), slaps)


def light_again(truth: Truth, seats: tuple[int, ...], light_at: int) -> None:
    """R12. Several were too early: it gets dark again, for them alone."""
    round_ = truth.the_round()
    _put(round_, structs.replace(_latest(round_), light=Light(seats, light_at)))


def lose(truth: Truth, race: Raced, seats: tuple[int, ...]) -> None:
    """Let these seats have been last: each draws."""
    round_ = truth.the_round()
    for seat in seats:
        round_.owe(seat, truth.the_match().sheet.race, "R12", race=race.number)
    _put(round_, structs.replace(race, state="ruled", last=seats))


def excuse(truth: Truth) -> None:
    """The table says that nobody without a usable button was last."""
    round_ = truth.the_round()
    race = _latest(round_)
    racers = tuple(seat for seat in race.racers if seat not in race.mute)
    _put(round_, structs.replace(race, racers=racers, mute=()))
    slapped(truth, race.slaps, ())


def declare_race(truth: Truth, command: c.DeclareRace) -> None:
    """The tablet says who laid a Street Race."""
    round_ = truth.playing()
    _in_round(round_, command.layer)
    if "street-race" not in truth.the_match().sheet.copies:
        raise Refused("R12")
    race = round_.race
    if race is not None and race.state == "running" and race.layer == command.layer:
        raise Refused("R12")
    lay(truth, command.layer, "tablet")


def change_layer(truth: Truth, command: c.ChangeLayer) -> None:
    """Somebody else laid it: that hand was no slap, and the first layer should have slapped."""
    round_ = truth.the_round()
    race = _latest(round_)
    _in_round(round_, command.layer)
    if command.layer == race.layer:
        raise Refused("R12")
    _take_back(round_, race)
    round_.disputed = True
    round_.calls[command.layer] = None
    racers = tuple(seat for seat in round_.seats if seat != command.layer)
    _put(
        round_,
        structs.replace(
            race, layer=command.layer, racers=racers, state="running", last=(), light=None
        ),
    )


def rerun_race(truth: Truth) -> None:
    """The race is run again, and the table waits for hands from now on."""
    race = _latest(truth.the_round())
    cancel_race(truth)
    lay(truth, race.layer, race.how)


def cancel_race(truth: Truth) -> None:
    """It was no race; what its hands were then, nobody can tell."""
    round_ = truth.the_round()
    race = _latest(round_)
    _take_back(round_, race)
    round_.races.remove(race)
    round_.calls |= dict.fromkeys(race.slaps)


def slap_off(truth: Truth, light_at: int) -> None:
    """Those who tied slap again when a light comes on."""
    round_ = truth.the_round()
    race = _undecided(round_)
    _put(round_, structs.replace(race, state="slap_off", light=Light(race.last, light_at)))


def pick_last(truth: Truth, command: c.PickLast) -> None:
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
    lose(truth, structs.replace(race, light=None), seats)


def refuse_if_open(round_: Round) -> None:
    """Nobody counts hands before a race is settled."""
    if any(race.state in OPEN for race in round_.races):
        raise Refused("R12")


def overrule(round_: Round, number: int, seats: tuple[int, ...]) -> None:
    """The referee has put somebody else in the place of who was last."""
    for race in round_.races:
        if race.number == number:
            _put(round_, structs.replace(race, last=seats))


def _decide(truth: Truth, race: Raced, last: Sequence[int], slaps: dict[int, Slap]) -> None:
    missed = not any(seat in slaps for seat in last)
    if len(last) == 1 or (missed and truth.the_match().house.no_slap == "all_draw"):
        lose(truth, race, tuple(last))
    else:
        _leave_open(truth.the_round(), race, last)


def _leave_open(round_: Round, race: Raced, tied: Sequence[int]) -> None:
    _put(round_, structs.replace(race, state="undecided", last=tuple(sorted(tied))))


def _last_of(race: Raced, seats: Sequence[int], slaps: dict[int, Slap]) -> list[int]:
    """Whoever did not slap; else everyone behind whom nobody surely came."""
    missing = [seat for seat in seats if seat not in slaps]
    if missing:
        return missing
    earliest = {seat: race.counts(seat, slaps[seat]) - slaps[seat].doubt for seat in seats}
    latest = {seat: race.counts(seat, slaps[seat]) + slaps[seat].doubt for seat in seats}
    return [
        seat
        for seat in seats
        if not any(earliest[other] - latest[seat] > SWITCH for other in seats if other != seat)
    ]


def _put(round_: Round, race: Raced) -> None:
    """Let a race be as it is known now."""
    round_.races = [race if one.number == race.number else one for one in round_.races]


def _take_back(round_: Round, race: Raced) -> None:
    """What a race made somebody owe is owed no more, and what was drawn goes back."""
    round_.debts = [debt for debt in round_.debts if debt.race != race.number]
    give_back(round_, race.number, {})


def give_back(round_: Round, race: int, due: dict[int, int]) -> dict[int, int]:
    """What was drawn for a race beyond what is due goes under the pile; tell what is kept."""
    kept: dict[int, int] = {}
    for seat, cards in round_.drawn.pop(race, {}).items():
        kept[seat] = min(cards, due.get(seat, 0))
        round_.felt.put_under(seat, cards - kept[seat])
    return kept


def _in_round(round_: Round, seat: int) -> None:
    if seat not in round_.seats:
        raise Refused


def _latest(round_: Round) -> Raced:
    if round_.race is None:
        raise Refused("R12")
    return round_.race


def _undecided(round_: Round) -> Raced:
    race = _latest(round_)
    if race.state != "undecided":
        raise Refused("R12")
    return race
