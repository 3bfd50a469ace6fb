"""A batch: requests decided one after the other, which are then saved together or not at all.

Each is decided on the table as the one before left it, although nothing of that is on disk yet;
so no answer leaves here until the whole batch is saved.
"""

from __future__ import annotations

import logging
import secrets
import traceback
from collections.abc import Collection
from itertools import islice

import msgspec

from companion.common.refusals import service_refusal
from companion.journal.chain import command_digest, is_digest_of
from companion.journal.file import JournalError
from companion.journal.journal import Entry, Journal, entry
from companion.referee.commands import ButtonCommand, Command, OpenTable, PassTime, PhonePress
from companion.referee.deadlines import next_deadline
from companion.referee.decide import drafted
from companion.referee.draft import Now
from companion.referee.events import Event, MatchStarted
from companion.referee.model.presses import SECOND
from companion.referee.model.table import Table, names_at
from companion.referee.sentences import Refusal
from companion.service.envelope import CommandAnswer
from companion.service.requests import Request
from companion.service.staleness import refuse_stale

log = logging.getLogger(__name__)

STALL = SECOND // 4
"""Being so much too late means that the program stood still, and the buttons were not heard."""

_known_bugs: set[str] = set()


class Batch:
    """The table as it becomes, what will be written for it, and what everyone will be told."""

    def __init__(
        self, table: Table, recent: Collection[Event], journal: Journal, wall: str
    ) -> None:
        self.table = table
        self.journal = journal
        self.wall = wall
        self.entries: list[Entry] = []
        self.events: list[Event] = []
        self.outcomes: list[tuple[Request, CommandAnswer | Refusal]] = []
        self.boundary: Table | None = None
        """The table right after a match began, which is worth a snapshot."""
        self.bugs = 0
        self._recent = recent
        self._at = journal.head.at or 0
        self._receipts: dict[str, tuple[bytes, CommandAnswer]] = {}

    def carry_out(self, request: Request) -> None:
        """Decide one request; whatever was due before a tap is ruled first.

        A button's report counts by its own date, which may lie before what is due, so for it
        time is not passed, nor for a phone's. Nor before the table knows that nobody has listened
        for a while.
        """
        self._at = max(self._at, request.at)
        if not isinstance(request.command, PassTime | OpenTable | PhonePress | ButtonCommand):
            self._pass_time()
        try:
            self.outcomes.append((request, self._answer(request)))
        except Refusal as refusal:
            refusal.names = names_at(self.table)
            self.outcomes.append((request, refusal))
        except JournalError as trouble:
            self.outcomes.append((request, service_refusal("not_saved", trouble=str(trouble))))
        except Exception as mistake:
            self._report(request.command, mistake)
            self.outcomes.append((request, service_refusal("bug")))

    def _pass_time(self) -> None:
        """Rule what is due; what is long overdue waits for presses that are still on their way."""
        try:
            deadline = next_deadline(self.table)
            if deadline is not None and deadline <= self._at <= deadline + STALL:
                self._decide(PassTime(), None, b"")
        except Exception as mistake:
            self._report(PassTime(), mistake)

    def _answer(self, request: Request) -> CommandAnswer:
        if request.id is None:
            self._check_version(request)
            return self._decide(request.command, None, b"")
        sent = msgspec.json.encode(request.sent or request.command)
        earlier = self._on_record(request.id)
        if earlier is not None:
            if not is_digest_of(earlier[0], sent):
                raise service_refusal("id_reused", id=request.id)
            return earlier[1]
        self._check_version(request)
        digest = command_digest(sent)
        answer = self._decide(request.command, request.id, digest)
        self._receipts[request.id] = (digest, answer)
        return answer

    def _on_record(self, id_: str) -> tuple[bytes, CommandAnswer] | None:
        if id_ in self._receipts:
            return self._receipts[id_]
        receipt = self.journal.receipt(id_)
        if receipt is None:
            return None
        rows = self.journal.rows(receipt.first - 1, receipt.last)
        return receipt.digest, CommandAnswer(receipt.last, tuple(row.event() for row in rows))

    def _check_version(self, request: Request) -> None:
        if request.version is None:
            return
        missed = self._events_since(request.version)
        refuse_stale(request.command, request.version, self.table.version, missed)

    def _events_since(self, version: int) -> tuple[Event, ...] | None:
        """Give what came after a version; None when that is too long ago."""
        saved = self.table.version - len(self.events)
        older = len(self._recent) - max(0, saved - version)
        if older < 0:
            return None
        return (*islice(self._recent, older, None), *self.events[max(0, version - saved) :])

    def _decide(self, command: Command, id_: str | None, digest: bytes) -> CommandAnswer:
        draft = drafted(self.table, command, Now(self._at, secrets.randbits(32)))
        events, table = draft.events, draft.table
        made = entry(self.table, events, table, self._at, id_, digest)
        # From here on nothing can fail, so a mistake above leaves the batch as it was.
        if events:
            self.entries.append(made)
            self.events.extend(events)
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
