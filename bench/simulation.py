"""How fast whole matches are refereed in simulation, beside RLCard's UNO environment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from statistics import median
from typing import Any

from bench.figure import Figure
from bench.ground import PLAYERS, Ground
from bench.tables import BareTable
from companion.demo.playing import play, seat, set_up
from companion.demo.refereed import RefereedMatch
from companion.referee.model.edition import FAST_AND_FURIOUS

TWO = 2
"""RLCard's UNO seats two, so two play here as well."""


def figures(ground: Ground) -> Iterator[Figure]:
    """Referee a match, then let RLCard play as many turns, and so on in turn."""
    # Imported late: the other benches need no peer.
    import rlcard

    peer = rlcard.make("uno", config={"seed": 1})
    costs: list[tuple[float, float]] = []
    for number in range(ground.size(15, 1)):
        turns, seconds = _referee(TWO, number)
        costs.append((seconds / turns * 1e6, _peer(peer, turns, number) / turns * 1e6))
    yield Figure.of_pairs("a refereed turn, beside RLCard's UNO", costs, "µs/turn")
    for players in (TWO, PLAYERS):
        spent = [_referee(players, number)[1] for number in range(ground.size(9, 1))]
        yield Figure(
            name=f"refereed matches of {players} players", ours=1 / median(spent), unit="/s"
        )


def _referee(players: int, seed: int) -> tuple[int, float]:
    """Play one match with real cards, every step decided by the referee."""
    table = BareTable()
    seats = seat(table, players)
    set_up(table, FAST_AND_FURIOUS, "refereed")
    match = RefereedMatch(FAST_AND_FURIOUS, seats, seed)
    began = time.process_time()
    play(table, match.steps())
    return match.turns, time.process_time() - began


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
