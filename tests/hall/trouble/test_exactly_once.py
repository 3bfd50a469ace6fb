"""A result is in the hall once it is on the hall's disk, and not before."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hall.commands import RemoveTable
from companion.hall.contract import CONTRACT, Ack, SentResult
from companion.hall.table.link import TableLink
from tests.hall.halls import HallProcess, LightTable, match
from tests.hall.trouble.believing import BelievingLink
from tests.kit.waiting import until


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path / "hall").start() as hall:
        yield hall


def test_what_a_table_has_played_is_in_the_hall_once(hall):
    table = LightTable(1)
    table.play()
    link = hall.link(table)
    until(lambda: link.hall_status().connected and link._ack is not None and not link._pending)
    table.play()
    link.look()
    until(lambda: link._ack == Ack(CONTRACT, 2, table.seal(2)))
    link.close()
    assert matches_of(hall.stop()) == [(1, 1), (1, 2)]


def test_a_table_that_believes_the_broker_loses_results(hall):
    """Another broker would have kept some of them: none can be relied upon."""
    table = LightTable(1)
    link = hall.link(table, BelievingLink)
    until(lambda: link._ack is not None)
    hall.kill()
    for _ in range(20):
        table.play()
    link.look()
    until(lambda: link._ack is not None and link._ack.sequence == 20)
    hall.start()
    table.play()
    link.look()
    until(lambda: link._ack is not None and link._ack.sequence == 21)
    link.close()
    assert len(matches_of(hall.stop())) < 20


def test_the_hall_takes_only_the_next_result_of_a_table(tmp_path):
    with HallProcess(tmp_path / "hall") as hall:
        keeper = hall.keeper()
        first, second, third = (result(sequence) for sequence in (1, 2, 3))
        for offered, kept in ((second, 0), (first, 1), (first, 1), (third, 1), (second, 2)):
            keeper.take([(1, offered)])
            assert keeper.evening.tables[1].sequence == kept
        other = SentResult(CONTRACT, 3, "c", 2, "not what the hall has", match(3))
        keeper.take([(1, other)])
        assert keeper.evening.tables[1].sequence == 2
        keeper.close()


def test_a_table_restored_from_an_old_backup_is_told_and_never_merged(hall):
    table = LightTable(1)
    for _ in range(3):
        table.play()
    link = hall.link(table)
    until(lambda: arrived(link, table))
    link.close()
    restored = LightTable(1)
    restored.play()
    link = hall.link(restored)
    until(lambda: link.hall_status().behind)
    restored.play()
    link.look()
    assert link.hall_status().behind
    link.close()
    assert matches_of(hall.stop()) == [(1, 1), (1, 2), (1, 3)]


class OldTable(LightTable):
    """A table of many evenings, which reads each result from a slow card."""

    def after(self, ack: Ack) -> Iterator[SentResult]:
        for one in super().after(ack):
            time.sleep(0.02)
            yield one


def test_a_table_of_many_evenings_joins_and_all_of_it_arrives(hall):
    """To read it all takes longer than the broker waits for a word."""
    table = OldTable(1)
    for _ in range(300):
        table.play()
    link = hall.link(table)
    until(lambda: arrived(link, table))
    link.close()
    assert len(matches_of(hall.stop())) == 300


def test_a_match_that_was_edited_after_the_backup_is_known_again(tmp_path):
    """The hall keeps what it had last, and goes on after what the table has."""
    hall = HallProcess(tmp_path / "hall")
    keeper = hall.keeper()
    keeper.take([(1, result(1)), (1, SentResult(CONTRACT, 2, "b", 1, "a", match(1, won=1)))])
    keeper.do(RemoveTable(1))
    keeper.join(1, "table-1", "")
    following = SentResult(CONTRACT, 5, "after the backup", 1, "a", match(2))
    keeper.take([(1, result(1))])
    keeper.take([(1, following)])
    keeper.close()
    evening = hall.keeper().evening
    assert evening.tables[1].sequence == 5
    assert matches_of(evening) == [(1, 1), (1, 2)]
    assert [one.winners for one in evening.results.values()] == [(1,), (0,)]


def result(sequence: int) -> SentResult:
    seals = ["", "a", "b", "c"]
    before = sequence - 1
    return SentResult(CONTRACT, sequence, seals[sequence], before, seals[before], match(sequence))


def matches_of(evening) -> list[tuple[int, int]]:
    assert all(one.adds_up for one in evening.results.values())
    return sorted((one.table, one.match) for one in evening.results.values())


def arrived(link: TableLink, table: LightTable) -> bool:
    return link._ack is not None and link._ack.sequence == len(table.played)
