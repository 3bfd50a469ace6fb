"""How much may be wrong: the shares of many rounds, added up, printed and held to their limits."""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.simulation.evenings import WINDOWS, Evening, Limits
from tests.simulation.judge import Judged

SURE = 0.001
"""A share above its limit fails where chance alone would bring so much less often than this."""


class Shares:
    """What came of many races and windows."""

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        self.counts: Counter[str] = Counter(counts or {})

    def add(self, judged: Judged) -> None:
        """Count one more round; dead heats and what is too close to tell are left out."""
        self.counts["rounds"] += 1
        for known, verdict in judged.races:
            if verdict != "dead heat":
                self._count(known, "wrong" if verdict == "unseen" else verdict)
        for window in judged.windows:
            if window != "too close":
                self._count(WINDOWS, window)
        self.counts["false races"] += judged.false_races
        self.counts["wrong layers"] += judged.wrong_layers
        self.counts["needless questions"] += judged.needless
        self.counts["questions without a true answer"] += judged.helpless

    def _count(self, group: str, verdict: str) -> None:
        if verdict == "open":
            verdict = "asked"
        self.counts[f"{group}/{verdict}"] += 1
        self.counts[f"{group}/all"] += 1

    def merge(self, others: Iterable[Shares]) -> Shares:
        """Add up several."""
        for other in others:
            self.counts.update(other.counts)
        return self

    def of(self, group: str, verdict: str) -> tuple[int, int]:
        """How many of how many; a race that nobody laid is wrong however it was seen."""
        count = self.counts[f"{group}/{verdict}"]
        if group == "hands" and verdict == "wrong":
            count += self.counts["false races"]
        return count, self.counts[f"{group}/all"]

    def lines(self, evening: Evening) -> list[str]:
        """The shares as a table."""
        told = [f"{self.counts['rounds']:,} rounds of an evening that is {evening.name}"]
        for (group, verdict), limit in evening.limits.items():
            count, total = self.of(group, verdict)
            share = 100 * count / total if total else 0.0
            told.append(
                f"{group:>9} {verdict:<15} {count:>5} of {total:>7,}  "
                f"{share:6.3f} %  (limit {100 * limit:.1f} %)"
            )
        rest = ("false races", "wrong layers", "needless questions")
        return [*told, *(f"{what}: {self.counts[what]:,}" for what in rest)]

    def too_many(self, limits: Limits) -> list[str]:
        """Which limits are exceeded by more than chance can explain."""
        found = []
        for (group, verdict), limit in limits.items():
            count, total = self.of(group, verdict)
            if total and count / total > limit and chance_of(count, total, limit) < SURE:
                found.append(f"{group}: {count} of {total} {verdict}, at most {100 * limit:.1f} %")
        return found


def chance_of(count: int, total: int, share: float) -> float:
    """How likely so many or more are, where each of the total happens with this share."""
    below = sum(
        math.exp(
            math.lgamma(total + 1)
            - math.lgamma(k + 1)
            - math.lgamma(total - k + 1)
            + k * math.log(share)
            + (total - k) * math.log1p(-share)
        )
        for k in range(count)
    )
    return max(0.0, 1.0 - below)


def shared_folder(temporary: pytest.TempPathFactory, name: str) -> Path:
    """A folder of this run that all its workers see."""
    base = temporary.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / name
    folder.mkdir(exist_ok=True)
    return folder


def pool(folder: Path, share: str, counts: Shares, expected: int) -> Shares | None:
    """Add a share to the others; whoever brings the last one gets all of them together."""
    half = folder / f"{share}.part"
    half.write_text(json.dumps(counts.counts), encoding="utf-8")
    half.rename(folder / f"{share}.json")
    whole = sorted(folder.glob("*.json"))
    if len(whole) < expected:
        return None
    return Shares().merge(Shares(json.loads(part.read_text(encoding="utf-8"))) for part in whole)
