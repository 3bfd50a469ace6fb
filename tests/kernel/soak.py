"""`python -m tests.kernel.soak`: thousands of races on a real kernel's lines, none judged wrong.

Each part boots a machine of its own and is written down when it is played, so an interrupted run
goes on with the next one. What was played with other code does not count.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable, Iterator
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
SEEDS = (1, 2, 3)
PART = 240
SCENES = ("plain", "crowd", "bouncing", "stalls")
LINE = "{:<18} {:>6} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>9} {:>9}"
HEADING = LINE.format(
    "", "races", "decided", "open", "wrong", "order", "lost", "void", "off, ms", "said, ms"
)


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
        """Whether anything was judged wrong, lost without a word, or dated too surely."""
        seen = total(self.tallies.values())
        return bool(_wrong(seen))


def _wrong(seen: Seen) -> int:
    return seen.wrong_last + seen.wrong_order + seen.contradicted + seen.missing + seen.extra


class Progress:
    """The parts that were played, kept in a file of the user's cache."""

    def __init__(self, file: Path) -> None:
        self.file = file
        lines = file.read_bytes().splitlines() if file.exists() else []
        self.parts = [msgspec.json.decode(line, type=Part) for line in lines]

    def add(self, part: Part) -> None:
        """Write a part down."""
        with self.file.open("ab") as kept:
            kept.write(msgspec.json.encode(part) + b"\n")
        self.parts.append(part)

    def left(self, races: int) -> Iterator[tuple[int, int]]:
        """Name the parts still to be played, the seeds in turn, until there are so many races."""
        played = {(part.seed, part.number) for part in self.parts}
        for number in count():
            for seed in SEEDS:
                if sum(part.races for part in self.parts) >= races:
                    return
                if (seed, number) not in played:
                    yield seed, number


def fingerprint() -> str:
    """Tell by a few letters which code is on trial."""
    files = sorted(
        path
        for name in JUDGED
        for path in (ROOT / name).rglob("*.py")
        if not path.name.startswith(("test_", "conftest"))
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
        seen.missing + seen.extra,
        seen.void,
        f"{seen.worst_error / 1e6:.2f}",
        f"{seen.widest_uncertainty / 1e6:.2f}",
    )


def main() -> None:
    """Play what is left, print the table, and fail if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.kernel.soak", description=__doc__)
    parser.add_argument("--races", type=int, default=10_000)
    chosen = parser.parse_args()
    progress = Progress(cache() / f"soak-{fingerprint()}.jsonl")
    if progress.parts:
        print(f"Going on after {sum(part.races for part in progress.parts)} races.", flush=True)
    try:
        for seed, number in progress.left(chosen.races):
            progress.add(play_part(seed, number, progress.file))
            played = sum(part.races for part in progress.parts)
            print(f"{played} of {chosen.races} races are played.", flush=True)
    except CannotRun as reason:
        sys.exit(f"Nothing was played: {reason}.")
    print("\n".join(table(progress.parts)))
    remarks = [r for part in progress.parts for s in part.tallies.values() for r in s.remarks]
    sys.exit("\n".join(remarks) or any(part.wrong for part in progress.parts))


if __name__ == "__main__":
    main()
