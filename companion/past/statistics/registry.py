"""All statistics, in the order of the answer; a new one is a line here."""

from __future__ import annotations

from msgspec import defstruct

from companion.past.statistics.calling import CALLS
from companion.past.statistics.racing import BEATEN, HANDS, RIVALS, SHAVE
from companion.past.statistics.scoring import COMEBACKS, POINTS, RATES, WINNERS
from companion.past.statistics.statistic import Statistic
from companion.past.statistics.totals import DEAD_HEATS, MATCHES, PEOPLE, RACES, ROUNDS

STATISTICS: tuple[Statistic, ...] = (
    MATCHES,
    ROUNDS,
    RACES,
    DEAD_HEATS,
    PEOPLE,
    WINNERS,
    HANDS,
    SHAVE,
    BEATEN,
    RIVALS,
    CALLS,
    POINTS,
    COMEBACKS,
    RATES,
)

Night = defstruct(
    "Night", [*((one.key, one.shape) for one in STATISTICS), ("pictures", dict[str, str])]
)
"""The shape of the whole answer; `pictures` are those that the page draws by itself."""
