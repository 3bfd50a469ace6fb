"""One round at the late table: people play it, somebody tells it late, and it is judged."""

from __future__ import annotations

from random import Random

from companion.referee.commands import Way
from companion.referee.model.presses import SECOND, Timing
from tests.simulation.answers import Answers
from tests.simulation.evenings import HARD, Evening
from tests.simulation.free import Tapper
from tests.simulation.judge import Judged, judge
from tests.simulation.playing import FIRST, play_round
from tests.simulation.referee import Recorder, press_buttons
from tests.simulation.table import Playground, dealt
from tests.simulation.truth import Truth

PATIENCE = 20 * SECOND
"""So long after the last record everything must have been ruled."""
EXPRESS_SHARE = 0.15
TAPPED_SHARE = 0.45
PLAYERS = range(2, 11)


def truth_of(seed: int, evening: Evening = HARD) -> Truth:
    """The round of this seed: an edition, a way of playing, 2 to 10 people."""
    chance = Random(f"table {seed}")
    express = chance.random() < EXPRESS_SHARE
    way: Way = "free" if chance.random() < 0.5 else "refereed"
    players = chance.choice(PLAYERS)
    races = 0 if express else chance.choice(evening.races)
    edition = "express" if express else "fast-and-furious"
    return play_round(seed, players, edition, way, evening.habits, races, evening.hands)


class LateTable:
    """The table of one round, and the people who tell it what happened."""

    def __init__(self, truth: Truth, timing: Timing | None = None) -> None:
        self.truth = truth
        chance = Random(f"people {truth.seed}")
        timing = timing or Timing()
        table = dealt(truth.players, truth.edition, truth.way, FIRST, timing)
        self.ground = Playground(table, luck=truth.seed)
        self.answers = Answers(truth, chance, self.ground)
        self.tapped: dict[int, int] = {}
        press_buttons(self.ground, truth, chance)
        self.teller: Recorder | Tapper
        if truth.way == "refereed":
            self.teller = Recorder(truth, chance)
        else:
            taps = truth.players == 2 or chance.random() < TAPPED_SHARE
            self.teller = Tapper(truth, chance, taps_races=taps)
            self.tapped = self.teller.tapped
        self.teller.plan(self.ground)

    def run(self) -> Judged:
        """Let it all happen, and judge it."""
        self.ground.run(self.teller.done + PATIENCE)
        return judge(self.truth, self.ground, self.answers, self.tapped)


def one_round(seed: int, evening: Evening) -> Judged:
    """Play, tell and judge the round of this seed."""
    return LateTable(truth_of(seed, evening)).run()
