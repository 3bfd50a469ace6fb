"""Forgetting a name in a hall: its backups first, then its journal, each in its place."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from companion.common.clock import label
from companion.hall.events import HallEvent, PersonRenamed, ResultTaken, ResultWritten
from companion.hall.keeper import HallKeeper
from companion.journal.bodies import encoded
from companion.journal.chain import Row, read_rows
from companion.journal.file import JournalDamaged, JournalError, change_copy, reader
from companion.journal.journal import Journal
from companion.journal.names import read_name_lines
from companion.journal.opening import JOURNAL
from companion.keeping import backups
from companion.keeping.forgetting.erasing import erase, put_instead
from companion.keeping.forgetting.forgetting import LeftCopy, empty_log, left_copy
from companion.keeping.forgetting.other_files import damaged_copies, drop, scrub_logs, sweep
from companion.keeping.forgetting.plan import ForgettingPlan, alike, stand_in_for

TELLING = {"result_taken", "result_written"}
"""Kinds of events with words in them that may be a name: of a stranger, or in a reason."""


class HallForgotten(Struct, frozen=True):
    """What was done."""

    instead: str
    backups: tuple[str, ...]
    left: tuple[LeftCopy, ...]
    removed: tuple[str, ...]


def forget_in_hall(
    folder: Path, name: str, keeper: HallKeeper | None = None, *, remove: bool = False
) -> HallForgotten | None:
    """Forget a name for good; none where this hall never heard it.

    An open hall gives its keeper; without one the folder is held meanwhile.
    """
    if keeper is not None:
        return _forget(folder, name, keeper, remove)
    with closing(HallKeeper(folder)) as own:
        return _forget(folder, name, own, remove)


def _forget(folder: Path, name: str, keeper: HallKeeper, remove: bool) -> HallForgotten | None:
    with backups.alone(folder):
        plan = _planned(folder, name)
        if plan is None:
            return None
        when, done, left = label(), [], []
        sweep(folder)
        for copy in backups.listed(folder):
            try:
                if _held(copy.path, plan):
                    change_copy(copy.path, lambda journal: _erase(journal, plan, when))
                    done.append(copy.path.name)
            except (JournalError, OSError) as trouble:
                left.append(left_copy(copy.path, trouble))
        scrub_logs(folder, plan)
        left += [left_copy(file) for file in damaged_copies(folder)]
        removed = tuple(one.file for one in left) if remove else ()
        drop(folder, removed)
        called = [one.number for one in keeper.evening.people.values() if plan.holds(one.name)]

        def change(journal: Journal) -> Sequence[HallEvent]:
            journal.transact(lambda connection: _erase(connection, plan, when))
            # Told as an event too, so that every page and every table hears of it.
            return [PersonRenamed(number, plan.instead(name)) for number in called]

        keeper.renew(change)
        with closing(Journal(folder / JOURNAL)) as journal:
            empty_log(journal)
    still = tuple(one for one in left if one.file not in removed)
    return HallForgotten(plan.instead(name), tuple(done), still, removed)


class _HallPlan(ForgettingPlan, frozen=True):
    """A name that goes, wherever it stands in the journal of a hall."""

    def holds(self, text: str) -> bool:
        return alike(text) in self.names

    def without(self, event: object) -> HallEvent | None:
        """Write an event without the name; none where it is not in there."""
        if not isinstance(event, ResultTaken | ResultWritten):
            return None
        result = event.result
        places = tuple(
            replace(one, name=self.instead(one.name)) if one.name else one for one in result.places
        )
        reason = result.reason
        for name in self.said:
            reason = re.sub(
                rf"(?<!\w){re.escape(name)}(?!\w)", self.instead(name), reason, flags=re.IGNORECASE
            )
        plain = replace(result, places=places, reason=reason)
        return None if plain == result else replace(event, result=plain)


def _planned(folder: Path, name: str) -> _HallPlan | None:
    """Say what would go, looking at the journal and at every copy that can be read."""
    known: dict[str, set[int]] = {}
    for file in [folder / JOURNAL, *(copy.path for copy in backups.listed(folder))]:
        try:
            with closing(reader(file, still=file.name != JOURNAL)) as connection:
                for _, player, said in read_name_lines(connection):
                    known.setdefault(said, set()).add(player)
                for said in _strangers(connection):
                    known.setdefault(said, set())
        except (JournalError, OSError):
            if file.name == JOURNAL:
                raise
    same = alike(name)
    ways = tuple(one for one in known if alike(one) == same)
    if not ways:
        return None
    instead = {same: stand_in_for(name, known)}
    return _HallPlan(None, (0, None), instead, ways, frozenset(known), ())


def _strangers(connection: sqlite3.Connection) -> set[str]:
    """Find the names of people in results who were never on the list."""
    names: set[str] = set()
    for row in read_rows(connection, kinds=TELLING):
        event: object = row.event()
        if isinstance(event, ResultTaken | ResultWritten):
            names |= {one.name for one in event.result.places if one.name}
    return names


def _changed(connection: sqlite3.Connection, plan: _HallPlan) -> list[tuple[Row, HallEvent]]:
    rows = list(read_rows(connection, kinds=TELLING))
    changes = ((row, plan.without(row.event())) for row in rows)
    return [(row, event) for row, event in changes if event is not None]


def _held(copy: Path, plan: _HallPlan) -> bool:
    if copy.stat().st_size == 0:
        raise JournalDamaged("the file is empty")
    with closing(reader(copy, still=True)) as connection:
        named = any(plan.holds(name) for _, _, name in read_name_lines(connection))
        return named or bool(_changed(connection, plan))


def _erase(connection: sqlite3.Connection, plan: _HallPlan, when: str) -> None:
    erase(connection, plan, when)
    for row, event in _changed(connection, plan):
        _, body, _ = encoded(event)
        put_instead(connection, row, replace(row, body=body))
