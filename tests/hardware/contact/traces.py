"""Traces of edges, and a plain specification of what a push is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.referee.commands import ButtonCommand, PushButton, Release
from hardware.contact.contact import Contact
from hardware.contact.edges import HAND, MICROSECOND, MILLISECOND, SECOND, Dating, Edge, Level

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
    from up in which it reads "pressed" for a millisecond in all is a push, dated at its first edge.
    The push ends with the first edge of the movement that leaves the contact up, or with the last
    of its own movement, unless the contact is down again after a movement that began within 40 ms.
    """
    pushes: list[Push] = []
    for movement in movements(edges):
        began, ended = movement[0].at, movement[-1].at
        open_push = bool(pushes) and pushes[-1][1] is None
        opened = pushes[-1][1] if pushes else None
        bouncing = opened is not None and began - opened < 40 * MILLISECOND
        if open_push or bouncing:
            held, _ = pushes[-1]
            up_since = opened if bouncing else began
            pushes[-1] = (held, None if movement[-1].pressed else up_since)
        elif movement[-1].pressed or closed_for(movement) >= MILLISECOND:
            pushes.append((began, None if movement[-1].pressed else ended))
    return pushes


def closed_for(movement: Sequence[Edge]) -> int:
    """Add up how long a contact read as pressed from its first edge to its last."""
    return sum(later.at - edge.at for edge, later in pairwise(movement) if edge.pressed)


def looked(contact: Contact, at: int, pressed: bool) -> list[ButtonCommand]:
    """Look at the level of a line that has told all its edges."""
    return contact.rest(Level(contact.button, pressed, at, at))


def heard_pushes(reports: Iterable[ButtonCommand]) -> list[Push]:
    """Pair the presses that were reported, by their first edges, with their releases."""
    pushes: list[Push] = []
    dated = None
    for report in reports:
        if isinstance(report, PushButton):
            dated = report.at
            pushes.append((first_edge(report), None))
        elif isinstance(report, Release):
            assert report.pressed_at == dated
            pushes[-1] = (pushes[-1][0], report.at)
    return pushes


def first_edge(press: PushButton) -> int:
    """Tell when the first edge of a push was seen: the latest moment at which it can have begun."""
    return press.at + press.uncertainty - NUMBERED.base


def follow(contact: Contact, edges: Iterable[Edge]) -> list[ButtonCommand]:
    """Hand a trace to a contact as if nobody ever looked at a clock."""
    return [report for edge in edges for report in contact.edge(edge)]


def level_at(edges: Sequence[Edge], at: int) -> bool:
    """Tell how a resting line reads."""
    return next((edge.pressed for edge in reversed(edges) if edge.at <= at), False)


echoes = st.lists(st.integers(2 * 5, 2 * 2_000 + 1), max_size=5)
"""Each stands for a pause in half microseconds and, by being odd, for how the line then read."""
movements_of_a_hand = st.tuples(st.integers(50, 900), echoes, st.integers(25, 2_000), echoes)


def bounces(at: int, pressed: bool, echoed: Sequence[int]) -> list[Edge]:
    """One movement of a contact: it bounces, reads anyhow meanwhile, and rests where it went."""
    times = [at]
    for echo in echoed:
        times.append(times[-1] + echo // 2 * MICROSECOND)
    readings = [*(bool(echo % 2) for echo in echoed), pressed]
    return [Edge(1, t, reads) for t, reads in zip(times, readings, strict=True)]


@st.composite
def hands(draw: st.DrawFn) -> tuple[list[Push], list[Edge]]:
    """A hand at a button: its true pushes, and the edges of a contact that bounces."""
    truth: list[Push] = []
    edges: list[Edge] = []
    at = START
    for pause, going_down, dwell, going_up in draw(st.lists(movements_of_a_hand, max_size=5)):
        down = bounces(at + pause * MILLISECOND, True, going_down)
        up = bounces(down[-1].at + dwell * MILLISECOND, False, going_up)
        truth.append((down[0].at, up[0].at))
        edges += down + up
        at = up[-1].at
    return truth, edges


wild_edges = st.one_of(
    st.integers(2, 800),
    st.integers(800, 23_999),
    st.integers(24_000, 120_000),
    st.integers(120_000, 1_800_000),
)
"""Half microseconds between edges: bounces, near misses of the rest, flutters, and a hand's own
pace; an odd one reads "pressed"."""


@st.composite
def wild_traces(draw: st.DrawFn) -> list[Edge]:
    """Edges at any pace with any reading, which may be no hand at all."""
    at = START
    edges = []
    for drawn in draw(st.lists(wild_edges, max_size=24)):
        at += drawn // 2 * MICROSECOND
        edges.append(Edge(1, at, bool(drawn % 2)))
    return edges
