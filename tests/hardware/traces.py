"""Traces of edges, and a plain specification of what a push is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.referee.commands import ButtonCommand, Press, Release
from hardware.contact import Contact
from hardware.edges import HAND, MICROSECOND, MILLISECOND, SECOND, Dating, Edge

START = 1_000 * SECOND
NUMBERED = Dating(source="button", base=50 * MICROSECOND, numbered=True)
UNNUMBERED = Dating(source="button", base=50 * MICROSECOND)

Push = tuple[int, int | None]


def traces(
    count: int, *drawn: st.SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Hold a specification against so many drawn traces, and count that none of them was spared."""

    def decorate(holds: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            ran = 0

            @settings(max_examples=count, deadline=None)
            @given(st.tuples(*drawn))
            def one(trace: tuple[Any, ...]) -> None:
                nonlocal ran
                ran += 1
                holds(*trace)

            one()
            assert ran >= count

        test.__name__, test.__doc__ = holds.__name__, holds.__doc__
        return test

    return decorate


def edges_at(*changes: tuple[int, bool], button: int = 1) -> list[Edge]:
    """Make edges from (time, pressed) pairs."""
    return [Edge(button=button, at=at, pressed=pressed) for at, pressed in changes]


def movements(edges: Sequence[Edge]) -> list[list[Edge]]:
    """Part a trace wherever the contact rested."""
    parts: list[list[Edge]] = [[edges[0]]] if edges else []
    for before, edge in pairwise(edges):
        if edge.at - before.at >= HAND.quiet:
            parts.append([])
        parts[-1].append(edge)
    return parts


def specified_pushes(edges: Sequence[Edge]) -> list[Push]:
    """Say what a trace means, with the whole of it known beforehand.

    A contact is up or down whenever it rests, as the last edge before the rest reads. A movement
    from up that reads "pressed" at all is a push, dated at its first edge. It ends with the first
    edge of the movement that leaves the contact up, or with the last of its own movement.
    """
    pushes: list[Push] = []
    down = False
    held: int | None = None
    for movement in movements(edges):
        ends_down = movement[-1].pressed
        if down:
            if not ends_down and held is not None:
                pushes.append((held, movement[0].at))
                held = None
        elif any(edge.pressed for edge in movement):
            if ends_down:
                held = movement[0].at
            else:
                pushes.append((movement[0].at, movement[-1].at))
        down = ends_down
    if held is not None:
        pushes.append((held, None))
    return pushes


def heard_pushes(reports: Iterable[ButtonCommand]) -> list[Push]:
    """Pair the presses that were reported with their releases."""
    pushes: list[Push] = []
    for report in reports:
        if isinstance(report, Press):
            pushes.append((report.at, None))
        elif isinstance(report, Release):
            assert pushes[-1] == (report.pressed_at, None)
            pushes[-1] = (report.pressed_at, report.at)
    return pushes


def follow(contact: Contact, edges: Iterable[Edge]) -> list[ButtonCommand]:
    """Hand a trace to a contact as if nobody ever looked at a clock."""
    return [report for edge in edges for report in contact.edge(edge)]


def level_at(edges: Sequence[Edge], at: int) -> bool:
    """Tell how a resting line reads."""
    return next((edge.pressed for edge in reversed(edges) if edge.at <= at), False)


@st.composite
def bounces(draw: st.DrawFn, at: int, pressed: bool) -> list[Edge]:
    """One movement of a contact: it bounces, reads anyhow meanwhile, and rests where it went."""
    gaps = draw(st.lists(st.integers(5, 2_000), max_size=5))
    readings = draw(st.lists(st.booleans(), min_size=len(gaps), max_size=len(gaps)))
    times = [at]
    for gap in gaps:
        times.append(times[-1] + gap * MICROSECOND)
    return [Edge(1, t, reads) for t, reads in zip(times, [*readings, pressed], strict=True)]


@st.composite
def hands(draw: st.DrawFn) -> tuple[list[Push], list[Edge]]:
    """A hand at a button: its true pushes, and the edges of a contact that bounces."""
    truth: list[Push] = []
    edges: list[Edge] = []
    at = START
    for pause, dwell in draw(
        st.lists(st.tuples(st.integers(50, 900), st.integers(25, 2_000)), max_size=5)
    ):
        at += pause * MILLISECOND
        down = draw(bounces(at, True))
        up = draw(bounces(down[-1].at + dwell * MILLISECOND, False))
        truth.append((down[0].at, up[0].at))
        edges += down + up
        at = up[-1].at
    return truth, edges


wild_gaps = st.one_of(
    st.integers(1, 400),
    st.integers(400, 11_999),
    st.integers(12_000, 60_000),
    st.integers(60_000, 900_000),
)
"""Microseconds between edges: bounces, near misses of the rest, flutters, and a hand's own pace."""


@st.composite
def wild_traces(draw: st.DrawFn) -> list[Edge]:
    """Edges at any pace with any reading, which may be no hand at all."""
    at = START
    edges = []
    for gap, pressed in draw(st.lists(st.tuples(wild_gaps, st.booleans()), max_size=24)):
        at += gap * MICROSECOND
        edges.append(Edge(1, at, pressed))
    return edges
