"""Many evenings at one table, decided by the referee at a clock of their own and written at once.

So a journal of a hundred matches, with every hand of every race, is there in a second or two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import msgspec

from companion.journal.file import create, put_in_place
from companion.journal.journal import Journal, entry
from companion.journal.opening import JOURNAL
from companion.referee import commands as c
from companion.referee.apply import apply
from companion.referee.events import Event
from companion.referee.model.edition import PRINTED
from companion.referee.model.presses import MILLISECOND, SECOND, Timing
from companion.referee.model.table import Match, Race, Round, Table
from companion.referee.rules.scoring import standing
from companion.referee.sentences import unpacked
from tests.simulation.ghost.door import BareTable

FIRST_NIGHT = datetime(2026, 1, 9, 19, 30, tzinfo=UTC)
TIES = 0.4
_events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event, dec_hook=unpacked)


class Evenings:
    """One table and its people, whose hands are as quick as their place in the list."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.luck = Random(seed)
        self.table = BareTable(seed)
        self.table.send(c.OpenTable(PRINTED, Timing(), 0))
        self.path = folder / JOURNAL
        self.quick: dict[int, int] = {}
        """How many milliseconds each hand needs, more or less."""
        self._matches, self._told = 0, Table()
        folder.mkdir(parents=True, exist_ok=True)
        put_in_place(create(self.path), self.path)
        self._journal = Journal(self.path)

    def sit(self, *names: str) -> None:
        """Let them sit down, each with a button, where others have stood up."""
        for seat in list(self.quick):
            self.table.send(c.Stand(seat))
        self.quick = {seat: 260 + 35 * (seat - 1) for seat in range(1, len(names) + 1)}
        for seat, name in enumerate(names, 1):
            self.table.send(c.Sit(name, seat, seat))

    def play(self, rules: c.SetUp, *, rounds: int, races: int = 1) -> None:
        """Play a match for at most so many rounds, with so many races in each."""
        self.table.send(rules)
        self.table.send(c.StartMatch())
        self.table.send(c.ChooseDealer(1))
        for _ in range(rounds):
            self.table.send(c.Deal())
            for _ in range(races if self._match.edition.race_card else 0):
                self._race()
            self._quarrel()
            self._score()
            if standing(self._match).winners:
                break
        self.table.send(c.CloseMatch())
        self._write()

    def _race(self) -> None:
        """Somebody lays a Street Race; now and then the last two tie, and a light decides."""
        layer = self.luck.choice(list(self.quick))
        self._wait(3 * SECOND)
        self.table.send(c.DeclareRace(layer))
        hands = self._reactions(self.table.now(), [seat for seat in self.quick if seat != layer])
        if len(hands) > 1 and self.luck.random() < TIES:
            *_, second, last = sorted(hands, key=hands.__getitem__)
            hands[last] = hands[second]
        self._slap(hands)
        if self._latest.state == "undecided":
            self.table.send(c.SlapOff())
            light = self._latest.slap_off
            assert light is not None
            self._slap(self._reactions(light.light_at, light.seats))
        if self._latest.state == "undecided":
            self.table.send(c.PickLast((max(self._latest.tied),)))
        self._pay()

    def _reactions(self, start: int, seats: Iterable[int]) -> dict[int, int]:
        """When each of these hands comes down, as quickly as it can."""
        needed = {seat: self.luck.lognormvariate(0, 0.3) * self.quick[seat] for seat in seats}
        return {seat: start + max(90, round(took)) * MILLISECOND for seat, took in needed.items()}

    def _slap(self, hands: Mapping[int, int]) -> None:
        for seat, at in sorted(hands.items(), key=lambda hand: hand[1]):
            self.table.wait_until(at)
            self.table.send(c.PushButton(seat, at, 2_000))
            self.table.send(c.Release(seat, at + 40 * MILLISECOND, at))
        self._wait(12 * SECOND)

    def _quarrel(self) -> None:
        seats = list(self.quick)
        caller, forgetful, by = (self.luck.choice(seats) for _ in range(3))
        self.table.send(c.Call(caller))
        self._wait(SECOND)
        if self.luck.random() < 0.6 and forgetful != by:
            self.table.send(c.Catch(forgetful, by=by))
            self._wait(5 * SECOND)
            self._pay()

    def _score(self) -> None:
        seats = list(self.quick)
        out = self.luck.choices(seats, [1 / self.quick[seat] for seat in seats])[0]
        self.table.send(c.GoOut(out))
        for seat in seats:
            if seat != out:
                self.table.send(c.EnterPoints(seat, self.luck.randrange(0, 70)))
        self.table.send(c.ScoreRound())

    def _pay(self) -> None:
        for debt in self._round.debts:
            self.table.send(c.Drawn(debt.number))

    def _wait(self, nanoseconds: int) -> None:
        self.table.wait_until(self.table.now() + nanoseconds)

    @property
    def _match(self) -> Match:
        match = self.table.table.game.match
        assert match is not None
        return match

    @property
    def _round(self) -> Round:
        assert self._match.round is not None
        return self._match.round

    @property
    def _latest(self) -> Race:
        return self._round.races[-1]

    def _write(self) -> None:
        """Put what is new on disk; three matches make a night, and a week passes between two."""
        night = FIRST_NIGHT + timedelta(days=7 * (self._matches // 3), hours=self._matches % 3)
        entries = []
        for line in self.table.journal[self._told.version :]:
            before, event = self._told, _events.decode(line)
            self._told = apply(before, event)
            entries.append(entry(before, [event], self._told, self.table.now()))
        self._journal.append(entries, night.isoformat())
        self._matches += 1

    def close(self) -> None:
        """Leave the journal to whoever opens the table."""
        self._journal.close()
