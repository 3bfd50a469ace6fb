"""How fast whole matches are refereed in simulation, beside RLCard's UNO environment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from statistics import median
from typing import Any

from bench.figure import Figure
from bench.ground import PLAYERS, Ground
from bench.sides.tables import BareTable
from companion.demo.playing import play, seat, set_up
from companion.demo.refereed import RefereedMatch
from companion.referee.commands import Command, Draw, Play
from companion.referee.decide import drafted
from companion.referee.draft import Now
from companion.referee.model.edition import FAST_AND_FURIOUS
from companion.referee.model.table import Table

TWO = 2
"""RLCard's UNO seats two, so two play here as well."""
MARK = 1.2


def figures(ground: Ground) -> Iterator[Figure]:
    """Referee a match, then let RLCard play as many turns, and so on in turn."""
    # Imported late: the other benches need no peer.
    import rlcard

    peer = rlcard.make("uno", config={"seed": 1})
    alone: list[tuple[float, float]] = []
    played: list[tuple[float, float]] = []
    for number in range(ground.size(15, 1)):
        table, turns, seconds = _referee(TWO, number)
        other = _peer(peer, turns, number) / turns * 1e6
        alone.append((_decide_turns(table) * 1e6, other))
        played.append((seconds / turns * 1e6, other))
    yield Figure.of_pairs("a turn, decided and applied alone", alone, "µs/turn", MARK)
    yield Figure.of_pairs("a turn, with all that people do around it", played, "µs/turn")
    for players in (TWO, PLAYERS):
        spent = [_referee(players, number)[2] for number in range(ground.size(9, 1))]
        yield Figure(
            name=f"refereed matches of {players} players", ours=1 / median(spent), unit="/s"
        )


def _referee(players: int, seed: int) -> tuple[RecordingTable, int, float]:
    """Play one match with real cards, every step decided by the referee."""
    table = RecordingTable()
    seats = seat(table, players)
    set_up(table, FAST_AND_FURIOUS, "refereed")
    match = RefereedMatch(FAST_AND_FURIOUS, seats, seed)
    began = time.process_time()
    play(table, match.steps())
    return table, match.turns, time.process_time() - began


def _decide_turns(table: RecordingTable) -> float:
    """Decide every turn of the match once more, and tell the seconds that one takes."""
    began = time.process_time()
    for before, command, now in table.turns:
        _ = drafted(before, command, now).table
    return (time.process_time() - began) / len(table.turns)


class RecordingTable(BareTable):
    """Keeps every turn of a card: the table before it, what was entered, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[tuple[Table, Command, Now]] = []

    def decide(self, command: Command) -> None:
        """Keep what a turn is decided from."""
        if isinstance(command, Play | Draw):
            self.turns.append((self.table, command, Now(self.now)))
        super().decide(command)


def _peer(environment: Any, turns: int, seed: int) -> float:
    """Let RLCard play so many turns, with players who choose at random and cost next to nothing."""
    random = Random(seed)
    began = time.process_time()
    played = 0
    while played < turns:
        state, _ = environment.reset()
        while played < turns and not environment.is_over():
            state, _ = environment.step(random.choice(list(state["legal_actions"])))
            played += 1
    return time.process_time() - began
