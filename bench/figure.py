"""A figure: what something costs here and elsewhere in the same run, and the mark to keep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from msgspec import Struct


class Figure(Struct, frozen=True, kw_only=True):
    """One line of the bench."""

    name: str
    ours: float
    unit: str
    other: float | None = None
    """The floor or the peer, measured in the same run; None where the figure stands alone."""
    ratio: float | None = None
    """How many times as much it is here."""
    mark: float | None = None
    """The highest ratio that is still good, or count, where there is nothing beside it."""

    @classmethod
    def of_pairs(
        cls, name: str, pairs: Iterable[tuple[float, float]], unit: str, mark: float | None = None
    ) -> Figure:
        """Sum up pairs of ours and other, each measured side by side.

        The ratio is the median of theirs and not that of the two medians: what slowed one pair
        down, slowed both of it.
        """
        pairs = list(pairs)
        return cls(
            name=name,
            ours=median(ours for ours, _ in pairs),
            other=median(other for _, other in pairs),
            ratio=median(ours / other for ours, other in pairs),
            unit=unit,
            mark=mark,
        )

    @classmethod
    def of_share(
        cls,
        name: str,
        pairs: Iterable[tuple[float, float]],
        share: float,
        unit: str,
        mark: float | None = None,
    ) -> Figure:
        """Compare what this share of ours stays below with what the same share of the other does.

        For what comes in steps, as frames do, so that the ratio of a single pair says nothing.
        """
        ours, other = (_below(side, share) for side in zip(*pairs, strict=True))
        return cls(name=name, ours=ours, other=other, ratio=ours / other, unit=unit, mark=mark)

    @property
    def verdict(self) -> str:
        """Whether the mark is kept; empty without a mark."""
        if self.mark is None:
            return ""
        return "met" if (self.ratio or self.ours) <= self.mark else "not met"

    def line(self) -> str:
        """Write it as a line of the table."""
        fine = self.mark is not None and self.mark != round(self.mark, 1)
        ratio, mark = _number(self.ratio, 3), _number(self.mark, 2 if fine else 1)
        ours, other = _number(self.ours), _number(self.other)
        return _LINE.format(self.name, ours, other, self.unit, ratio, mark, self.verdict).rstrip()


_LINE = "{:<46} {:>9} {:>9} {:<9} {:>6} {:>5}  {}"

HEADING = _LINE.format("", "ours", "other", "", "ratio", "mark", "").rstrip()


def _below(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def _number(value: float | None, places: int | None = None) -> str:
    if value is None:
        return "-"
    if places is None:
        places = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{places}f}"
