"""The kernel's numbers against a small kernel of our own that overwrites dates as it does."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.contact.edge_order import PATIENCE, REMEMBERED, EdgeOrder, Numbered
from hardware.contact.edges import MICROSECOND, MILLISECOND, SECOND
from hardware.contact.lateness import BLOCK, LEAST, UNKNOWN, Lateness

START = 1_000 * SECOND
LINES = (17, 27, 22)


class Kernel:
    """Lines of one request: interrupts date and number at once, threads report when they run."""

    def __init__(self) -> None:
        self.number = 0
        self.levels = dict.fromkeys(LINES, False)
        self.dates: dict[int, tuple[int, int]] = {}
        self.first: dict[int, int] = {}
        self.line_numbers = dict.fromkeys(LINES, 0)
        self.fifo: list[Numbered] = []
        self.truth: list[int] = []

    def interrupt(self, line: int, at: int) -> None:
        self.number += 1
        self.levels[line] = not self.levels[line]
        self.dates[line] = (at, self.number)
        self.first.setdefault(line, at)

    def run_thread(self, line: int) -> None:
        if line in self.dates:
            at, number = self.dates.pop(line)
            self.line_numbers[line] += 1
            level, line_number = self.levels[line], self.line_numbers[line]
            self.fifo.append(Numbered(line, at, level, number, line_number))
            self.truth.append(self.first.pop(line))


steps = st.lists(
    st.tuples(
        st.sampled_from(LINES),
        st.sampled_from(("interrupt", "thread", "both", "read")),
        st.integers(1, 3_000),
        st.sampled_from((0, 1, 5, 40)),
    ),
    min_size=1,
    max_size=30,
)


@settings(max_examples=1_000, deadline=None)
@given(steps)
def test_an_overwritten_date_is_always_in_doubt_by_its_error(happenings):
    """Threads run when they like, and reports are read when there is time: that proves nothing."""
    kernel = Kernel()
    order = EdgeOrder(LINES, Lateness())
    handed = []
    at = START
    read = 0
    for line, what, gap, late in happenings:
        at += gap * MICROSECOND
        if what in ("interrupt", "both"):
            kernel.interrupt(line, at)
        if what in ("thread", "both"):
            kernel.run_thread(line)
        if what == "read":
            handed += order.give_up(at + late * MILLISECOND)
            handed += order.take(kernel.fifo[read:], at + late * MILLISECOND)
            read = len(kernel.fifo)
    for line in LINES:
        kernel.run_thread(line)
    handed += order.take(kernel.fifo[read:], at) + order.give_up(at + SECOND)
    assert len(handed) == len(kernel.fifo)
    assert order.due is None
    truth = {
        (edge.line, edge.at): true for edge, true in zip(kernel.fifo, kernel.truth, strict=True)
    }
    for edge in handed:
        error = edge.at - truth[edge.line, edge.at]
        assert min(error, UNKNOWN) <= edge.doubt
        assert not edge.after_gap
    assert order.overwritten == kernel.number - len(kernel.fifo)


@settings(max_examples=500, deadline=None)
@given(st.permutations(range(1, 9)), st.lists(st.integers(1, 500), min_size=8, max_size=8))
def test_edges_that_only_come_out_of_order_are_put_into_order_without_doubt(arrival, gaps):
    """Every line's thread reports when it runs, so numbers may come in any order."""
    times = [START + sum(gaps[:n]) * MICROSECOND for n in range(8)]
    edges = {n: Numbered(n, times[n - 1], True, n, 1) for n in range(1, 9)}
    order = EdgeOrder(range(1, 9), Lateness())
    handed = []
    for place, number in enumerate(arrival):
        handed += order.take([edges[number]], START + place * 10 * MICROSECOND)
    assert [edge.line for edge in handed] == list(range(1, 9))
    assert all(edge.doubt == 0 for edge in handed)
    assert order.overwritten == 0


def test_nothing_waits_longer_than_patience_for_a_number_that_never_comes():
    order = EdgeOrder(LINES, Lateness())
    assert order.take([Numbered(17, START, True, 2, 1)], START + MILLISECOND) == []
    assert order.due == START + MILLISECOND + PATIENCE
    assert order.give_up(START + PATIENCE) == []
    (edge,) = order.give_up(START + MILLISECOND + PATIENCE)
    assert edge.doubt == UNKNOWN


def test_a_number_that_comes_after_all_is_handed_on_at_once():
    order = EdgeOrder(LINES, Lateness())
    order.take([Numbered(17, START + 2, True, 2, 1)], START)
    order.give_up(START + PATIENCE)
    (late,) = order.take([Numbered(27, START + 1, True, 1, 1)], START + 2 * PATIENCE)
    assert (late.line, late.at) == (27, START + 1)


def test_a_number_that_comes_twice_is_two_edges():
    order = EdgeOrder(LINES, Lateness())
    twice = [Numbered(17, START, True, 1, 1), Numbered(17, START + MILLISECOND, False, 1, 2)]
    assert [edge.at for edge in order.take(twice, START)] == [START, START + MILLISECOND]


def test_a_line_whose_next_edge_is_longer_after_the_loss_than_threads_are_late_is_not_its_own():
    order = EdgeOrder(LINES, Lateness())
    order.take([Numbered(17, START, True, 1, 1), Numbered(17, START + 5, False, 3, 2)], START)
    order.give_up(START + PATIENCE)
    (soon,) = order.take([Numbered(22, START + 9, True, 4, 1)], START + SECOND)
    assert soon.doubt == 9
    (later,) = order.take([Numbered(27, START + 6 + UNKNOWN, True, 5, 1)], START + SECOND)
    assert later.doubt == 0


def test_how_late_threads_run_is_measured_on_the_edges_that_were_waited_for():
    lateness = Lateness()
    order = EdgeOrder(LINES, lateness)
    for n in range(1, BLOCK + 1):
        late = 3 * MILLISECOND if n == 9 else 0
        order.take([Numbered(17, START + n, n % 2 == 1, n, n)], START + n + late, START)
    assert lateness.bound == 3 * MILLISECOND
    order.take([Numbered(17, START, True, BLOCK + 1, BLOCK + 1)], START + SECOND, START + SECOND)
    assert lateness.bound == 3 * MILLISECOND, "nobody waited for that one"


def test_a_thread_that_was_late_long_ago_is_forgotten_and_none_is_believed_to_be_in_time():
    lateness = Lateness()
    lateness.note(SECOND)
    assert lateness.bound == SECOND
    for _ in range(10 * BLOCK):
        lateness.note(MICROSECOND)
    assert lateness.bound == LEAST


def test_a_line_that_reads_otherwise_than_before_has_not_lost_a_single_date():
    order = EdgeOrder(LINES, Lateness())
    told = [Numbered(17, START, False, 1, 1), Numbered(22, START + 1, False, 2, 1)]
    order.take([*told, Numbered(17, START + 9, True, 4, 2)], START)
    (turned,) = order.give_up(START + PATIENCE)
    (same,) = order.take([Numbered(22, START + 12, False, 5, 2)], START + PATIENCE)
    assert (turned.doubt, same.doubt) == (0, 11)


def test_a_line_that_reported_since_the_loss_is_beyond_suspicion():
    order = EdgeOrder(LINES, Lateness())
    order.take([Numbered(17, START, True, 1, 1), Numbered(17, START + 5, False, 3, 2)], START)
    order.give_up(START + PATIENCE)
    first, second = order.take(
        [Numbered(22, START + 9, True, 4, 1), Numbered(22, START + 12, False, 5, 2)], START
    )
    assert first.doubt > 0
    assert second.doubt == 0


def test_a_late_report_may_have_lost_its_first_date_as_well():
    """It was given up, and came in the end: its own date was overwritten meanwhile."""
    order = EdgeOrder(LINES, Lateness())
    order.take([Numbered(17, START, True, 1, 1), Numbered(17, START + 90, False, 4, 2)], START)
    order.give_up(START + PATIENCE)
    (late,) = order.take([Numbered(27, START + 60, True, 3, 1)], START + SECOND)
    assert late.doubt == 60
    assert order.overwritten == 1


def test_a_number_that_was_only_late_casts_doubt_on_nobody_any_more():
    order = EdgeOrder(LINES, Lateness())
    order.take([Numbered(17, START + 7, True, 2, 1)], START)
    order.give_up(START + PATIENCE)
    order.take([Numbered(27, START + 3, True, 1, 1)], START + SECOND)
    (edge,) = order.take([Numbered(22, START + 9, True, 3, 1)], START + SECOND)
    assert edge.doubt == 0
    assert order.overwritten == 0


def test_a_second_loss_does_not_hide_behind_the_first():
    order = EdgeOrder(LINES, Lateness())
    order.take([Numbered(17, START, True, 1, 1), Numbered(17, START + 5, False, 3, 2)], START)
    order.give_up(START + PATIENCE)
    later = START + 60 * MILLISECOND
    order.take([Numbered(17, later, True, 4, 3)], later)
    order.take([Numbered(17, later + MILLISECOND, True, 6, 4)], later)
    (edge,) = order.give_up(later + PATIENCE)
    assert edge.doubt == MILLISECOND


def test_more_losses_than_are_remembered_one_by_one_are_remembered_together():
    order = EdgeOrder(LINES, Lateness())
    noisy = [Numbered(17, START + n, True, 2 * n, n) for n in range(1, 500)]
    order.take(noisy, START)
    order.give_up(START + PATIENCE)
    (edge,) = order.take([Numbered(27, START + 600, True, 1_000, 1)], START) or order.give_up(
        START + 2 * PATIENCE
    )
    assert edge.doubt == UNKNOWN
    assert len(order._holes) <= REMEMBERED + 1


def test_reports_that_the_kernel_dropped_show_as_a_gap():
    order = EdgeOrder(LINES, Lateness())
    order.take([Numbered(17, START, True, 1, 1)], START)
    order.take([Numbered(17, START + SECOND, True, 9, 9)], START + SECOND)
    (edge,) = order.give_up(START + 2 * SECOND)
    assert edge.after_gap
