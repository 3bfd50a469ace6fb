"""What is to be forgotten, and whether it may be: decided before anything is touched."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from contextlib import closing
from itertools import chain, count
from pathlib import Path

from msgspec import Struct

from companion.common.refusals import service_refusal
from companion.journal.chain import read_seal
from companion.journal.file import reader
from companion.journal.names import read_name_lines
from companion.journal.spans import beginnings
from companion.past.past import Past
from companion.past.records import MatchRecord
from companion.referee.model.names import tidy
from companion.referee.model.table import Table

STAND_IN = re.compile(r"Player \d+")
"""As the table calls somebody who has not said a name; every screen has its own word for it."""
Known = Mapping[str, set[int]]
"""Every name that was ever used, each way of writing it, with the numbers of its players."""


class ForgetWish(Struct, frozen=True):
    """A match by its number, or a player by the name."""

    match: int | None = None
    name: str | None = None


class ForgettingPlan(Struct, frozen=True):
    """What goes, the same in the journal and in every copy of it."""

    match: int | None
    begins: tuple[int, bytes | None]
    """The match's first event and its seal: a copy may hold another match of the same number."""
    names: Mapping[str, str]
    """Each forgotten name, as names are compared, and what stands in its place."""
    said: tuple[str, ...]
    """The same names as people write them."""
    known: frozenset[str]
    """All names of the journal."""
    records: tuple[MatchRecord, ...]
    """The match that goes, or all in which the name is replaced."""

    def instead(self, name: str) -> str:
        """Tell how somebody of this name is called from now on."""
        return self.names.get(alike(name), name)

    def seated(self, table: Table) -> bool:
        """Tell whether somebody with a forgotten name sits at the table."""
        return any(alike(seat.name) in self.names for seat in table.game.seats)

    def runs(self, table: Table) -> bool:
        """Tell whether the match is on."""
        match = table.game.match
        return match is not None and match.number == self.match


def alike(name: str) -> str:
    """Write a name as names are compared: large or small, with its accents in one piece.

    What cannot be seen does not count either; only a name of nothing else stays as it is.
    """
    tidied = unicodedata.normalize("NFC", tidy(name) or name)
    return unicodedata.normalize("NFC", tidied.casefold())


def planned(journal: Path, wish: ForgetWish, table: Table) -> ForgettingPlan:
    """Say what would be forgotten, or refuse."""
    known: dict[str, set[int]] = {}
    with closing(Past(journal)) as past:
        records = past.matches()[::-1]
    with closing(reader(journal)) as connection:
        for _, player, name in read_name_lines(connection):
            known.setdefault(name, set()).add(player)
        first = beginnings(connection).get(wish.match or 0, 0)
        begins = first, read_seal(connection, first)
    if wish.match is not None:
        return _match(wish.match, begins, records, known, table)
    return _name(wish.name or "", records, known, table)


def _match(
    number: int,
    begins: tuple[int, bytes | None],
    records: tuple[MatchRecord, ...],
    known: Known,
    table: Table,
) -> ForgettingPlan:
    record = next((one for one in records if one.number == number), None)
    if record is None or begins[0] == 0:
        raise service_refusal("forget_no_match", number=number)
    if table.game.match is not None and table.game.match.number == number:
        raise service_refusal("forget_running", number=number)
    others = [one.sheet.players for one in records if one.number != number]
    elsewhere = {player.player for players in others for player in players}
    elsewhere |= {seat.player for seat in table.game.seats}
    stay = {alike(name) for name in {player.name for players in others for player in players}}
    stay |= {alike(seat.name) for seat in table.game.seats}
    players = {player.player for player in record.sheet.players} - elsewhere
    gone = {player.name for player in record.sheet.players}
    gone |= {name for name, numbers in known.items() if numbers & players}
    names: dict[str, str] = {}
    said: list[str] = []
    taken = dict(known)
    for name in sorted(gone):
        same = alike(name)
        if same not in stay | names.keys() and not STAND_IN.fullmatch(name):
            names[same] = stand_in_for(name, taken)
            before = taken.get(names[same], set())
            taken[names[same]] = before | _players_called(name, known)
            said.append(name)
    return ForgettingPlan(number, begins, names, tuple(said), frozenset(known), (record,))


def _name(
    typed: str, records: tuple[MatchRecord, ...], known: Known, table: Table
) -> ForgettingPlan:
    name = tidy(typed) or typed
    same = alike(name)
    if STAND_IN.fullmatch(name):
        raise service_refusal("forget_stand_in", name=name)
    as_known = next((said for said in known if alike(said) == same), None)
    if as_known is None:
        raise service_refusal("forget_no_name", name=name)
    if same in {alike(seat.name) for seat in table.game.seats}:
        raise service_refusal("forget_seated", name=name)
    names = {player.name for one in records for player in one.sheet.players}
    spelled = {said for said in names if alike(said) == same}
    played = tuple(one for one in records if any(p.name in spelled for p in one.sheet.players))
    instead = {same: stand_in_for(name, known)}
    return ForgettingPlan(None, (0, None), instead, (as_known,), frozenset(known), played)


def _players_called(name: str, known: Known) -> set[int]:
    same = alike(name)
    return {number for said, numbers in known.items() if alike(said) == same for number in numbers}


def stand_in_for(name: str, known: Known) -> str:
    """Choose what somebody is called from now on: by their own number, if that is free.

    A player who sat down by pressing a button was called so before. A number that is still to come
    would be taken for that of the next guest, so another small one is better.
    """
    own = _players_called(name, known)
    numbers = chain(sorted(own), count(1))
    return next(f"Player {n}" for n in numbers if known.get(f"Player {n}", own) <= own)
