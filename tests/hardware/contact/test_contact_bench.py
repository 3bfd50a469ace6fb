"""The contact bench: kept traces of what contacts do, each with what the table must make of it."""

from __future__ import annotations

import random
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from companion.referee.commands import MissPresses, PushButton, PutBack, Release, SetAside
from tests.hardware.contact.replay import PROMPT, Replay, moves_of, since
from tests.hardware.contact.traces import NUMBERED

KEPT = tomllib.loads((Path(__file__).parent / "contact_traces.toml").read_text())
TRACES, HUMS = KEPT["trace"], KEPT["hum"]
KINDS = {"bounce", "spike", "light touch", "rebound", "slow release", "resting hand", "stall"}
LATE = 30
"""So many times each trace is played with threads that are late by chance."""

each_trace = pytest.mark.parametrize(
    "trace", [pytest.param(trace, id=trace["name"]) for trace in TRACES]
)
each_way = pytest.mark.parametrize("numbered", [True, False], ids=["gpiod", "lgpio"])


def stall_of(trace: dict[str, Any]) -> tuple[int, int] | None:
    if "stall" not in trace:
        return None
    begins, ends = (at for at, _, _ in moves_of(trace["stall"]))
    return begins, ends


def span(press: PushButton) -> tuple[float, float]:
    """Between which milliseconds of the trace a press may have been."""
    own = press.uncertainty - NUMBERED.base
    return since(press.at - own), since(press.at + own)


def test_every_kind_of_trace_is_there() -> None:
    assert {trace["kind"] for trace in TRACES} == KINDS


@each_way
@each_trace
def test_a_kept_trace_means_what_was_written_beside_it(trace, numbered):
    replay = Replay(numbered=numbered)
    replay.play(moves_of(trace["edges"]), stall_of(trace))
    said = replay.reports
    first_edges = [span(r)[1] for r in said if isinstance(r, PushButton)]
    assert first_edges == trace["presses"]
    expected = [at for at in trace.get("releases", ()) if at != "aside"]
    faults = [r for r in said if isinstance(r, SetAside)]
    aside = {r.at for r in faults}
    let_go = [since(r.at) for r in said if isinstance(r, Release) and r.at not in aside]
    assert let_go == expected
    assert [r.fault for r in faults] == ([trace["fault"]] if "fault" in trace else [])
    back = [since(r.at) for r in said if isinstance(r, PutBack)]
    assert back == ([trace["back"]] if "back" in trace else [])
    if numbered:
        assert not any(isinstance(r, MissPresses) for r in said)


@each_way
@pytest.mark.parametrize("hum", [pytest.param(hum, id=hum["name"]) for hum in HUMS])
def test_a_line_that_hums_is_set_aside_from_its_first_edge_on(hum, numbered):
    half = 500 / hum["hertz"]
    replay = Replay(numbered=numbered, delay=lambda: PROMPT)
    replay.play(moves_of([n * half for n in range(round(400 / half))]))
    (fault,) = [r for r in replay.reports if isinstance(r, SetAside)]
    assert (fault.fault, since(fault.at)) == ("noise", 0)
    assert sum(isinstance(r, PushButton) for r in replay.reports) <= 1


@each_trace
def test_threads_that_are_late_blur_a_trace_and_never_turn_it_into_another(trace):
    """Whatever is hidden, no spike is a slap, no date is surer than it is, no loss goes unsaid."""
    for seed in range(LATE):
        chance = random.Random(f"{trace['name']} {seed}")
        delay = lambda chance=chance: round(chance.lognormvariate(0, 0.9) * 40_000)  # noqa: E731
        replay = Replay(numbered=True, delay=delay)
        replay.play(moves_of(trace["edges"]), stall_of(trace))
        said = replay.reports
        heard = [r for r in said if isinstance(r, PushButton)]
        missed = [r for r in said if isinstance(r, MissPresses)]
        assert len(heard) <= len(trace["presses"])
        if not missed:
            assert len(heard) == len(trace["presses"])
            for press, true in zip(heard, trace["presses"], strict=True):
                earliest, latest = span(press)
                assert earliest <= true <= latest
        faults = {r.fault for r in said if isinstance(r, SetAside)}
        assert faults <= {trace.get("fault")}


def test_traces_are_told_in_order() -> None:
    for trace in TRACES:
        assert all(sooner < later for sooner, later in pairwise(trace["edges"])), trace["name"]
