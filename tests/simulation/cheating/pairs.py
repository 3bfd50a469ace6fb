"""Counting pairs: whether a cheat is last less often than an honest hand in the same worlds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.referee.model.presses import Timing
from tests.simulation.cheating.cheats import Cheat
from tests.simulation.cheating.contest import cheated, honest, world
from tests.simulation.shares import SURE, chance_of


@dataclass(slots=True)
class Pairs:
    """Races run twice; those that stayed open in either world count for nobody."""

    races: int = 0
    open: int = 0
    cheat_last: int = 0
    honest_last: int = 0
    """How often the cheat's seat was last, cheating and honest."""
    spared: int = 0
    """Races in which cheating alone kept that seat from being last,"""
    punished: int = 0
    """and in which it alone made it last."""
    blamed: int = 0
    """Times that another, honest hand was last only because of the cheat,"""
    relieved: int = 0
    """and times that one was not last only because of it."""

    def add(self, other: Pairs) -> None:
        """Add up."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def pays(self) -> bool:
        """Whether cheating keeps the cheat from being last, more than chance can explain."""
        return _more(self.spared, self.punished)

    @property
    def harms(self) -> bool:
        """Whether honest hands are last more often for it."""
        return _more(self.blamed, self.relieved)

    def line(self, name: str) -> str:
        """One row of figures."""
        share = 100 / max(1, self.races)
        return (
            f"{name:<34} {self.races:>5} races  last {self.cheat_last * share:5.1f} %"
            f"  honest {self.honest_last * share:5.1f} %  open {self.open}"
        )


def tried(cheat: Cheat, company: bool, seeds: Iterable[int], timing: Timing | None = None) -> Pairs:
    """Run a cheat through these worlds."""
    pairs = Pairs()
    for seed in seeds:
        here, fair = world(seed), honest(seed)
        foul = cheated(seed, cheat, company, timing)
        if fair.open or foul.open:
            pairs.open += 1
            continue
        seats = here.cheats if company and not cheat.poses else here.cheats[:1]
        pairs.races += 1
        before, after = seats[0] in fair.last, seats[0] in foul.last
        pairs.cheat_last += after
        pairs.honest_last += before
        pairs.spared += before and not after
        pairs.punished += after and not before
        pairs.blamed += len(set(foul.last) - set(fair.last) - set(seats))
        pairs.relieved += len(set(fair.last) - set(foul.last) - set(seats))
    return pairs


def _more(one: int, other: int) -> bool:
    return one > other and chance_of(one, one + other, 0.5) < SURE
