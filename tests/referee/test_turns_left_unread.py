"""Most turns change nothing about what hands did, and then the evidence is not read again."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from bench.sides.tables import BareTable
from companion.demo.playing import play, seat, set_up
from companion.demo.refereed import RefereedMatch
from companion.referee.commands import Command, Draw, Play
from companion.referee.evidence.after_turn import calls_after_turn
from companion.referee.evidence.material import material_of
from companion.referee.evidence.reading import read
from companion.referee.model.edition import FAST_AND_FURIOUS
from companion.referee.model.table import Claim


class WatchedTable(BareTable):
    """Reads all the evidence again after every turn that was not read."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = self.unread = 0

    def decide(self, command: Command) -> None:
        super().decide(command)
        if isinstance(command, Play | Draw):
            self.turns += 1
            self.unread += self._was_left_unread()

    def _was_left_unread(self) -> bool:
        match, material = self.table.game.match, material_of(self.table)
        assert match is not None
        assert match.round is not None
        assert material is not None
        timing, now, rules = self.table.timing, self.now, (match.edition, match.house)
        if calls_after_turn(*rules, match.round, material.evidence, timing, now) is None:
            return False
        reading = read(material, match.house, timing, now)
        assert [race.outcome for race in reading.races] == [r.outcome for r in match.round.races]
        assert _outcomes(reading.claims) == _outcomes(match.round.claims)
        assert reading.calls == match.round.calls
        return True


def _outcomes(claims: Iterable[Claim]) -> dict[tuple[int, int], str | None]:
    return {(claim.catch.seat, claim.catch.at): claim.outcome for claim in claims}


@pytest.mark.parametrize("players", [2, 3, 5])
def test_what_is_left_unread_says_what_it_said_before(players: int) -> None:
    table = WatchedTable()
    seats = seat(table, players)
    set_up(table, FAST_AND_FURIOUS, "refereed")
    play(table, RefereedMatch(FAST_AND_FURIOUS, seats, seed=1).steps())
    assert table.unread > table.turns * 0.85
