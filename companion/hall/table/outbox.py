"""The outbox of a table: its journal. Each result that the hall may lack is read from it again.

The sequence of a result is the number of the last event that can have changed it, so that it is
the same whenever it is read, and an edited match comes again with a higher one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

from msgspec.structs import replace

from companion.hall.contract import (
    CONTRACT,
    LARGEST,
    MOST_PARTS,
    MOST_RULINGS,
    Ack,
    SentMatch,
    SentPlayer,
    SentResult,
    SentRound,
    SentRuling,
    mark,
    said,
)
from companion.hall.table.best import best_of
from companion.journal.bodies import kind_number
from companion.journal.chain import read_head, read_seal
from companion.journal.file import reader
from companion.past.highlights import Highlights
from companion.past.past import Past
from companion.past.records import MatchRecord
from companion.past.timeline import RulingTold, Timeline
from companion.referee import events as e
from companion.referee.sentences import Sentence, spoken

CHANGING = (
    e.RoundScored,
    e.RoundEdited,
    e.Undone,
    e.Redone,
    e.PlayedOn,
    e.MatchClosed,
    e.MatchStarted,
)
"""The events that can change what a match has come to."""
_KINDS = tuple(kind_number(str(kind.__struct_config__.tag)) for kind in CHANGING)
_LATEST = f"""
SELECT match, max(version) AS latest, min(version) FROM events
WHERE kind IN ({", ".join(map(str, _KINDS))}) AND kind > 0 AND match IS NOT NULL
GROUP BY match HAVING latest > ? ORDER BY latest
"""


class Outbox:
    """Reads results from the journal of a table, on whatever thread asks."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self._path = past.model.path.with_name("journal.db")

    def follows(self, ack: Ack) -> bool:
        """Whether this journal holds what the hall has of it; a restored one may not."""
        with closing(reader(self._path)) as journal:
            seal = read_seal(journal, ack.sequence)
            ended = read_head(journal).version < ack.sequence
        return ack.sequence == 0 or (not ended and seal is not None and seal.hex() == ack.seal)

    def after(self, ack: Ack) -> Iterator[SentResult]:
        """Give every result that the hall does not have, each following the one before it."""
        with closing(reader(self._path)) as journal:
            rows = journal.execute(_LATEST, (ack.sequence,)).fetchall()
            versions = {version for row in rows for version in row[1:]}
            seals = {one: (read_seal(journal, one) or b"").hex() for one in versions}
        before = ack.sequence, ack.seal
        for match, version, begun in rows:
            body = self._match(match)
            if body is not None:
                seal = seals[version]
                yield fitting(SentResult(CONTRACT, version, seal, *before, body, seals[begun]))
                before = version, seal

    def _match(self, number: int) -> SentMatch | None:
        """Tell a match; none while it is on, or where nothing of it counts."""
        record = self._past.match(number)
        if record is None or not record.sheet.rounds:
            return None
        if not record.sheet.winners and record.ended is None:
            return None
        return told(record, self._past.highlights(number), self._past.story(number))


def fitting(result: SentResult) -> SentResult:
    """Leave out rulings, of the earliest rounds first, until the broker takes the result."""
    at = 0
    while len(said(result)) > LARGEST and at < len(result.body.rounds):
        rounds = list(result.body.rounds)
        rounds[at] = replace(rounds[at], rulings=())
        result, at = replace(result, body=replace(result.body, rounds=tuple(rounds))), at + 1
    return result


def told(record: MatchRecord, highlights: Highlights, story: Timeline | None = None) -> SentMatch:
    """Write a match for the hall."""
    sheet = record.sheet
    at = {one.player: place for place, one in enumerate(sheet.players)}
    players = []
    for one in sheet.players:
        points = one.classic if sheet.scoring == "classic" else one.alternative
        began = [stint for stint in one.stints if stint.start is not None]
        start, since = (began[-1].start or 0, began[-1].joined) if began else (0, 0)
        players.append(SentPlayer(one.name, points, start, since))
    marks = {player: mark(place) for player, place in at.items()}
    rulings = {} if story is None else {one.number: one.rulings for one in story.rounds}
    return SentMatch(
        match=record.number,
        ending="finished" if sheet.winners else "abandoned",
        scoring=sheet.scoring,
        players=tuple(players),
        winners=tuple(at[player] for player in sheet.winners),
        rounds=tuple(
            SentRound(
                at[line.out],
                {at[who]: left.points for who, left in line.hands.items()},
                tuple(_rulings(rulings.get(line.number, ()), marks)),
            )
            for line in sheet.rounds
        ),
        best=tuple(best_of(sheet, highlights)),
    )


def _rulings(rulings: Sequence[RulingTold], marks: Mapping[int, str]) -> Iterator[SentRuling]:
    """Tell the rulings that stand, without a name in them."""
    standing = [one for one in rulings if one.overruled is None]
    for ruling in standing[-MOST_RULINGS:]:
        sent = sent_ruling(ruling.rule, ruling.sentence, marks)
        if sent is not None:
            yield sent


def sent_ruling(rule: str, sentence: Sentence, names: Mapping[int, str]) -> SentRuling | None:
    """Write a ruling for the hall, unless it has more parts than the hall takes."""
    words = spoken(sentence, names)
    parts = {
        key: part[:200] if isinstance(part, str) else part for key, part in words.parts.items()
    }
    return SentRuling(rule, words.code, parts) if len(parts) <= MOST_PARTS else None
