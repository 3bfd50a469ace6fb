"""`python -m bench`: prints what everything costs, beside its peers."""

from __future__ import annotations

import argparse
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

from bench.figure import HEADING, Figure
from bench.ground import CannotMeasure, Ground
from bench.registry import BENCHES, Bench

WORKSHOP = Path(__file__).resolve().parent.parent / "build"
"""Not the system's folder for temporary files, which may be no disk at all."""


def main(arguments: list[str] | None = None) -> None:
    """Run the benches that were asked for, and print each figure as soon as it is known."""
    names = [bench.name for bench in BENCHES]
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--only", action="append", choices=names, metavar="NAME", help=f"one of {', '.join(names)}"
    )
    parser.add_argument("--tiny", action="store_true", help="only try whether everything works")
    chosen = parser.parse_args(arguments)
    WORKSHOP.mkdir(exist_ok=True)
    began = time.monotonic()
    if chosen.tiny:
        print("In this size the figures only tell that everything works.")
    print(HEADING)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=WORKSHOP) as folder:
        ground = Ground(Path(folder), tiny=chosen.tiny)
        asked = [bench for bench in BENCHES if chosen.only is None or bench.name in chosen.only]
        broken: list[str] = []
        verdicts = [figure.verdict for bench in asked for figure in _told(bench, ground, broken)]
    met, missed = verdicts.count("met"), verdicts.count("not met")
    print(f"\n{met} of {met + missed} marks met, in {time.monotonic() - began:.0f} s.")
    if broken:
        raise SystemExit(f"These broke off: {', '.join(broken)}.")


def _told(bench: Bench, ground: Ground, broken: list[str]) -> Iterator[Figure]:
    """Print what a bench finds out while it does; where one breaks off, the others go on."""
    print(f"\n{bench.question}", flush=True)
    try:
        for figure in bench.figures(ground):
            print(figure.line(), flush=True)
            yield figure
    except CannotMeasure as why:
        print(f"Not measured: {why}", flush=True)
    except Exception:
        broken.append(bench.name)
        traceback.print_exc()


if __name__ == "__main__":
    main()
