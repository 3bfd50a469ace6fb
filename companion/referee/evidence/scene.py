"""The scene: all that the races and the calls of one reading are read from."""

from __future__ import annotations

from msgspec import Struct

from companion.referee.evidence.material import Material
from companion.referee.evidence.races.bunches import Hands
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import Timing


class Scene(Struct, frozen=True):
    """All that every race of one reading is read from."""

    material: Material
    hands: Hands
    """The touches that can be slaps of a race, or say something."""
    at_light: Hands
    """Those of slap-offs too."""
    idle: Hands
    """Those that no race has used: a seat that made several of them was hammering."""
    house: HouseRules
    timing: Timing
    now: int
    taken: frozenset[tuple[int, int]] = frozenset()
    """The touches of races with more hands: none of them is the late slap of this one."""
