"""After a restart the table is what it was, in the middle of a round or of a race."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.common.clock import Clock, resume
from companion.journal.damage.verify import verify
from companion.referee import commands as c
from companion.referee.events import TableOpened
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.table import Table
from tests.kit.damage import damage_event
from tests.kit.night import ANA, BEN, CLEO, Night, play_a_while, until


def as_left(table: Table) -> tuple[object, ...]:
    """What a restart must bring back: all but the presses that may have gone unseen."""
    return (table.game, table.past, table.future, table.awaiting_button, table.editions)


def test_a_restart_in_the_middle_of_a_round_brings_everything_back(night: Night) -> None:
    play_a_while(night)
    before = night.table
    night.reopen()
    assert as_left(night.table) == as_left(before)
    assert night.table.version == before.version + 1


def test_what_was_entered_before_a_restart_can_be_taken_back_after_it(night: Night) -> None:
    night.deal()
    night.do(c.GoOut(BEN))
    night.do(c.EnterPoints(ANA, 30))
    night.reopen()
    night.do(c.Undo())
    assert night.round.left == {}
    night.do(c.Redo())
    assert night.round.left[ANA].points == 30


def test_a_restart_in_a_race_resumes_the_same_race_and_shows_the_gap(night: Night) -> None:
    night.deal()
    night.do(c.DeclareRace(ANA))
    slap = night.press(BEN)
    night.settle()
    before = night.race
    night.reopen()
    race = night.race
    assert (race.key, race.layer, race.deadline) == (before.key, before.layer, before.deadline)
    assert [press.at for press in race.slaps] == [slap]
    (gap,) = race.gaps
    assert slap < gap.until
    assert gap.hides(CLEO)
    night.clock.put_forward(300)
    night.press(CLEO)
    until(lambda: night.race.state != "running")


def test_hands_from_before_a_restart_count_for_a_race_that_is_named_after_it(night: Night) -> None:
    night.deal()
    first = night.press(CLEO)
    night.settle()
    night.reopen()
    night.press(BEN)
    night.do(c.DeclareRace(ANA))
    until(lambda: night.race.ruling is not None)
    assert night.race.slaps[0].at == first


def test_without_its_snapshot_the_table_comes_back_the_same(night: Night) -> None:
    play_a_while(night)
    night.close()
    assert night.snapshot.exists()
    night.open()
    with_snapshot, matches = as_left(night.table), night.past.matches()
    night.close()
    night.snapshot.unlink()
    night.open()
    assert as_left(night.table) == with_snapshot
    assert night.past.matches() == matches


def test_a_snapshot_makes_the_start_skip_the_past(night: Night) -> None:
    """The past is damaged on purpose: a start that read it would notice."""
    play_a_while(night)
    before = as_left(night.table)
    night.close()
    damage_event(night.journal, 3)
    night.open()
    assert as_left(night.table) == before
    until(lambda: night.worker.status().damage)
    assert "event 3" in (night.worker.status().damage or "")


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda file: file.write_bytes(b""), id="an empty snapshot"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes()[:-40]), id="a torn one"),
        pytest.param(
            lambda file: file.write_bytes(file.read_bytes().replace(b"Ana", b"Eve")),
            id="one with another name in it",
        ),
        pytest.param(lambda file: (file.unlink(), file.mkdir()), id="a folder in its place"),
    ],
)
def test_a_snapshot_that_is_not_whole_is_told_and_loses_nothing(night: Night, spoil) -> None:
    play_a_while(night)
    before = as_left(night.table)
    night.close()
    spoil(night.snapshot)
    assert any("snapshot" in problem for problem in verify(night.folder).problems)
    night.open()
    assert as_left(night.table) == before
    assert "nothing is lost" in (night.worker.status().damage or "")
    assert list(night.folder.glob("snapshot-damaged-*.json"))


def test_a_snapshot_of_another_table_is_ignored(night: Night, tmp_path: Path) -> None:
    night.seat_three()
    night.do(c.StartMatch())
    before = as_left(night.table)
    night.close()
    with Night(tmp_path / "elsewhere") as other:
        other.do(c.Sit("Eve", ANA, ANA))
        for seat, name in ((BEN, "Ben"), (CLEO, "Cleo")):
            other.do(c.Sit(name, seat, seat))
        other.do(c.StartMatch())
    os.replace(other.snapshot, night.snapshot)
    night.open()
    assert as_left(night.table) == before
    assert night.worker.status().damage is None


def test_every_restart_is_on_record_with_the_time_nobody_listened(night: Night) -> None:
    night.do(c.Sit("Ana"))
    last = night.worker.now()
    night.reopen()
    opened = night.worker._recent[-1]
    assert isinstance(opened, TableOpened)
    assert opened.gap_since is not None
    assert opened.gap_since <= last < opened.at


def test_verify_finds_a_journal_whole_beside_a_running_table(night: Night) -> None:
    play_a_while(night)
    verdict = verify(night.folder)
    assert verdict.problems == ()
    assert verdict.events == night.table.version
    assert verdict.matches == 2


@pytest.mark.parametrize(
    ("last", "offset", "ticks", "begins"),
    [
        pytest.param(None, None, 77, 77, id="a first start"),
        pytest.param(500, 0, 900, 900, id="the same boot"),
        pytest.param(9_000, 8_500, 900, 9_400, id="the same boot, after an earlier restart"),
        pytest.param(9_000, None, 5, 9_000 + SECOND, id="the machine was restarted"),
        pytest.param(9_000, None, 10 * SECOND, 10 * SECOND, id="another machine, long running"),
        pytest.param(9_000, 100, 5, 9_000 + SECOND, id="a clock that ran back all the same"),
    ],
)
def test_the_tables_time_only_goes_forward(
    last: int | None, offset: int | None, ticks: int, begins: int
) -> None:
    clock = resume(last, same_boot_offset=offset, ticks=lambda: ticks)
    assert clock.now() == begins
    assert ticks + clock.offset == clock.now()


def test_after_a_reboot_the_journals_times_still_rise(night: Night) -> None:
    """The machine's clock begins at nothing again, the table's goes on."""
    night.seat_three()
    ahead = 3_600 * SECOND
    night.worker.clock.offset += ahead
    night.do(c.Rename(ANA, "Anna"))
    last = night.worker.now()
    # As if the machine had been restarted: the note of its boot no longer fits.
    night.worker._journal.keep_notes({"boot": "another run of the machine"})
    night.reopen()
    assert last + SECOND - 100 * MILLISECOND < night.worker.now()
    night.do(c.Rename(ANA, "Ana"))
    assert isinstance(night.worker.clock, Clock)
    assert verify(night.folder).problems == ()


def test_configured_house_rules_are_set_once_for_each_change(tmp_path: Path) -> None:
    rules = {"wrong_catch_draws": 1}
    with Night(tmp_path, house=rules) as night:
        assert night.table.game.setup.house.wrong_catch_draws == 1
        night.do(c.SetUp(house=type(night.table.game.setup.house)()))
    with Night(tmp_path, house=rules) as night:
        assert night.table.game.setup.house.wrong_catch_draws == 0, "what people chose later stays"
    with Night(tmp_path, house={"wrong_catch_draws": 2}) as night:
        assert night.table.game.setup.house.wrong_catch_draws == 2
