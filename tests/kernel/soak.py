"""`python -m tests.kernel.soak`: thousands of races on a real kernel's lines, none judged wrong.

Each part boots a machine of its own and is written down when it is played, so an interrupted run
goes on with the next one. What was played with other code does not count.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

import msgspec

from tests.kernel import plan
from tests.kernel.machine import play
from tests.kernel.packages import CannotRun, cache
from tests.kernel.verdicts import Seen, judge_scene, total

ROOT = Path(__file__).parents[2]
JUDGED = ("hardware", "companion/referee", "tests/kernel")
"""What is played and who judges it; a change of these begins a new run."""
NOT_JUDGED = ("test_", "conftest", "soak")
SEEDS = (1, 2, 3)
PART = 240
SCENES = ("plain", "crowd", "spread", "bouncing", "stalls")
LINE = "{:<23} {:>6} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>8} {:>8}"
COLUMNS = "races decided open wrong order dates lost aside void off/ms said/ms"
HEADING = LINE.format("", *COLUMNS.split())


class Part(msgspec.Struct, frozen=True):
    """What one machine played, by act and scene."""

    seed: int
    number: int
    tallies: dict[str, Seen]

    @property
    def races(self) -> int:
        """How many races were judged."""
        return sum(seen.races for seen in self.tallies.values())

    @property
    def wrong(self) -> bool:
        """Whether anything was judged wrong, lost, dated too surely, or set aside."""
        seen = total(self.tallies.values())
        lost = (seen.missing, seen.extra, seen.aside)
        return any((seen.wrong_last, seen.wrong_order, seen.contradicted, *lost))


class Progress:
    """The parts that were played, one a line of a file in the user's cache."""

    def __init__(self, file: Path) -> None:
        self.file = file
        whole, _, _torn = file.read_bytes().rpartition(b"\n") if file.exists() else (b"", b"", b"")
        self.parts = [msgspec.json.decode(line, type=Part) for line in whole.splitlines()]

    def add(self, part: Part) -> None:
        """Write a part down, over one that was torn in the middle of a line."""
        self.parts.append(part)
        with self.file.open("wb") as kept:
            kept.writelines(msgspec.json.encode(one) + b"\n" for one in self.parts)

    @property
    def races(self) -> int:
        """How many races were judged so far."""
        return sum(part.races for part in self.parts)

    def left(self, races: int) -> Iterator[tuple[int, int]]:
        """Name the parts still to be played, the seeds in turn, until there are so many races."""
        played = {(part.seed, part.number) for part in self.parts}
        for number in count():
            for seed in SEEDS:
                if self.races >= races:
                    return
                if (seed, number) not in played:
                    yield seed, number


def fingerprint() -> str:
    """Tell by a few letters which code is on trial."""
    files = sorted(
        path
        for name in JUDGED
        for path in (ROOT / name).rglob("*.[pc]*")
        if path.suffix in (".py", ".c") and not path.name.startswith(NOT_JUDGED)
    )
    told = b"".join(
        path.relative_to(ROOT).as_posix().encode() + path.read_bytes() for path in files
    )
    return hashlib.sha256(told).hexdigest()[:12]


def play_part(seed: int, number: int, keep: Path) -> Part:
    """Play one part and judge it; where anything is wrong, all that was reported is kept."""
    acts = plan.soak_acts(PART, 1_000 * seed + number)
    results = play("two processors", [act.played() for act in acts], 400 + 4 * PART)
    tallies = {
        f"{act.name} {scene.name}": judge_scene(results[act.name], scene.name, scene.races)
        for act in acts
        for scene in act.scenes
        if scene.name in SCENES
    }
    part = Part(seed, number, tallies)
    if part.wrong:
        evidence = keep.with_name(f"{keep.stem}-{seed}-{number}.json")
        evidence.write_bytes(msgspec.json.encode(results))
        print(f"Something is wrong; all reports are in {evidence}", flush=True)
    return part


def table(parts: Iterable[Part]) -> Iterator[str]:
    """Write what was seen, one line for each kind of race and one for all."""
    parts = list(parts)
    yield HEADING
    for name in parts[0].tallies if parts else ():
        yield _line(name, total(part.tallies[name] for part in parts))
    for seed in SEEDS:
        ours = [seen for part in parts if part.seed == seed for seen in part.tallies.values()]
        yield _line(f"seed {seed}", total(ours))
    yield _line("all", total(seen for part in parts for seen in part.tallies.values()))


def _line(name: str, seen: Seen) -> str:
    return LINE.format(
        name,
        seen.races,
        seen.decided,
        seen.dead_heats,
        seen.wrong_last,
        seen.wrong_order,
        seen.contradicted,
        seen.missing + seen.extra,
        seen.aside,
        seen.void,
        f"{seen.worst_error / 1e6:.2f}",
        f"{seen.widest_uncertainty / 1e6:.2f}",
    )


def run(progress: Progress, races: int, played: Callable[[int, int], Part]) -> int:
    """Play what is left, print the table, and tell how many parts have anything wrong in them."""
    if progress.parts:
        print(f"Going on after {progress.races} races.", flush=True)
    for seed, number in progress.left(races):
        progress.add(played(seed, number))
        print(f"{progress.races} of {races} races are played.", flush=True)
    print("\n".join(table(progress.parts)))
    for part in progress.parts:
        for name, seen in part.tallies.items():
            for remark in seen.remarks:
                print(f"seed {part.seed}, part {part.number}, {name}: {remark}")
    return sum(part.wrong for part in progress.parts)


def main() -> None:
    """Play ten thousand races, or as many as are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.kernel.soak", description=__doc__)
    parser.add_argument("--races", type=int, default=10_000)
    chosen = parser.parse_args()
    progress = Progress(cache() / f"soak-{fingerprint()}.jsonl")
    try:
        wrong = run(progress, chosen.races, partial(play_part, keep=progress.file))
    except CannotRun as reason:
        sys.exit(f"Nothing was played: {reason}.")
    sys.exit(f"{wrong} of {len(progress.parts)} parts are not right." if wrong else 0)


if __name__ == "__main__":
    main()
