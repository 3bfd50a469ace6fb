"""The listener with lines that deliver late: a level is believed behind the edges before it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from companion.referee.commands import ButtonCommand, MissPresses, PushButton, Release, SetAside
from hardware.contact.edges import MICROSECOND, MILLISECOND, SECOND, Dating, Edge, EdgesLost, Level
from hardware.contact.level_checks import LEAST_HOLD, MOST_HOLD, LevelChecks
from hardware.contact.listener import Listener
from tests.kit.night import until

MS = MILLISECOND
FEW = 5


class LateLine:
    """A line whose edges wait somewhere until they are delivered."""

    dating = Dating(source="button", base=50 * MICROSECOND, numbered=True)

    def __init__(self) -> None:
        self.level = False
        self.looked = 0
        self._tell: Callable[[Edge | EdgesLost], None] | None = None
        self._asked: list[Callable[[], None]] = []
        self._waiting: list[Edge] = []

    def listen(self, tell: Callable[[Edge | EdgesLost], None]) -> None:
        self._tell = tell

    def mute(self) -> None:
        pass

    def close(self) -> None:
        pass

    def pressed(self) -> bool:
        self.looked += 1
        return self.level

    def drain(self, then: Callable[[], None]) -> bool:
        if self._waiting:
            self._asked.append(then)
        else:
            then()
        return True

    def move(self, at: int, pressed: bool) -> None:
        """Move the contact; its edge waits."""
        self.level = pressed
        self._waiting.append(Edge(1, at, pressed))

    def deliver(self, edges: int | None = None) -> None:
        """Tell what has waited, or some of it; whoever asked is answered when all is told."""
        told, self._waiting = self._waiting[:edges], self._waiting[len(self._waiting[:edges]) :]
        assert self._tell is not None
        for edge in told:
            self._tell(edge)
        if not self._waiting:
            asked, self._asked = self._asked, []
            for then in asked:
                then()


@contextmanager
def listening() -> Iterator[tuple[LateLine, list[ButtonCommand]]]:
    line = LateLine()
    said: list[ButtonCommand] = []
    listener = Listener({1: line}, said.append)
    listener.start()
    try:
        yield line, said
    finally:
        listener.stop()


def looked_again(line: LateLine) -> None:
    """Wait until the level was read a few times more."""
    enough = line.looked + FEW
    until(lambda: line.looked >= enough)


def test_a_level_that_agrees_by_chance_does_not_end_a_push_whose_edges_are_on_their_way():
    """Half of a bounce is told, and the hand is long gone: the line reads as that half ended."""
    with listening() as (line, said):
        for n in range(1, FEW + 1):
            at = time.monotonic_ns()
            line.move(at, True)
            line.move(at + 200 * MICROSECOND, False)
            line.move(at + 400 * MICROSECOND, True)
            line.move(at + 80 * MS, False)
            line.deliver(2)
            looked_again(line)
            assert sum(isinstance(r, PushButton) for r in said) == n - 1
            line.deliver()
            until(lambda: sum(isinstance(r, Release) for r in said) == n)  # noqa: B023
        assert not [r for r in said if isinstance(r, SetAside | MissPresses)]
        assert sum(isinstance(r, PushButton) for r in said) == FEW


def test_a_level_that_disagrees_is_no_loss_while_its_edge_is_on_its_way():
    with listening() as (line, said):
        at = time.monotonic_ns()
        line.move(at, True)
        looked_again(line)
        assert said == []
        line.deliver()
        until(lambda: bool(said))
        assert [(type(r), r.at) for r in said if isinstance(r, PushButton)] == [(PushButton, at)]
        assert len(said) == 1


@pytest.mark.parametrize(
    ("late", "hold"),
    [
        pytest.param(0, LEAST_HOLD, id="edges come at once"),
        pytest.param(5 * MS, 10 * MS, id="edges come a little late"),
        pytest.param(SECOND, MOST_HOLD, id="but nobody waits for ever"),
    ],
)
def test_where_nobody_knows_what_is_on_its_way_a_level_waits_as_long_as_edges_were_late(late, hold):
    looks = LevelChecks()
    now = 1_000 * SECOND
    looks.arrived(now - late, now)
    level = Level(1, True, now, now)
    looks.hold(level)
    assert looks.drained(now + hold - 1) == []
    assert looks.due({}, latest=now + SECOND) == now + hold
    assert looks.drained(now + hold) == [level]
    assert looks.drained(now + hold) == []


def test_an_edge_that_was_late_long_ago_holds_nothing_up():
    looks = LevelChecks()
    now = 1_000 * SECOND
    looks.arrived(now - SECOND, now)
    later = now + 2 * SECOND
    looks.arrived(later, later)
    looks.hold(Level(1, True, later, later))
    assert len(looks.drained(later + LEAST_HOLD)) == 1


def test_a_push_is_shown_before_it_is_believed_unless_the_buttons_are_checked():
    line, shown, told = LateLine(), list[PushButton](), list[ButtonCommand]()
    listener = Listener({1: line}, told.append, on_touch=shown.append)
    listener.excuse(racing=True, slaps={})  # On a slow machine nobody's hand is stuck either.
    listener.start()
    try:
        first = time.monotonic_ns()
        line.move(first, True)
        line.deliver()
        until(lambda: told)
        assert [press.at for press in shown] == [first]
        assert [press.at for press in told if isinstance(press, PushButton)] == [first]
        line.move(first + 100 * MS, False)
        line.deliver()
        until(lambda: isinstance(told[-1], Release))
        checked: list[ButtonCommand] = []
        listener.hand_over = checked.append
        line.move(time.monotonic_ns(), True)
        line.deliver()
        until(lambda: checked)
        assert [press.at for press in shown] == [first]
    finally:
        listener.stop()
