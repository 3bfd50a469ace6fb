"""The people of a match: their habits, and how they speak and press one after the other."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from companion.demo.steps import Pushes, Steps, TimedCommand, taps
from companion.referee.commands import Command
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.table import Table


class Habits(Struct, frozen=True):
    """How often people do these things when they can, from 0 to 1."""

    keep_what_was_drawn: float = 0.3
    name_colour_later: float = 0.0
    """The colour of a wild is named only when it is asked for."""
    forget_uno: float = 0.2
    catch: float = 0.3
    """A player catches the holder of a last card, rightly or not."""
    challenge: float = 0.3
    slip: float = 0.02
    """A card is taken back and laid again."""
    tie: float = 0.0
    """The last two hands of a race come down together."""
    stay_away: float = 0.0
    """A racer does not slap."""
    jump_the_light: float = 0.0
    """A player in a slap-off presses before the light."""
    pick: float = 0.0
    """The referee says who was last, where a slap-off could decide it."""
    rest: int = 0
    """How many nanoseconds all hands are off the buttons before a race or a last card."""


STEADY = Habits()
"""What these people do depends on nothing that a table draws by lot: it can be written down."""
LIVELY = Habits(
    name_colour_later=0.3,
    challenge=0.5,
    tie=0.15,
    slip=0.01,
    stay_away=0.04,
    jump_the_light=0.08,
    pick=0.2,
    rest=36 * SECOND,
)
"""For a match that is watched: lawful and quick, with ties, slips and challenges."""


class DemoPeople:
    """The players at one table, with one clock that begins at 0 and one source of chance."""

    def __init__(self, seed: int, habits: Habits) -> None:
        self.random = Random(seed)
        self.habits = habits
        self.now = 0
        self._pressed = 0

    def chance(self, probability: float) -> bool:
        """Draw by lot."""
        return self.random.random() < probability

    def in_between(self, least: int, most: int) -> int:
        """Choose a time between two numbers of milliseconds."""
        return self.random.randrange(least, most) * MILLISECOND

    def say(self, command: Command, after: int | None = None) -> Steps:
        """Bring something to the table, after a moment's thought if no time is given."""
        self.now += self.in_between(500, 1_100) if after is None else after
        table = yield TimedCommand(self.now, command)
        return table

    def press(self, table: Table, pushes: Pushes) -> Steps:
        """Push buttons and let them go; the table is as before where there are none."""
        for step in taps(pushes):
            self.now = self._pressed = step.at
            table = yield step
        return table

    def rest(self) -> None:
        """Keep all hands off, so that it is clear what the next presses are for."""
        self.now = max(self.now, self._pressed + self.habits.rest)
