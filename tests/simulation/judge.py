"""Compare what was ruled with what was true, when everything is recorded and time has passed."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import Literal

from companion.referee.model.presses import SECOND
from companion.referee.model.rulings import UNDECIDED, Calling, Finish, Ruling
from companion.referee.model.table import Race
from tests.simulation.answers import Answers
from tests.simulation.table import Playground
from tests.simulation.truth import TrueRace, TrueWindow, Truth

Known = Literal["refereed", "tapped", "hands"]
"""How the table learned who laid the card."""
RaceVerdict = Literal["right", "wrong", "asked", "open", "unseen", "dead heat"]
WindowVerdict = Literal["right", "wrongly caught", "escaped", "asked", "too close"]
APART = 60 * SECOND
"""A race as read and a true one farther apart than this have nothing to do with each other."""
OTHER_LAYER = 5 * SECOND
"""A race with another layer is as unlikely to be the same as one so much farther away."""


@dataclass(slots=True)
class Judged:
    """One round, race by race and window by window."""

    races: list[tuple[Known, RaceVerdict]] = field(default_factory=list)
    windows: list[WindowVerdict] = field(default_factory=list)
    false_races: int = 0
    """Races that were ruled although nobody had laid a card."""
    wrong_layers: int = 0
    needless: int = 0
    """Questions about something that never happened."""
    helpless: int = 0
    """Questions to which no offered answer was true."""
    complaints: list[str] = field(default_factory=list)


def judge(truth: Truth, ground: Playground, answers: Answers, tapped: dict[int, int]) -> Judged:
    """Judge one round."""
    judged = Judged(needless=len(answers.nothing), helpless=len(answers.helpless))
    shown = [
        race
        for race in ground.round.races
        if race.state != "void" and (race.state != "proposed" or race.ruling is not None)
    ]
    pairs, extra = pair_up(truth.races, shown)
    rulings = {ruling.number: ruling for ruling in ground.in_force("R12")}
    for true in truth.races:
        asked = [at for kind, at in answers.races.get(true.number, ()) if kind != "was_race"]
        known = _known(truth, tapped.get(true.number), asked)
        race = pairs.get(true.number)
        ruling = rulings.get(race.ruling or 0) if race is not None else None
        verdict = judge_race(true, race, ruling, bool(asked))
        judged.races.append((known, verdict))
        judged.wrong_layers += race is not None and race.layer != true.layer
        if verdict in ("wrong", "unseen", "open"):
            judged.complaints.append(f"race {true.number} is {verdict}")
    judged.false_races = sum(
        1 for race in extra if race.ruling in rulings and rulings[race.ruling].draws
    )
    judged.complaints += [f"no race at {race.anchor}" for race in extra if race.ruling in rulings]
    _judge_windows(truth, ground, answers, judged)
    return judged


def _known(truth: Truth, tapped: int | None, asked: list[int]) -> Known:
    """A race that the table had to ask about before anybody tapped it was left to the hands."""
    if truth.way == "refereed":
        return "refereed"
    return "hands" if tapped is None or any(at < tapped for at in asked) else "tapped"


def judge_race(
    true: TrueRace, race: Race | None, ruling: Ruling | None, asked: bool
) -> RaceVerdict:
    """Whether the ruling in force names who was really last."""
    if true.too_close:
        return "dead heat"
    if ruling is None or race is None:
        return "unseen" if race is None else "open"
    if len(true.last) > 1:
        return "right" if same_seats(ruling, true.last) else "wrong"
    if ruling.draws:
        right = tuple(draws.seat for draws in ruling.draws) == true.last
        return ("asked" if asked else "right") if right else "wrong"
    return "open" if ruling.outcome in UNDECIDED else "wrong"


def same_seats(ruling: Ruling, seats: tuple[int, ...]) -> bool:
    """Whether a ruling holds exactly these for last, or lets the table choose among them."""
    last = ruling.evidence.last if isinstance(ruling.evidence, Finish) else ruling.seats
    if ruling.outcome == "picked" or ruling.draws:
        return {draws.seat for draws in ruling.draws} <= set(seats)
    return set(seats) <= {*last, *ruling.seats}


def pair_up(true: tuple[TrueRace, ...], shown: list[Race]) -> tuple[dict[int, Race], list[Race]]:
    """Give each true race the one that the table shows of it, by moment and by layer."""
    best: tuple[int, tuple[Race | None, ...]] | None = None
    nothing: list[Race | None] = [None] * len(true)
    for chosen in permutations([*shown, *nothing], len(true)):
        cost = sum(_apart(race, other) for race, other in zip(true, chosen, strict=True))
        if best is None or cost < best[0]:
            best = cost, chosen
    chosen = () if best is None else best[1]
    pairs = {race.number: other for race, other in zip(true, chosen, strict=True) if other}
    return pairs, [race for race in shown if race not in pairs.values()]


def _apart(true: TrueRace, shown: Race | None) -> int:
    if shown is None:
        return APART
    return abs(shown.anchor - true.laid) + (0 if shown.layer == true.layer else OTHER_LAYER)


def _judge_windows(truth: Truth, ground: Playground, answers: Answers, judged: Judged) -> None:
    """Compare the catches in force with the windows in which somebody was really caught."""
    caught: dict[int, Ruling] = {}
    for ruling in ground.in_force("R13"):
        if ruling.outcome != "caught":
            continue
        window = _window_of(truth, ruling)
        if window is None or window.number in caught:
            judged.windows.append("wrongly caught")
            judged.complaints.append(f"caught without a window: {ruling.seats}")
        else:
            caught[window.number] = ruling
    for window in truth.windows:
        asked = window.number in answers.windows
        verdict = _window_verdict(window, window.number in caught, asked)
        judged.windows.append(verdict)
        if verdict in ("wrongly caught", "escaped"):
            judged.complaints.append(f"window {window.number} of seat {window.seat}: {verdict}")


def _window_of(truth: Truth, ruling: Ruling) -> TrueWindow | None:
    """The window that a catch is about: the one whose own catch, or card, was nearest to it."""
    at = ruling.evidence.catch.at if isinstance(ruling.evidence, Calling) else ruling.at
    own = [
        window
        for window in truth.windows
        if ruling.draws[0].seat == window.seat and window.laid <= ruling.at
    ]

    def distance(window: TrueWindow) -> int:
        return abs((window.laid if window.catch is None else window.catch.at) - at)

    return min(own, key=distance, default=None)


def _window_verdict(window: TrueWindow, caught: bool, asked: bool) -> WindowVerdict:
    if window.too_close:
        return "too close"
    if caught != window.caught:
        return "wrongly caught" if caught else "escaped"
    return "asked" if asked else "right"
