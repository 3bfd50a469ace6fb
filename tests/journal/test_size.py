"""How much room a match takes on the card."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from bench.sides.tables import ServedTable
from companion.demo.people import STEADY
from companion.demo.playing import play, seat, set_up
from companion.demo.refereed import RefereedMatch
from companion.referee.model.edition import FAST_AND_FURIOUS


def test_a_refereed_match_of_four_takes_less_than_300_kilobytes(tmp_path: Path) -> None:
    with closing(ServedTable(tmp_path)) as table:
        seats = seat(table, 4)
        set_up(table, FAST_AND_FURIOUS, "refereed")
        play(table, RefereedMatch(FAST_AND_FURIOUS, seats, 1, STEADY).steps())
        events = table.table.version
    size = (tmp_path / "journal.db").stat().st_size
    assert events > 2_500, "a short match would prove little"
    assert size < 300_000
    assert size / events < 95
