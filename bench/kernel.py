"""`python -m bench.kernel`: how often each way of dating a press judges a race wrong.

The same races are played on the lines of a real kernel, in an emulated machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from itertools import chain

from msgspec import Struct

from tests.kernel import plan
from tests.kernel.machine import Act, Kind, play
from tests.kernel.packages import CannotRun
from tests.kernel.verdicts import Seen, judge_by_arrival, judge_scene

MILLISECOND = 1e6
WAYS = ("ours on gpiod", "ours on lgpio", "when_pressed", "wait_for_press", "bounce_time")
SCENES = {
    "plain": "2 to 10 hands, 20 µs to 5 ms apart",
    "crowd": "ten hands, 20 to 100 µs apart",
    "spread": "2 to 10 hands, 5 to 80 ms apart",
    "bouncing": "contacts that bounce",
    "stalls": "the program stopped in mid-race",
}
LINE = "{:<46}" + " {:>14}" * len(WAYS)


class Measured(Struct, frozen=True):
    """What one way made of the races under one condition."""

    condition: str
    way: str
    seen: Seen


QUESTIONS: dict[str, Callable[[Seen], str]] = {
    "Races": lambda s: str(s.races),
    "Races with two hands in the wrong order": lambda s: _share(s.wrong_order_races, s.races),
    "Races with the wrong hand last": lambda s: _share(s.wrong_last, s.races),
    "Races left open as a dead heat": lambda s: _share(s.dead_heats, s.races),
    "The worst date, in ms": lambda s: f"{s.worst_error / MILLISECOND:.2f}",
    "The widest stated uncertainty, in ms": lambda s: (
        f"{s.widest_uncertainty / MILLISECOND:.2f}" if s.widest_uncertainty else "none"
    ),
}


def measure(races: int, seed: int) -> list[Measured]:
    """Play everything once on each of the two machines."""
    few = max(20, races // 15)
    return [
        *_played("two processors", plan.two_processor_acts(races, seed), 400 + races),
        *_played("repeatable time", plan.repeatable_acts(few, seed), 300 + races),
    ]


def table(measured: list[Measured]) -> Iterator[str]:
    """Write all ways side by side, one block for each question."""
    conditions = sorted({one.condition for one in measured}, key=_place)
    by_place = {(one.condition, one.way): one.seen for one in measured}
    for question, answer in QUESTIONS.items():
        yield ""
        yield LINE.format(question, *WAYS)
        for condition in conditions:
            found = [by_place.get((condition, way)) for way in WAYS]
            cells = ["-" if seen is None else answer(seen) for seen in found]
            yield LINE.format(condition, *cells)


def _played(machine: Kind, acts: list[plan.Act], seconds: float) -> Iterator[Measured]:
    results = play(machine, [act.played() for act in acts], seconds)
    return chain.from_iterable(_measured(machine, act, results[act.name]) for act in acts)


def _measured(machine: Kind, act: plan.Act, result: Act) -> Iterator[Measured]:
    way, _, load = act.name.partition(" ")
    for scene in act.scenes:
        if scene.name not in SCENES:
            continue
        if load in plan.LOADS:
            condition = f"{load}, {SCENES[scene.name]}"
        elif machine == "repeatable time":
            condition = f"{SCENES[scene.name]}, repeatable time"
        else:
            condition = SCENES[scene.name]
        if act.program == "control":
            yield Measured(condition, way, judge_by_arrival(result, scene.name, scene.races))
        else:
            seen = judge_scene(result, scene.name, scene.races)
            yield Measured(condition, f"ours on {way}", seen)


def _place(condition: str) -> tuple[int, int]:
    """Put scenes in the order of the plan, and within each the loads in theirs."""
    scene = next(n for n, words in enumerate(SCENES.values()) if words in condition)
    loads = [n for n, load in enumerate(plan.LOADS) if condition.startswith(load)]
    return scene, loads[0] if loads else len(condition)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.kernel", description=__doc__)
    parser.add_argument("--races", type=int, default=300, help="plain races in all")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    print("Booting a kernel twice; this takes some minutes.", flush=True)
    try:
        for line in table(measure(chosen.races, chosen.seed)):
            print(line)
    except CannotRun as reason:
        sys.exit(f"Nothing was measured: {reason}.")


if __name__ == "__main__":
    main()
