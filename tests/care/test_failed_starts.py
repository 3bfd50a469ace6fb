"""Failed starts are counted, so that the fourth can explain itself instead of failing once more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.care.failed_starts import PageAddress, Starts
from companion.common.log_file import KEPT, LogFile, tail
from tests.kit.night import Night

BROKEN = "The configuration cannot be used."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def fail(folder: Path, times: int = 1) -> Starts:
    for _ in range(times):
        starts = Starts(folder)
        starts.begin()
        starts.failed(BROKEN)
    return starts


def test_three_failures_in_a_row_are_enough(folder):
    assert not fail(folder, 2).enough
    assert fail(folder).enough
    assert [failure.reason for failure in Starts(folder).failures] == [BROKEN] * 3


def test_a_table_that_opens_forgets_them(folder):
    starts = fail(folder, 2)
    starts = Starts(folder)
    starts.begin()
    starts.opened(PageAddress("0.0.0.0", 8080, ()))
    assert Starts(folder).failures == ()
    assert not fail(folder, 2).enough


def test_a_start_that_ends_without_a_word_is_a_failure_too(folder):
    for _ in range(3):
        Starts(folder).begin()
    starts = Starts(folder)
    assert not starts.hopeless
    starts.begin()
    assert starts.hopeless
    assert "without giving a reason" in starts.failures[-1].reason


def test_a_reason_that_was_told_is_no_cause_to_give_up_before_trying(folder):
    """Whoever has mended the configuration need not know of a safe page."""
    fail(folder, 5)
    starts = Starts(folder)
    starts.begin()
    assert starts.enough
    assert not starts.hopeless


def test_a_plug_that_was_pulled_during_the_start_is_nobody_s_failure(folder, monkeypatch):
    for number in range(4):
        monkeypatch.setattr(
            "companion.care.failed_starts.boot_id", lambda number=number: f"boot {number}"
        )
        starts = Starts(folder)
        starts.begin()
    assert starts.failures == ()


def test_whoever_stops_a_table_that_is_not_open_yet_has_not_made_it_fail(folder):
    for _ in range(5):
        starts = Starts(folder)
        starts.begin()
        starts.stopped()
    starts = Starts(folder)
    starts.begin()
    assert starts.failures == ()


def test_systemd_loses_patience_with_a_table_that_never_opens(folder):
    clock = iter([0, 90_000_000_000])
    starts = Starts(folder, ticks=lambda: next(clock))
    starts.begin()
    starts.stopped()
    assert "had not opened after 90 s" in Starts(folder).failures[-1].reason


def test_another_table_on_the_same_folder_is_left_in_peace(folder):
    with Night(folder):
        fail(folder, 4)
    assert Starts(folder).failures == ()
    assert not (folder / "starts.json").exists()


def test_a_folder_that_is_not_there_is_not_made_only_to_count(folder):
    assert not fail(folder / "none", 4).enough
    assert not (folder / "none").exists()


def test_where_the_folder_cannot_be_written_they_are_counted_elsewhere(folder, tmp_path_factory):
    spare = tmp_path_factory.mktemp("run")
    for _ in range(3):
        starts = Starts(folder / "none", spare)
        starts.begin()
        starts.failed(BROKEN)
    assert starts.enough
    assert Starts(folder / "none", spare).failures


@pytest.mark.parametrize("content", [b"", b"{", b'{"failures": 5}', b"\xff\xfe", b"[]"])
def test_a_file_that_cannot_be_read_counts_as_none(folder, content):
    (folder / "starts.json").write_bytes(content)
    assert Starts(folder).failures == ()
    fail(folder, 3)
    assert len(Starts(folder).failures) == 3


def test_the_last_door_that_worked_is_remembered(folder):
    starts = Starts(folder)
    starts.begin()
    starts.opened(PageAddress("127.0.0.1", 80, ("table.local",)))
    fail(folder, 3)
    assert Starts(folder).door == PageAddress("127.0.0.1", 80, ("table.local",))


def test_the_serving_process_does_not_speak_for_the_one_that_watches(folder):
    starts = Starts(folder)
    starts.begin()
    child = os.fork()
    if child == 0:
        starts.failed("not mine to say")
        starts.stopped()
        os._exit(0)
    os.waitpid(child, 0)
    again = Starts(folder)
    again.begin()
    assert "without giving a reason" in again.failures[-1].reason


# The log


def test_the_log_is_bounded_and_its_end_can_be_read(folder):
    log = LogFile(folder)
    for number in range(5000):
        log.write(f"line {number} {'x' * 100}")
    size = sum(path.stat().st_size for path in folder.glob("companion.log*"))
    assert size <= 2 * KEPT + 1000
    lines = tail(folder, 3)
    assert [line.split()[2:4] for line in lines] == [["line", str(n)] for n in (4997, 4998, 4999)]
    log.close()


def test_a_log_that_cannot_be_written_stops_nothing(folder, capsys):
    log = LogFile(folder / "none")
    log.write("hello")
    log.close()
    assert tail(folder / "none") == []
    assert capsys.readouterr() == ("", "")
