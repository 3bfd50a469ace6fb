"""A batch: errands decided one after the other, which are then saved together or not at all.

Each is decided on the table as the one before left it, although nothing of that is on disk yet;
so no answer leaves here until the whole batch is saved.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import traceback

import msgspec

from companion.common.refusals import service_refusal
from companion.journal.chain import encoded
from companion.journal.file import JournalError
from companion.journal.journal import Entry, Journal
from companion.journal.match_list import MatchList
from companion.journal.recent import Recent
from companion.referee.commands import ButtonCommand, Command, OpenTable, PassTime, PhonePress
from companion.referee.deadlines import next_deadline
from companion.referee.decide import drafted
from companion.referee.draft import Now
from companion.referee.events import Event, MatchStarted
from companion.referee.model.presses import SECOND
from companion.referee.model.table import Table
from companion.referee.sentences import Refusal
from companion.service.envelope import CommandAnswer
from companion.service.request import Request
from companion.service.staleness import refuse_stale

log = logging.getLogger(__name__)

STALL = SECOND // 4
"""Being so much too late means that the program stood still, and the buttons were not heard."""

_known_bugs: set[str] = set()


class Batch:
    """The table as it becomes, what will be written for it, and what everyone will be told."""

    def __init__(self, recent: Recent, journal: Journal, wall: str) -> None:
        self.table = recent.table
        self.journal = journal
        self.wall = wall
        self.entries: list[Entry] = []
        self.events: list[Event] = []
        self.outcomes: list[tuple[Request, CommandAnswer | Refusal]] = []
        self.ledger = MatchList()
        self.boundary: Table | None = None
        """The table right after a match began, which is worth a snapshot."""
        self.bugs = 0
        self._recent = recent
        self._at = journal.head.at or 0
        self._receipts: dict[str, tuple[bytes, CommandAnswer]] = {}

    def carry_out(self, errand: Request) -> None:
        """Decide one errand; whatever was due before a tap is ruled first.

        A button's report counts by its own date, which may lie before what is due, so for it
        time is not passed, nor for a phone's. Nor before the table knows that nobody has listened
        for a while.
        """
        self._at = max(self._at, errand.at)
        if not isinstance(errand.command, PassTime | OpenTable | PhonePress | ButtonCommand):
            self._pass_time()
        try:
            self.outcomes.append((errand, self._answer(errand)))
        except Refusal as refusal:
            self.outcomes.append((errand, refusal))
        except JournalError as trouble:
            self.outcomes.append((errand, service_refusal("not_saved", trouble=str(trouble))))
        except Exception as mistake:
            self._report(errand.command, mistake)
            self.outcomes.append((errand, service_refusal("bug")))

    def _pass_time(self) -> None:
        """Rule what is due; what is long overdue waits for presses that are still on their way."""
        try:
            deadline = next_deadline(self.table)
            if deadline is not None and deadline <= self._at <= deadline + STALL:
                self._decide(PassTime(), None, b"")
        except Exception as mistake:
            self._report(PassTime(), mistake)

    def _answer(self, errand: Request) -> CommandAnswer:
        if errand.id is None:
            self._check_version(errand)
            return self._decide(errand.command, None, b"")
        digest = hashlib.sha256(msgspec.json.encode(errand.sent or errand.command)).digest()
        known = self._on_record(errand.id)
        if known is not None:
            if known[0] not in (digest, b""):
                raise service_refusal("id_reused", id=errand.id)
            return known[1]
        self._check_version(errand)
        answer = self._decide(errand.command, errand.id, digest)
        self._receipts[errand.id] = (digest, answer)
        return answer

    def _on_record(self, id_: str) -> tuple[bytes, CommandAnswer] | None:
        if id_ in self._receipts:
            return self._receipts[id_]
        receipt = self.journal.receipt(id_)
        if receipt is None:
            return None
        rows = self.journal.rows(receipt.first - 1, receipt.last)
        return receipt.digest, CommandAnswer(receipt.last, tuple(row.event() for row in rows))

    def _check_version(self, errand: Request) -> None:
        if errand.version is None:
            return
        saved = self.table.version - len(self.events)
        missed = self._recent.since(min(errand.version, saved))
        if missed is not None:
            missed = (*missed, *self.events[max(0, errand.version - saved) :])
        refuse_stale(errand.command, errand.version, self.table.version, missed)

    def _decide(self, command: Command, id_: str | None, digest: bytes) -> CommandAnswer:
        draft = drafted(self.table, command, Now(self._at, secrets.randbits(32)))
        events, table = draft.events, draft.table
        bodies = tuple(encoded(event) for event in events)
        # From here on nothing can fail, so a mistake above leaves the batch as it was.
        if events:
            self.entries.append(Entry(bodies, self._at, id_, digest))
            self.events.extend(events)
            self.ledger.follow(self.table, table, self.wall)
            if any(isinstance(event, MatchStarted) for event in events):
                self.boundary = table
            self.table = table
        return CommandAnswer(table.version, tuple(events))

    def _report(self, command: Command, mistake: Exception) -> None:
        self.bugs += 1
        place = "".join(traceback.format_tb(mistake.__traceback__)[-1:]) + type(mistake).__name__
        if place not in _known_bugs:
            _known_bugs.add(place)
            log.error("A mistake in the companion, met by %r.", command, exc_info=mistake)
