"""`python -m bench.kernel`: how often each way of dating a press judges a race wrong.

The same races are played on the lines of a real kernel, in an emulated machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from msgspec import Struct

from tests.kernel import plan
from tests.kernel.machine import Act, play
from tests.kernel.packages import CannotRun
from tests.kernel.verdicts import Seen, judge_by_arrival, judge_scene

MILLISECOND = 1e6
SCENES = ("plain", "crowd", "bouncing", "stalls")
LINE = "{:<58} {:>6} {:>12} {:>12} {:>11} {:>11} {:>10}"
HEADING = LINE.format(
    "", "races", "wrong order", "wrong last", "dead heats", "date off", "stated"
)  # fmt: skip


class Row(Struct, frozen=True):
    """One way of dating, under one condition."""

    name: str
    seen: Seen

    def line(self) -> str:
        """Write it as a line of the table."""
        seen = self.seen
        return LINE.format(
            self.name,
            seen.races,
            _share(seen.wrong_order_races, seen.races),
            _share(seen.wrong_last, seen.races),
            _share(seen.dead_heats, seen.races),
            f"{seen.worst_error / MILLISECOND:.2f} ms",
            f"{seen.widest_uncertainty / MILLISECOND:.2f} ms" if seen.widest_uncertainty else "-",
        )


def measure(races: int, seed: int) -> list[Row]:
    """Play everything once; ways of dating the same races stand below each other."""
    acts = plan.two_processor_acts(races, seed)
    played = play("two processors", [act.played() for act in acts], 400 + races)
    rows = sorted(_rows("two processors", acts, played), key=lambda row: row.name)
    acts = plan.repeatable_acts(max(20, races // 15), seed)
    played = play("repeatable time", [act.played() for act in acts], 300 + races)
    return rows + sorted(_rows("repeatable time", acts, played), key=lambda row: row.name)


def _rows(machine: str, acts: list[plan.Act], played: dict[str, Act]) -> Iterator[Row]:
    for act in acts:
        result = played[act.name]
        for scene in act.scenes:
            way, _, load = act.name.partition(" ")
            under = f"{machine}, {load + ', ' if load in plan.LOADS else ''}{scene.name}"
            if act.program == "control":
                seen = judge_by_arrival(result, scene.name, scene.races)
                yield Row(f"{under}: gpiozero's {way}", seen)
            elif scene.name in SCENES:
                seen = judge_scene(result, scene.name, scene.races)
                yield Row(f"{under}: ours on {way}", seen)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.kernel", description=__doc__)
    parser.add_argument("--races", type=int, default=300, help="plain races in all")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    print(HEADING)
    try:
        for row in measure(chosen.races, chosen.seed):
            print(row.line(), flush=True)
    except CannotRun as reason:
        sys.exit(f"Nothing was measured: {reason}.")


if __name__ == "__main__":
    main()
