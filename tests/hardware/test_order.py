"""The kernel's numbers against a small kernel of our own that overwrites dates as it does."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.edges import MICROSECOND, MILLISECOND, SECOND
from hardware.order import LATEST_THREAD, PATIENCE, PROVEN, WORST, EdgeOrder, Numbered

START = 1_000 * SECOND
LINES = (17, 27, 22)


class Kernel:
    """Lines of one request: interrupts date and number at once, threads report when they run."""

    def __init__(self) -> None:
        self.number = 0
        self.dates: dict[int, tuple[int, int]] = {}
        self.first: dict[int, int] = {}
        self.line_numbers = dict.fromkeys(LINES, 0)
        self.fifo: list[Numbered] = []
        self.truth: list[int] = []

    def interrupt(self, line: int, at: int) -> None:
        self.number += 1
        self.dates[line] = (at, self.number)
        self.first.setdefault(line, at)

    def run_thread(self, line: int) -> None:
        if line in self.dates:
            at, number = self.dates.pop(line)
            self.line_numbers[line] += 1
            self.fifo.append(Numbered(line, at, True, number, self.line_numbers[line]))
            self.truth.append(self.first.pop(line))


steps = st.lists(
    st.tuples(st.sampled_from(LINES), st.booleans(), st.integers(1, 3_000)), min_size=1, max_size=30
)


@settings(max_examples=1_000, deadline=None)
@given(steps)
def test_an_overwritten_date_is_always_in_doubt_by_at_least_its_error(happenings):
    kernel = Kernel()
    at = START
    for line, thread_runs, gap in happenings:
        at += gap * MICROSECOND
        kernel.interrupt(line, at)
        if thread_runs:
            kernel.run_thread(line)
    for line in LINES:
        kernel.run_thread(line)
    order = EdgeOrder(LINES)
    handed = order.take(kernel.fifo, at) + order.give_up(at + PATIENCE)
    assert len(handed) == len(kernel.fifo)
    assert order.due is None
    truth = {
        (edge.line, edge.at): true for edge, true in zip(kernel.fifo, kernel.truth, strict=True)
    }
    for edge in handed:
        error = edge.at - truth[edge.line, edge.at]
        assert error <= edge.doubt
        assert not edge.after_gap
    assert order.overwritten == kernel.number - len(kernel.fifo)


@settings(max_examples=500, deadline=None)
@given(st.permutations(range(1, 9)), st.lists(st.integers(1, 500), min_size=8, max_size=8))
def test_edges_that_only_come_out_of_order_are_put_into_order_without_doubt(arrival, gaps):
    """Every line's thread reports when it runs, so numbers may come in any order."""
    times = [START + sum(gaps[:n]) * MICROSECOND for n in range(8)]
    edges = {n: Numbered(n, times[n - 1], True, n, 1) for n in range(1, 9)}
    order = EdgeOrder(range(1, 9))
    handed = []
    for place, number in enumerate(arrival):
        handed += order.take([edges[number]], START + place * 10 * MICROSECOND)
    assert [edge.line for edge in handed] == list(range(1, 9))
    assert all(edge.doubt == 0 for edge in handed)
    assert order.overwritten == 0


def test_nothing_waits_longer_than_patience_for_a_number_that_never_comes():
    order = EdgeOrder(LINES)
    assert order.take([Numbered(17, START, True, 2, 1)], START + MILLISECOND) == []
    assert order.due == START + MILLISECOND + PATIENCE
    assert order.give_up(START + PATIENCE) == []
    (edge,) = order.give_up(START + MILLISECOND + PATIENCE)
    assert edge.doubt == WORST


def test_a_number_that_comes_after_all_is_handed_on_at_once():
    order = EdgeOrder(LINES)
    order.take([Numbered(17, START + 2, True, 2, 1)], START)
    order.give_up(START + PATIENCE)
    (late,) = order.take([Numbered(27, START + 1, True, 1, 1)], START + 2 * PATIENCE)
    assert (late.line, late.at) == (27, START + 1)


def test_a_number_that_comes_twice_is_two_edges():
    order = EdgeOrder(LINES)
    twice = [Numbered(17, START, True, 1, 1), Numbered(17, START + MILLISECOND, False, 1, 2)]
    assert [edge.at for edge in order.take(twice, START)] == [START, START + MILLISECOND]


def test_a_line_that_was_quiet_when_another_lost_a_date_is_soon_beyond_suspicion():
    order = EdgeOrder(LINES)
    order.take([Numbered(17, START, True, 1, 1), Numbered(17, START + 5, False, 3, 2)], START)
    order.give_up(START + PATIENCE)
    (soon,) = order.take([Numbered(22, START + 9, True, 4, 1)], START + LATEST_THREAD)
    assert soon.doubt == 9
    later = START + 2 * LATEST_THREAD
    (edge,) = order.take([Numbered(27, later, True, 5, 1)], later)
    assert edge.doubt == 0


def test_a_machine_that_proved_prompt_is_suspected_for_less_long_and_a_late_number_ends_that():
    order = EdgeOrder(LINES)
    for number in range(1, PROVEN + 1):
        order.take([Numbered(17, START + number, True, number, number)], START)
    assert order.suspicion == PATIENCE
    order.take([Numbered(17, START + 500, True, PROVEN + 2, PROVEN + 1)], START)
    order.give_up(START + PATIENCE)
    order.take([Numbered(27, START + 499, True, PROVEN + 1, 1)], START + 15 * MILLISECOND)
    assert order.suspicion == 30 * MILLISECOND


def test_a_second_loss_does_not_hide_behind_the_first():
    order = EdgeOrder(LINES)
    order.take([Numbered(17, START, True, 1, 1), Numbered(17, START + 5, False, 3, 2)], START)
    order.give_up(START + PATIENCE)
    later = START + 3 * LATEST_THREAD
    order.take([Numbered(17, later, True, 4, 3)], later)
    order.take([Numbered(27, later + MILLISECOND, True, 6, 1)], later)
    (edge,) = order.give_up(later + PATIENCE)
    assert edge.doubt == MILLISECOND


def test_reports_that_the_kernel_dropped_show_as_a_gap():
    order = EdgeOrder(LINES)
    order.take([Numbered(17, START, True, 1, 1)], START)
    order.take([Numbered(17, START + SECOND, True, 9, 9)], START + SECOND)
    (edge,) = order.give_up(START + 2 * SECOND)
    assert edge.after_gap
