"""A light table: it has no people, but it plays, scores and speaks to a hall like a whole one."""

from __future__ import annotations

import hashlib
import threading
from random import Random

from companion.hall.contract import (
    CONTRACT,
    Ack,
    Orders,
    Seated,
    SentMatch,
    SentPlayer,
    SentResult,
    SentRound,
    TableState,
)
from companion.hall.evening import Best, BestHand
from companion.referee.model.presses import MILLISECOND

TARGET = 250


class LightTable:
    """Plays the matches that its hall asks for, a round at each step."""

    def __init__(self, number: int, seed: int) -> None:
        self.number = number
        self._chance = Random(f"{seed}/{number}")
        self._lock = threading.Lock()
        self._results: list[SentMatch] = []
        self._names: tuple[str, ...] = ()
        self._rounds: list[SentRound] = []
        self._points: list[int] = []

    def step(self) -> bool:
        """Play one round of the match that is on; tell whether that was its last."""
        with self._lock:
            if not self._names:
                return False
            out = self._chance.randrange(len(self._names))
            left = {
                at: self._chance.randrange(5, 60) for at in range(len(self._names)) if at != out
            }
            self._rounds.append(SentRound(out, left))
            self._points[out] += sum(left.values())
            if self._points[out] < TARGET:
                return False
            self._results.append(self._finished(out))
            self._names = ()
            return True

    def follows(self, ack: Ack) -> bool:
        """Whether what it has played holds what the hall has of it."""
        return ack.sequence <= len(self._results) and self._seal(ack.sequence) == ack.seal

    def after(self, ack: Ack) -> list[SentResult]:
        """Give every result that the hall does not have."""
        with self._lock:
            return [
                SentResult(CONTRACT, at, self._seal(at), at - 1, self._seal(at - 1), body)
                for at, body in enumerate(self._results, 1)
                if at > ack.sequence
            ]

    def state(self, unsent: int) -> TableState:
        """Tell how far it has come."""
        with self._lock:
            seated = tuple(map(Seated, self._names, self._points))
            phase = "play" if self._names else "seating"
            return TableState(phase, seated, len(self._rounds), unsent=unsent)

    def follow(self, orders: Orders) -> bool:
        """Begin the match that the hall asks for, unless another one is on."""
        with self._lock:
            if self._names:
                return False
            self._names, self._rounds = orders.seats, []
            self._points = [0] * len(orders.seats)
            return True

    def _finished(self, winner: int) -> SentMatch:
        players = tuple(map(SentPlayer, self._names, self._points))
        race = self._race()
        *_, ahead, behind = race
        margin = (behind.after or 0) - (ahead.after or 0)
        best = [
            Best("race", margin, (ahead.at, behind.at), len(self._rounds), race),
            Best("hand", race[1].after or 0, (race[0].at,), len(self._rounds), race),
        ]
        if (gap := self._comeback(winner)) > 0:
            best.append(Best("comeback", gap, (winner,), len(self._rounds)))
        number = len(self._results) + 1
        rounds = tuple(self._rounds)
        return SentMatch(number, "finished", "classic", players, (winner,), rounds, tuple(best))

    def _race(self) -> tuple[BestHand, ...]:
        """Let all hands come down, one after the other."""
        after, hands = 0, []
        for at in self._chance.sample(range(len(self._names)), len(self._names)):
            hands.append(BestHand(at, after))
            after += self._chance.randrange(2_000, 120_000) * MILLISECOND // 1000
        return tuple(hands)

    def _comeback(self, winner: int) -> int:
        """Tell how many points the winner was behind at worst."""
        totals, gap = [0] * len(self._names), 0
        for line in self._rounds:
            totals[line.out] += sum(line.left.values())
            gap = max(gap, max(totals) - totals[winner])
        return gap

    def _seal(self, sequence: int) -> str:
        words = f"{self.number} {sequence}"
        return hashlib.sha256(words.encode()).hexdigest()[:32] if sequence else ""
