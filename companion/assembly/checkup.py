"""What a screen may ask of the table's buttons and lamps."""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct

from companion.referee.model.table import Table


class Checkup(Protocol):
    """The bench on which the buttons of a running table are looked at."""

    def check(self) -> Struct:
        """Tell everything about every button and lamp as it is now."""

    def brief(self) -> dict[str, Any]:
        """Tell the little that every screen shows all the time; this has to be cheap."""

    def begin(self) -> None:
        """Walk around the table anew; until the end presses mean nothing at the table."""

    def end(self) -> None:
        """Let presses count again."""

    def try_lights(self) -> bool:
        """Let everybody press the one that is lit, or go on with it; False without lamps."""

    def test_lamps(self, button: int | None) -> int | None:
        """Light all lamps in turn, or one; tell for how long, or None where that cannot be."""

    def text(self) -> str:
        """Write the report for people."""

    def json(self) -> bytes:
        """Write the report for programs."""


def racing(table: Table) -> bool:
    """Whether hands are landing in a race now, or wait for its light."""
    match = table.game.match
    races = () if match is None or match.round is None else match.round.races
    return any(race.state in ("running", "slap_off") for race in races)
