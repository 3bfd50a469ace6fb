"""The statistics beside a plain re-computation, on the journals of ghosts who quarrel and undo.

`STATISTICS_NIGHTS` says how many tables of each edition are compared; the soak plays more.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.journal.file import create, put_in_place
from companion.journal.journal import Journal, entry
from companion.journal.opening import JOURNAL
from companion.past.briefs import MatchFilter
from companion.past.past import Past
from companion.past.replay import Replay
from companion.referee.apply import apply
from companion.referee.events import Event, Redone, Undone
from companion.referee.model.table import Table
from companion.referee.sentences import unpacked
from tests.past.plain_statistics import Figures, Match, recompute, what_counts
from tests.simulation.ghost.door import BareTable
from tests.simulation.ghost.ghost import Ghost
from tests.simulation.ghost.plays.match import play_on_to_the_end
from tests.simulation.ghost.plays.opening import any_plan, open_night
from tests.simulation.ghost.temper import WILD

pytestmark = pytest.mark.xdist_group("plain statistics")

SEEDS = range(3, 3 + int(os.environ.get("STATISTICS_NIGHTS", "4")))
A_LONG_NIGHT = 20
"""With so many races that some hands are compared by their medians."""
EDITIONS = ("fast-and-furious", "express")
SCORINGS = ("classic", "alternative")
WALL = "2026-11-13T20:00:00Z"
QUARRELSOME = replace(WILD, quarrel=0.12, undo=0.04, restart=0.0, draw=0.02)
_events = msgspec.json.Decoder(Event, dec_hook=unpacked)


@cache
def played(seed: int, edition: str) -> tuple[bytes, ...]:
    """Let ghosts play matches in both scorings at one table, and give its lines."""
    table = BareTable(seed)
    ghost = Ghost(table, seed, QUARRELSOME, compares=False)
    for scoring in SCORINGS:
        plan = any_plan(Random(f"{edition} {seed} {scoring}"), edition)
        open_night(ghost, replace(plan, scoring=scoring, players=3 + seed % 3))
        play_on_to_the_end(ghost)
    return tuple(table.journal)


def written(lines: tuple[bytes, ...], folder: Path) -> Past:
    """Put the lines on disk, as the table itself does."""
    folder.mkdir()
    path = folder / JOURNAL
    put_in_place(create(path), path)
    pour(path, lines, Table())
    return Past(path)


def pour(path: Path, lines: tuple[bytes, ...], table: Table) -> Table:
    """Write the lines that follow on a table, and give the table after them."""
    entries = []
    for line in lines:
        before, event = table, _events.decode(line)
        table = apply(before, event)
        entries.append(entry(before, [event], table, 0))
    with closing(Journal(path)) as journal:
        journal.append(entries, WALL)
    return table


def shown(night: dict[str, object]) -> Figures:
    """Bring what is told into the shape of the plain re-computation."""
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(night))
    by_name = {
        field: {one.pop("name"): one for one in told[field]} for field in ("hands", "points")
    }
    return {
        **{field: told[field] for field in ("matches", "rounds", "races", "dead_heats", "people")},
        **by_name,
        "shave": told["shave"] and told["shave"]["margin"],
        "beaten": {(one["name"], one["by"]): one["times"] for one in told["beaten"]},
        "rivals": [
            (tuple(one["names"]), one["duels"], tuple(one["lost"])) for one in told["rivals"]
        ],
        "calls": {
            one["name"]: tuple(one[f] for f in ("calls", "caught", "missed", "forgot", "saved"))
            for one in told["calls"]
        },
        "winners": {w["name"]: (w["matches"], w["rounds"], w["row"]) for w in told["winners"]},
        "rates": {
            (one["name"], one["edition"], one["scoring"]): (one["played"], one["won"])
            for one in told["rates"]
        },
        "comebacks": [
            (one["behind"], one["rounds"], one["match"], one["name"], tuple(one["leads"]))
            for one in told["comebacks"]
        ],
    }


@cache
def expected(lines: tuple[bytes, ...], *, since: int = 1) -> Figures:
    """Work the figures out plainly, for all matches from this one on."""
    matches = [Match(number, events) for number, events in what_counts(lines).items()]
    found = recompute([match for match in matches if match.number >= since])
    found["calls"] = {name: told for name, told in found["calls"].items() if any(told)}
    duels: dict[tuple[str, str], int] = found.pop("duels")
    pairs = {tuple(sorted(pair)) for pair in duels}
    lost = {(a, b): (duels.get((a, b), 0), duels.get((b, a), 0)) for a, b in pairs}
    often = [(pair, sum(both), both) for pair, both in lost.items() if sum(both) > 1]
    found["rivals"] = sorted(often, key=lambda one: (-one[1], one[0]))[:3]
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_figure_is_what_a_plain_look_at_the_journal_gives(
    tmp_path: Path, edition: str
) -> None:
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        lines = played(seed, edition)
        past = written(lines, tmp_path / str(seed))
        told = past.statistics(MatchFilter())
        assert shown(told) == expected(lines), seed
        assert shown(past.statistics(MatchFilter(since=2))) == expected(lines, since=2), seed
        seen.update(type(_events.decode(line)).__name__ for line in lines)
        seen.update(field for field, figures in told.items() if figures)
    wanted = {"Undone", "Redone", "RulingOverruled", "PlayerRenamed", "SeatLeft", "RoundEdited"}
    wanted |= {"CallWithdrawn", "winners", "calls", "points", "comebacks", "rates"}
    if edition == "fast-and-furious":
        wanted |= {"hands", "shave", "beaten", "rivals", "dead_heats", "RaceUnread"}
    assert wanted <= seen.keys(), "what did not happen was not compared"


follow = Replay.follow


def _without_undo(replay: Replay, event: Event, *place: Any) -> None:
    """Leave calls as they are where the table goes back."""
    facts = replay._facts
    follow(replay, event, *place)
    if isinstance(event, Undone | Redone) and replay._facts.number == facts.number:
        replay._facts = replace(replay._facts, calls=facts.calls)


@pytest.mark.parametrize(
    ("part", "broken"),
    [
        pytest.param("replay.Replay.follow", _without_undo, id="undo"),
        pytest.param("facts._overruled", lambda facts, *_: facts, id="overruling"),
        pytest.param("facts._without_call", lambda facts, *_: facts, id="withdrawn calls"),
        pytest.param("highlights._slapping", lambda _: [], id="slaps as calls"),
        pytest.param("tables.match_rows.ONE_CALL", 0, id="a call told twice"),
        pytest.param("tables.match_rows._lead", lambda *_: 0, id="comebacks"),
        pytest.param("tables.match_rows._first", lambda _: None, id="who was first"),
        pytest.param("tables.match_rows._pairs", lambda _: (), id="who comes behind whom"),
        pytest.param("statistics.racing._quantile", lambda times, _: times[0], id="the median"),
        pytest.param("statistics.racing.longest_run", lambda _: 1, id="rows"),
    ],
)
def test_whatever_is_broken_is_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, part: str, broken: object
) -> None:
    monkeypatch.setattr(f"companion.past.{part}", broken)
    for seed in (*SEEDS, A_LONG_NIGHT):
        lines = played(seed, "fast-and-furious")
        told = written(lines, tmp_path / str(seed)).statistics(MatchFilter())
        if shown(told) != expected(lines):
            return
    pytest.fail("the plain re-computation has not noticed")
