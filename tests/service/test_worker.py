"""One queue, one writer: what is answered is on disk, and what is not on disk is refused."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from concurrent.futures import Future, wait
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.common.clock import Clock, label
from companion.journal.chain import GENESIS, command_key, read_rows
from companion.journal.damage.verify import verify
from companion.journal.file import JournalError, reader
from companion.journal.journal import Journal
from companion.journal.opening import open_journal
from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.table import Table
from companion.referee.sentences import Refusal
from companion.service.batch import Batch
from companion.service.button_reports import condensed
from companion.service.envelope import CommandAnswer
from companion.service.notices import PressNotice
from companion.service.requests import Request
from companion.service.worker import Worker
from tests.kit.night import ANA, BEN, CLEO, Night, crash_on, full_disk, reader_of, until

DAN = 4


def rows_on_disk(night: Night) -> list[tuple[int, bytes | None]]:
    connection = sqlite3.connect(night.journal)
    try:
        query = "SELECT version, command FROM events ORDER BY version"
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def codes(taps: list[Future[CommandAnswer]]) -> set[str]:
    """Tell with which codes taps were refused; one that was not stands out."""
    refusals = [tap.exception(60) for tap in taps]
    return {r.sentence.code if isinstance(r, Refusal) else repr(r) for r in refusals}


def test_an_answer_comes_with_its_events_and_they_are_on_disk(night: Night) -> None:
    answer = night.do(c.Sit("Ana"), again="ana-sits-down")
    assert [type(event) for event in answer.events] == [e.StepTaken, e.SeatTaken]
    assert answer.version == night.table.version
    key = command_key("ana-sits-down")
    mine = [version for version, command in rows_on_disk(night) if command == key]
    assert mine == [answer.version - 1]


def test_a_tap_that_is_sent_twice_counts_once(night: Night) -> None:
    first = night.do(c.Sit("Ana"), again="the-same-tap")
    again = night.do(c.Sit("Ana"), again="the-same-tap")
    assert again == first
    assert len(night.table.game.seats) == 1


def test_a_retry_in_the_same_breath_counts_once(night: Night) -> None:
    taps = [night.worker.submit(c.Sit("Ana"), id="the-same-tap") for _ in range(50)]
    answers = {tap.result(60).version for tap in taps}
    assert len(answers) == 1
    assert len(night.table.game.seats) == 1


def test_a_retry_after_a_restart_gets_the_same_answer(night: Night) -> None:
    first = night.do(c.Sit("Ana"), again="the-same-tap")
    night.reopen()
    assert night.do(c.Sit("Ana"), again="the-same-tap") == first
    assert len(night.table.game.seats) == 1


def test_one_id_cannot_stand_for_two_wishes(night: Night) -> None:
    night.do(c.Sit("Ana"), again="the-same-tap")
    assert night.refused(c.Sit("Ben"), again="the-same-tap") == "id_reused"
    night.reopen()
    assert night.refused(c.Sit("Ben"), again="the-same-tap") == "id_reused"
    assert [seat.name for seat in night.table.game.seats] == ["Ana"]


def test_what_was_refused_may_be_tried_again_under_its_id(night: Night) -> None:
    assert night.refused(c.Stand(ANA), again="stand-up-ana") == "unknown_seat"
    night.do(c.Sit("Ana", ANA))
    night.do(c.Stand(ANA), again="stand-up-ana")
    assert night.table.game.seats == ()


def test_a_hundred_taps_at_once_are_all_answered_in_order(night: Night) -> None:
    night.do(c.Sit("Ana", ANA))
    seen: list[int] = []
    night.worker.subscribe(lambda table, _events: seen.append(table.version))
    taps = [night.worker.submit(c.Rename(ANA, f"Ana {n}")) for n in range(100)]
    versions = [tap.result(60).version for tap in taps]
    assert versions == sorted(versions)
    assert night.table.game.seats[0].name == "Ana 99"
    until(lambda: seen and seen[-1] == night.table.version)
    assert len(seen) < 100, "taps that wait together share one transaction"


def test_a_listener_sees_only_what_is_on_disk(night: Night) -> None:
    seen: list[tuple[int, int]] = []
    night.worker.subscribe(
        lambda table, _events: seen.append((table.version, rows_on_disk(night)[-1][0]))
    )
    night.seat_three()
    until(lambda: len(seen) == 3)
    assert all(shown <= on_disk for shown, on_disk in seen)


def test_a_listener_that_fails_harms_nobody(night: Night, caplog: pytest.LogCaptureFixture) -> None:
    told: list[Table] = []

    def clumsy(_table: Table, _events: tuple[e.Event, ...]) -> None:
        raise RuntimeError("I fell over")

    night.worker.subscribe(clumsy)
    night.worker.subscribe(lambda table, _events: told.append(table))
    night.do(c.Sit("Ana"))
    until(lambda: told)
    assert "I fell over" in caplog.text


def test_whoever_leaves_is_told_no_more(night: Night) -> None:
    told: list[Table] = []
    leave = night.worker.subscribe(lambda table, _events: told.append(table))
    leave()
    night.do(c.Sit("Ana"))
    night.settle()
    assert told == []


def test_a_press_is_noticed_while_the_disk_is_busy(night: Night) -> None:
    night.deal()
    notices: list[PressNotice] = []
    shown: list[Table] = []
    night.worker.on_press(notices.append)
    night.worker.subscribe(lambda table, _events: shown.append(table))
    other = sqlite3.connect(night.journal, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        at = night.press(BEN)
        until(lambda: notices)
        assert notices == [PressNotice(BEN, BEN, at, "button")]
        assert shown == []
    finally:
        other.execute("ROLLBACK")
        other.close()
    until(lambda: shown)
    assert night.pressed_at(BEN) == [at]


def test_a_tap_for_a_seat_is_noticed_too(night: Night) -> None:
    night.deal()
    notices: list[PressNotice] = []
    night.worker.on_press(notices.append)
    night.do(c.PressSeat(BEN))
    until(lambda: notices)
    assert (notices[0].button, notices[0].seat, notices[0].source) == (None, BEN, "tablet")


def test_a_push_flashes_once_and_one_that_was_none_is_never_noticed(night: Night) -> None:
    night.deal()
    flashes: list[int] = []
    noticed: list[int] = []
    night.worker.on_flash(lambda notice: flashes.append(notice.at))
    night.worker.on_press(lambda notice: noticed.append(notice.at))
    spike = night.clock.ticks()
    night.worker.touched(c.PushButton(BEN, spike, 1_000))
    assert (flashes, noticed) == ([spike], [])
    first = night.press(BEN, spike + SECOND)
    assert (flashes, noticed) == ([spike, first], [first])
    second = first + SECOND
    night.worker.touched(c.PushButton(BEN, second, 1_000))
    night.press(BEN, second)
    assert (flashes, noticed) == ([spike, first, second], [first, second])


def test_time_alone_ends_a_race(quick_night: Night) -> None:
    night = quick_night.deal()
    night.do(c.DeclareRace(ANA))
    night.press(BEN)
    until(lambda: night.race.state == "ruled")
    assert [(debt.seat, debt.cards) for debt in night.round.debts] == [(CLEO, 4)]


def test_hands_of_all_but_one_are_a_street_race_without_a_word(night: Night) -> None:
    night.do(c.Sit("Dan", DAN, DAN))
    night.deal()
    first = time.monotonic_ns()
    for place, button in enumerate((BEN, DAN, CLEO)):
        night.press(button, first + place * 30 * MILLISECOND)
    until(lambda: night.round.races and night.race.state == "ruled")
    assert (night.race.how, night.race.layer) == ("hands", ANA)
    assert [(debt.seat, debt.cards) for debt in night.round.debts] == [(CLEO, 4)]


def test_a_deadline_is_kept_although_taps_pour_in(quick_night: Night) -> None:
    night = quick_night.deal()
    night.do(c.DeclareRace(ANA))
    end = time.monotonic() + 60
    while night.race.state == "running":
        night.do(c.Call(BEN))
        assert time.monotonic() < end


def test_a_slow_disk_does_not_decide_a_race(quick_night: Night) -> None:
    """Ben's slap waits in the queue past the time limit, yet it was made in time."""
    night = quick_night.deal()
    night.do(c.DeclareRace(ANA))
    other = sqlite3.connect(night.journal, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        # The worker hangs in writing this call, and everything else waits behind it.
        call = night.worker.submit(c.Call(ANA))
        time.sleep(0.02)
        night.press(BEN)
        night.press(CLEO)
        time.sleep(1.3)
    finally:
        other.execute("ROLLBACK")
        other.close()
    wait([call], 60)
    until(lambda: night.race.state != "running")
    assert night.race.finish is not None
    assert not night.race.finish.no_slap


def test_after_a_standstill_of_the_program_slaps_are_heard_before_the_race_is_ruled(
    night: Night,
) -> None:
    """Both hands slapped in time, but the program stood still past the time limit."""
    night.deal()
    night.do(c.DeclareRace(ANA))
    slapped = time.monotonic_ns()
    night.worker.clock.offset += 20 * SECOND
    night.do(c.AssignButton(ANA))  # wakes the worker, which finds the race overdue
    for button, later in ((BEN, 0), (CLEO, 40_000_000)):
        night.press(button, slapped + later - 20 * SECOND)
    until(lambda: night.race.state != "running")
    assert night.race.finish is not None
    assert not night.race.finish.no_slap
    assert [(debt.seat, debt.cards) for debt in night.round.debts] == [(CLEO, 4)]


def test_what_was_due_before_a_tap_is_ruled_before_it(night: Night) -> None:
    """The tap came after the time limit, and only then did the worker find time for either."""
    night.deal()
    night.do(c.DeclareRace(ANA))
    assert night.race.due is not None
    late = night.race.due + SECOND // 5
    night.close()
    opened = open_journal(night.folder)
    try:
        batch = Batch(opened.table, (), opened.journal, label())
        batch.carry_out(Request(c.Call(BEN), late))
    finally:
        opened.journal.close()
    kinds = [type(event) for event in batch.events]
    assert kinds.index(e.RulingGiven) < kinds.index(e.StepTaken)


class DoubtfulJournal(Journal):
    """A disk that saves a tap and then reports an error all the same."""

    doubtful = False

    def append(self, *args: Any, **kwargs: Any) -> None:
        super().append(*args, **kwargs)
        if self.doubtful:
            self.doubtful = False
            raise JournalError("the disk reports an error")


def test_a_tap_that_was_saved_although_an_error_was_reported_counts_once(night: Night) -> None:
    night.seat_three()
    night.close()
    opened = open_journal(night.folder)
    opened.journal.close()
    journal = DoubtfulJournal(night.journal)
    opening = c.OpenTable(opened.table.editions, opened.table.timing)
    worker = Worker(journal, opened.table, Clock(), opening)
    worker.start()
    try:
        journal.doubtful = True
        with pytest.raises(Refusal, match="could not be saved"):
            worker.ask(c.Stand(CLEO), id="cleo-leaves")
        answer = worker.ask(c.Stand(CLEO), id="cleo-leaves")
        assert len(worker.table.game.seats) == 2
        assert worker.table.version == answer.version
        worker.ask(c.Sit("Dan"))
    finally:
        worker.close()
    assert verify(night.folder).problems == ()


def test_a_full_disk_refuses_and_changes_nothing(night: Night) -> None:
    night.seat_three()
    before = night.table
    shown: list[Table] = []
    night.worker.subscribe(lambda table, _events: shown.append(table))
    with full_disk(night.journal):
        taps = [night.worker.submit(c.Rename(ANA, f"Ana {n}"), f"tap-{n:05}") for n in range(60)]
        assert codes(taps) == {"not_saved"}
        assert night.table == before
        assert "saved" in night.worker.status().storage
        assert all(table == before for table in shown)
    assert len(rows_on_disk(night)) == before.version
    night.do(c.Rename(ANA, "Anna"))
    assert night.worker.status().storage == "ok"
    assert night.table.game.seats[0].name == "Anna"
    kept = night.table
    night.reopen()
    assert night.table.game == kept.game


def test_a_table_that_starts_on_a_full_disk_shows_what_it_has_and_saves_nothing(
    tmp_path: Path,
) -> None:
    crash_on(tmp_path)
    night = Night(tmp_path)
    with reader_of(tmp_path / "journal.db"), full_disk(tmp_path / "journal.db-wal"):
        night.open()
        assert night.table.game.seats[0].name == "Ana 19"
        assert night.worker.status().storage != "ok"
        assert night.refused(c.Rename(ANA, "Anna")) == "not_saved"
    until(lambda: night.worker.status().storage == "ok")
    opened = night.worker._recent[-1]
    assert isinstance(opened, e.TableOpened)
    night.do(c.Rename(ANA, "Anna"))
    night.close()


def test_the_screen_learns_by_itself_that_the_disk_is_back(night: Night) -> None:
    night.seat_three()
    told: list[str] = []
    night.worker.subscribe(lambda _table, _events: told.append(night.worker.status().storage))
    with full_disk(night.journal):
        assert night.refused(c.Rename(ANA, "Anna")) == "not_saved"
    until(lambda: told and told[-1] == "ok")
    assert told[0] != "ok"


def test_presses_wait_for_a_disk_that_refuses(night: Night) -> None:
    night.deal()
    with full_disk(night.journal):
        at = night.press(BEN)
        night.worker.hand_over(c.Release(BEN, at + 90 * MILLISECOND, at))
        until(lambda: night.worker.status().storage != "ok")
        assert night.pressed_at(BEN) == []
    until(lambda: night.pressed_at(BEN))
    assert night.pressed_at(BEN) == [at]


def test_of_too_many_waiting_presses_it_is_kept_that_they_are_missing() -> None:
    presses = [Request(c.PushButton(n % 3 + 1, n, 10), n) for n in range(1, 11)]
    broken = Request(c.SetAside(7, "stuck", 1), 1)
    kept = condensed([broken, *presses], 4)
    assert [request.command for request in kept] == [
        c.SetAside(7, "stuck", 1),
        c.MissPresses((1, 2, 3), 1, 6),
        *(request.command for request in presses[-4:]),
    ]
    assert condensed(presses, 10) == presses


class Nonsense(c.Base, frozen=True):
    """A command that no referee knows."""


def test_a_mistake_in_the_companion_is_told_once_and_the_table_goes_on(
    night: Night, caplog: pytest.LogCaptureFixture
) -> None:
    before = night.table
    with caplog.at_level(logging.ERROR):
        assert night.refused(Nonsense()) == "bug"  # type: ignore[arg-type]
        assert night.refused(Nonsense()) == "bug"  # type: ignore[arg-type]
    assert caplog.text.count("Traceback") <= 1
    assert night.table == before
    assert night.worker.status().bugs == 2
    night.do(c.Sit("Ana"))


def test_what_comes_after_closing_is_refused(night: Night) -> None:
    worker = night.worker
    waiting: list[Future[CommandAnswer]] = []
    threads = [
        threading.Thread(target=lambda n=n: waiting.append(worker.submit(c.Sit(f"Player {n}"))))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    night.close()
    for thread in threads:
        thread.join()
    outcomes = [future.exception(60) for future in waiting]
    assert all(
        outcome is None or (isinstance(outcome, Refusal) and outcome.sentence.code == "stopping")
        for outcome in outcomes
    )
    with pytest.raises(Refusal, match="shut down"):
        worker.ask(c.Sit("Zoe"))


def test_screens_are_asked_to_wait_when_too_many_requests_pile_up(night: Night) -> None:
    night.do(c.Sit("Ana", ANA))
    other = sqlite3.connect(night.journal, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        taps = [night.worker.submit(c.Rename(ANA, f"Ana {n}")) for n in range(1_100)]
        refused = [tap for tap in taps if tap.done()]
        assert refused
        assert codes(refused) == {"busy"}
        night.press(ANA)
    finally:
        other.execute("ROLLBACK")
        other.close()
    wait(taps, 60)
    assert all(tap.done() for tap in taps)


def test_presses_are_brought_to_the_tables_time(night: Night) -> None:
    night.deal()
    night.worker.clock.offset = 5_000 * MILLISECOND
    at = night.press(BEN)
    until(lambda: night.pressed_at(BEN))
    assert night.pressed_at(BEN) == [at + 5_000 * MILLISECOND]


def test_every_event_row_is_sealed_to_the_one_before(night: Night) -> None:
    night.seat_three()
    seal = GENESIS
    with closing(reader(night.journal)) as connection:
        for row in read_rows(connection):
            seal = row.sealed_after(seal)
            assert row.hash == seal
