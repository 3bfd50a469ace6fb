"""One race twice: with a cheat at the table, and in the same world with an honest hand instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.commands import Way
from companion.referee.model.presses import MILLISECOND, SECOND, Timing
from companion.referee.model.table import SlapOffLight
from tests.simulation.answers import Answers
from tests.simulation.cheating.cheats import SHORT, Cheat, breaking
from tests.simulation.free import Tapper, read_as
from tests.simulation.people import APART, PEOPLE, UNCERTAINTY, Touch, between, possible, reaction
from tests.simulation.playing import FIRST, play_round
from tests.simulation.referee import Recorder, press_buttons
from tests.simulation.table import Playground, dealt
from tests.simulation.truth import TrueRace, Truth

MANY_CARDS = (6, 7, 8)
"""Nobody comes near the last card, so that only the race is looked at."""
PATIENCE = 40 * SECOND
"""Long enough for a race, a question and two slap-offs."""


@dataclass(frozen=True, slots=True)
class World:
    """One round with one race, and the two seats that may cheat in it."""

    truth: Truth
    cheats: tuple[int, int]

    @property
    def race(self) -> TrueRace:
        """The race of the round."""
        return self.truth.races[0]


@cache
def world(seed: int) -> World:
    """The world of this seed: 4 to 8 people, one race, everybody honest."""
    chance = Random(f"contest {seed}")
    way: Way = "free" if seed % 2 else "refereed"
    players = chance.randint(4, 8)
    truth = play_round(seed, players, "fast-and-furious", way, PEOPLE, 1, MANY_CARDS)
    racers = sorted(truth.races[0].slaps)
    one, other = chance.sample(racers, 2)
    return World(truth, (one, other))


@dataclass(frozen=True, slots=True)
class Result:
    """Who was last in the end; nobody where it was left open."""

    last: tuple[int, ...]
    open: bool


@cache
def honest(seed: int) -> Result:
    """What comes of it with everybody honest."""
    here = world(seed)
    return _run(here, here.truth, {}, None, Timing())


def cheated(seed: int, cheat: Cheat, company: bool, timing: Timing | None = None) -> Result:
    """What comes of it with one cheat, or with two that do the same."""
    here = world(seed)
    race = here.race
    seats = here.cheats if company and not cheat.poses else here.cheats[:1]
    chance = Random(f"cheat {seed} {cheat.name} {company}")
    others = [touch for touch in here.truth.touches if touch.seat not in seats]
    slaps = dict(race.slaps)
    made: list[Touch] = []
    for seat in seats:
        own = _own_touches(cheat, here.truth, race, seat, chance)
        made += own
        after = [touch.at for touch in own if touch.at >= race.laid]
        slaps[seat] = min(after, default=None)
    if cheat.poses and company:
        made.append(_slap(race.layer, race.laid + (reaction(chance, PEOPLE) or SECOND)))
    truth = replace(
        here.truth,
        races=(replace(race, slaps=slaps),),
        touches=tuple(possible([*others, *made])),
    )
    return _run(here, truth, dict.fromkeys(seats, cheat), chance, timing or Timing())


def _own_touches(
    cheat: Cheat, truth: Truth, race: TrueRace, seat: int, chance: Random
) -> list[Touch]:
    """What the cheat does, and the slap that an honest hand would have made."""
    slap = race.slaps[seat]
    tricks = cheat.tricks(chance, truth, race, seat)
    if slap is None or not cheat.slaps or cheat.poses:
        return tricks
    return [*(t for t in tricks if abs(t.at - slap) >= APART), _slap(seat, slap)]


def _slap(seat: int, at: int) -> Touch:
    return Touch(at, seat, at + SHORT)


def _run(
    here: World, truth: Truth, cheats: dict[int, Cheat], chance: Random | None, timing: Timing
) -> Result:
    seed = truth.seed
    ground = Playground(dealt(truth.players, truth.edition, truth.way, FIRST, timing), luck=seed)
    Answers(truth, Random(f"answers {seed}"), ground)
    press_buttons(ground, truth, Random(f"presses {seed}"))
    teller: Recorder | Tapper
    if truth.way == "refereed":
        teller = Recorder(truth, Random(f"records {seed}"))
    else:
        teller = Tapper(truth, Random(f"taps {seed}"), taps_races=False)
        ground.plan(truth.races[0].laid + 6 * SECOND, lambda table: _set_layer_right(table, truth))
    teller.plan(ground)
    for seat, cheat in cheats.items():
        if cheat.breaks_button and chance is not None:
            for at, command in breaking(truth.races[0], seat, chance):
                ground.plan(at, command)
    SlapOffs(ground, truth, cheats)
    ground.run(teller.done + PATIENCE)
    return _result(ground, truth)


def _set_layer_right(ground: Playground, truth: Truth) -> None:
    """Everybody has seen who laid the card; where the table shows somebody else, one taps that."""
    race = truth.races[0]
    shown = read_as(ground, truth, race)
    if shown is not None and shown.layer not in (None, race.layer):
        ground.tell(c.ChangeLayer(race.layer))


def _result(ground: Playground, truth: Truth) -> Result:
    laid = truth.races[0].laid
    shown = [race for race in ground.round.races if race.ruling is not None]
    race = min(shown, key=lambda shown: abs(shown.anchor - laid), default=None)
    for ruling in ground.in_force("R12"):
        if race is not None and ruling.number == race.ruling and ruling.draws:
            return Result(tuple(draws.seat for draws in ruling.draws), open=False)
    return Result((), open=True)


class SlapOffs:
    """Where a race is left open, those concerned slap again at the light."""

    def __init__(self, ground: Playground, truth: Truth, cheats: dict[int, Cheat]) -> None:
        self.ground = ground
        self.truth = truth
        self.cheats = cheats
        self.chance = Random(f"slap-off {truth.seed}")
        self.tries = 0
        self._seen: set[int] = set()
        self._waiting = False
        ground.on_events = self._look

    def _look(self, events: Sequence[e.Event]) -> None:
        for event in events:
            if not isinstance(event, e.RaceRead):
                continue
            race = event.race
            if race.state == "undecided" and race.outcome != "unusable" and not self._waiting:
                self._waiting = True
                self.ground.plan(self.ground.now + between(self.chance, 2.0, 4.0), self._again)
            if race.state == "slap_off" and race.slap_off is not None:
                self._slap(race.slap_off)

    def _again(self, ground: Playground) -> None:
        self._waiting = False
        undecided = [race for race in ground.round.races if race.state == "undecided"]
        if not undecided or undecided[-1].outcome == "unusable" or self.tries == 3:
            return
        self.tries += 1
        race = self.truth.races[0]
        if race.layer in undecided[-1].tied:
            # Nobody lets the one who laid the card slap again.
            ground.tell(c.ChangeLayer(race.layer))
            return
        never = tuple(seat for seat in undecided[-1].tied if race.slaps[seat] is None)
        # Whoever has no hand on the button when all the others have is seen by everybody.
        seen = undecided[-1].outcome == "no_order" and len(never) == 1
        ground.tell(c.PickLast(never) if seen else c.SlapOff())

    def _slap(self, light: SlapOffLight) -> None:
        """Honest hands wait for the light; one that never stops presses in the dark."""
        if light.started_at in self._seen:
            return
        self._seen.add(light.started_at)
        for seat in light.seats:
            delay = reaction(self.chance, PEOPLE)
            cheat = self.cheats.get(seat)
            if cheat is not None and cheat.period is not None:
                at = light.started_at + between(self.chance, 0.0, cheat.period)
                while at < light.light_at + SECOND:
                    self._press(seat, at)
                    at += int(cheat.period * SECOND)
            elif delay is not None:
                self._press(seat, light.light_at + delay)

    def _press(self, seat: int, at: int) -> None:
        self.ground.plan(at + 5 * MILLISECOND, c.PushButton(seat, at, UNCERTAINTY))
        until = at + SHORT
        self.ground.plan(until + 5 * MILLISECOND, c.Release(seat, until, at))
