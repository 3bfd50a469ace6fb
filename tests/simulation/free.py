"""Free play: who taps a race or a catch into the tablet, and when."""

from __future__ import annotations

from random import Random

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.table import Race
from tests.simulation.people import between
from tests.simulation.referee import takes_back
from tests.simulation.table import Playground
from tests.simulation.truth import TrueRace, TrueWindow, Truth

DURING = 0.4
"""So often the race is tapped in while hands still come down; else 1 to 25 s after."""
WRONG_LAYER = 0.05
"""So often somebody else is tapped at first."""
SECOND_THOUGHTS = 0.03
"""So often the tap is taken back and done again."""
NAMES_CATCHER = 0.5
"""So often the tablet is told who caught."""
NEAR = (-600 * MILLISECOND, 4 * SECOND)
"""The first hand that the table sees of a race lies so far from the card."""


class Tapper:
    """Somebody with the tablet, who follows no cards and enters what the table should know."""

    def __init__(self, truth: Truth, chance: Random, *, taps_races: bool) -> None:
        self.truth = truth
        self.chance = chance
        self.taps_races = taps_races
        self.tapped: dict[int, int] = {}
        """The races whose layer somebody has named on the tablet, and when first."""
        self.records: set[int] = set()
        """What the table made of these taps."""
        self.done = truth.ended

    def plan(self, ground: Playground) -> None:
        """Decide when each race and each catch is tapped in."""
        free_from = 0
        for race in self.truth.races:
            free_from = self._race(ground, race, free_from) + SECOND
            self.done = max(self.done, free_from)
        for window in self.truth.windows:
            self._catch(ground, window)

    def _race(self, ground: Playground, race: TrueRace, free_from: int) -> int:
        if not self.taps_races:
            at = max(race.laid + between(self.chance, 9.0, 14.0), free_from)
            ground.plan(at, lambda table: self._tap_unseen(table, race))
            return at
        during = self.chance.random() < DURING
        delay = between(self.chance, 0.3, 2.0) if during else between(self.chance, 1.0, 25.0)
        at = max(race.laid + delay, free_from)
        luck = self.chance.random()
        if luck < WRONG_LAYER and not self._another(race, at):
            return self._tap_wrong(ground, race, at)
        ground.plan(at, lambda table: self._tap(table, race))
        if luck < WRONG_LAYER + SECOND_THOUGHTS:
            at = self._back_and_forth(ground, race, at)
        return at

    def _back_and_forth(self, ground: Playground, race: TrueRace, at: int) -> int:
        """Take the tap back, see that it was right, and do it again, or tap anew."""
        back = at + between(self.chance, 0.6, 1.5)
        again = back + between(self.chance, 0.6, 1.5)

        def redo(table: Playground) -> None:
            if not table.tell(c.Redo()):
                self._declare(table, race)

        def undo(table: Playground) -> None:
            if takes_back(table, "step_race") and table.round.named:
                table.tell(c.Undo())
                table.plan(again, redo)

        ground.plan(back, undo)
        return again

    def _tap(self, ground: Playground, race: TrueRace) -> None:
        """Name the race, also where the table has seen it by itself."""
        if not self._known(ground, race):
            self._declare(ground, race)

    def _known(self, ground: Playground, race: TrueRace) -> bool:
        """Whether the table shows this race rightly, so that nobody needs to tap; some do."""
        shown, luck = read_as(ground, self.truth, race), self.chance.random()
        if shown is None or shown.layer != race.layer or shown.record in self.records:
            return False
        return shown.record is not None or luck < 0.5

    def _declare(self, ground: Playground, race: TrueRace) -> None:
        self.tapped.setdefault(race.number, ground.now)
        if ground.tell(c.DeclareRace(race.layer)):
            self.records.add(ground.round.named[-1].number)

    def _tap_unseen(self, ground: Playground, race: TrueRace) -> None:
        """Nobody taps a race that the table shows or asks about; but one that it does not see."""
        if read_as(ground, self.truth, race) is None:
            self._declare(ground, race)

    def _another(self, race: TrueRace, at: int) -> bool:
        """Whether another race comes just then, so that the tablet would show that one."""
        near = (other for other in self.truth.races if other.number != race.number)
        return any(at - 4 * SECOND < other.laid < at + 6 * SECOND for other in near)

    def _tap_wrong(self, ground: Playground, race: TrueRace, at: int) -> int:
        """Another seat is tapped first, and then changed, or taken back and tapped again."""
        wrong = self.chance.choice([seat for seat in self.truth.seats if seat != race.layer])
        later = at + between(self.chance, 1.0, 4.0)
        again = later + between(self.chance, 0.5, 1.5)
        undoes = self.chance.random() < 0.5

        slipped: list[bool] = []

        def slip(table: Playground) -> None:
            if not self._known(table, race):
                self.tapped[race.number] = table.now
                slipped.append(table.tell(c.DeclareRace(wrong)))

        def correct(table: Playground) -> None:
            if not any(slipped):
                return
            elsewhere = self._shown_elsewhere(table, race)
            undo = takes_back(table, "step_race") and _latest(table).record is not None
            if undo and (undoes or elsewhere):
                table.tell(c.Undo())
            elif not elsewhere:
                table.tell(c.ChangeLayer(race.layer))
                return
            table.plan(again, lambda later: self._declare(later, race))

        ground.plan(at, slip)
        ground.plan(later, correct)
        return again

    def _shown_elsewhere(self, ground: Playground, race: TrueRace) -> bool:
        """Whether the slip was taken for another race, which a new layer would only spoil."""
        named = ground.round.named[-1].number
        slip = next((shown for shown in ground.round.races if shown.record == named), None)
        others = (other for other in self.truth.races if other.number != race.number)
        return slip is not None and any(
            NEAR[0] <= slip.anchor - other.laid <= NEAR[1] for other in others
        )

    def _catch(self, ground: Playground, window: TrueWindow) -> None:
        """The catcher presses; somebody then taps the seat, unless it was too late."""
        if window.catch is None or window.catch.at >= window.closed:
            return
        first = window.catch.at + between(self.chance, 2.0, 8.0)
        ago = self.chance.randrange(2500)
        by = window.catch.by if self.chance.random() < NAMES_CATCHER else None
        at = first + ago * MILLISECOND
        ground.plan(at, c.Catch(window.seat, by, ago))
        self.done = max(self.done, at)


def _latest(ground: Playground) -> Race:
    return [race for race in ground.round.races if race.state != "void"][-1]


def read_as(ground: Playground, truth: Truth, race: TrueRace) -> Race | None:
    """What the table shows of this race by now."""
    later = min((other.laid for other in truth.races if other.laid > race.laid), default=None)
    near = [
        shown
        for shown in ground.round.races
        if shown.state != "void"
        and NEAR[0] <= shown.anchor - race.laid <= NEAR[1]
        and (later is None or shown.anchor < later)
    ]
    return min(near, key=lambda shown: abs(shown.anchor - race.laid), default=None)
