"""Results come to the hall exactly once, whatever dies in between: broker, hall or table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.hall.contract import CONTRACT, Ack, SentResult
from companion.hall.link import TableLink
from tests.hall.halls import BelievingLink, HallProcess, LightTable, match
from tests.kit.waiting import until

KILLS = int(os.environ.get("HALL_KILLS", "12"))


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
    link.look(results=True)
    until(lambda: link._ack == Ack(CONTRACT, 2, table.seal(2)))
    link.close()
    assert matches_of(hall.stop()) == [(1, 1), (1, 2)]


def test_nothing_is_lost_and_nothing_comes_twice_under_kills(hall):
    chance = Random(16)
    tables = [LightTable(number) for number in (1, 2, 3)]
    links = [hall.link(table) for table in tables]
    for _ in range(KILLS):
        for table, link in zip(tables, links, strict=True):
            for _ in range(chance.randrange(1, 6)):
                table.play()
            link.look(results=True)
        match chance.randrange(3):
            case 0:
                hall.kill_broker()
            case 1:
                hall.kill()
                hall.start()
            case _:
                at = chance.randrange(len(links))
                cut_off(links[at])
                links[at] = hall.link(tables[at])
    until(lambda: all(arrived(link, table) for link, table in zip(links, tables, strict=True)))
    for link in links:
        link.close()
    played = [(table.number, one.match) for table in tables for one in table.played]
    assert matches_of(hall.stop()) == played


def test_a_table_that_believes_the_broker_loses_results(hall):
    """The control: were nothing lost here, the test above would prove nothing."""
    table = LightTable(1)
    link = hall.link(table, BelievingLink)
    until(lambda: link._ack is not None)
    hall.kill()
    for _ in range(20):
        table.play()
    link.look(results=True)
    until(lambda: link._ack is not None and link._ack.sequence == 20)
    hall.start()
    table.play()
    link.look(results=True)
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
    link.look(results=True)
    assert link.hall_status().behind
    link.close()
    assert matches_of(hall.stop()) == [(1, 1), (1, 2), (1, 3)]


def result(sequence: int) -> SentResult:
    seals = ["", "a", "b", "c"]
    before = sequence - 1
    return SentResult(CONTRACT, sequence, seals[sequence], before, seals[before], match(sequence))


def matches_of(evening) -> list[tuple[int, int]]:
    assert all(one.adds_up for one in evening.results.values())
    return sorted((one.table, one.match) for one in evening.results.values())


def arrived(link: TableLink, table: LightTable) -> bool:
    return link._ack is not None and link._ack.sequence == len(table.played)


def cut_off(link: TableLink) -> None:
    """End a table's line without a word, as a kill does; its next start is another line."""
    link.make_line = lambda: (_ for _ in ()).throw(OSError("the table is gone"))  # type: ignore[method-assign]
    link.farewell = None  # type: ignore[assignment]
    link._closing.set()
    link._wake_up.send()
    link._thread.join()
