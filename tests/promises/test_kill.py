"""The program is killed in mid-round and mid-race, again and again, and nothing shown is lost."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.journal.damage.verify import verify
from companion.referee.model.table import Race
from tests.kit.served import Served, Started, envelope, eventually
from tests.promises import player
from tests.promises.disk.replayed import Replayed
from tests.promises.lives import Cradle

KILLS = int(os.environ.get("KILLS", "200"))
SERVED_KILLS = int(os.environ.get("SERVED_KILLS", "3"))
SHARES = 4
EVENING = 25
"""So many kills, and then a fresh folder: a night's journal, not a decade's."""
READY = 5.0
"""So many seconds after a kill the table is ready again: the promise."""


@pytest.fixture
def cradle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cradle]:
    monkeypatch.setenv(player.WRITERS, "3")
    with Cradle(tmp_path) as cradle:
        yield cradle


class Toll:
    """What a number of kills has shown."""

    def __init__(self) -> None:
        self.kills = 0
        self.told = 0
        self.unheard = 0
        """Kills before the first word."""
        self.in_races = 0
        self.slowest = 0.0

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.unheard} before the first word, {self.in_races} in a race;"
            f" {self.told} answers, none lost; ready again within {self.slowest:.2f} s"
        )


@pytest.mark.parametrize("share", range(SHARES))
def test_whatever_was_told_survives_the_kill(cradle: Cradle, tmp_path: Path, share: int) -> None:
    dice = random.Random(share)
    toll = Toll()
    left = KILLS // SHARES
    while toll.kills < left:
        folder = tmp_path / f"evening-{toll.kills}"
        spend_evening(cradle, folder, min(EVENING, left - toll.kills), dice, toll)
    print(f"figures: {toll}")
    assert toll.told > 5 * toll.kills
    assert toll.in_races * 10 >= toll.kills, "the kills hit no races, so they prove nothing"


def spend_evening(
    cradle: Cradle, folder: Path, kills: int, dice: random.Random, toll: Toll
) -> None:
    journal, replayed = folder / "journal.db", Replayed()
    for number in range(kills):
        # Some die before they can say anything, some while the first words come.
        words = dice.choice((0, 0, 1, *range(2, 60, 4)))
        life = cradle.begin(folder, f"life{number:03}")
        life.hear(words)
        time.sleep(dice.uniform(0, 0.03))
        told = life.kill()
        toll.kills += 1
        toll.unheard += not told
        toll.told += sum("done" in said for said in told)
        if told:
            assert told[0]["damage"] is None
            toll.slowest = max(toll.slowest, told[0]["seconds"])
        if not journal.exists():
            assert not told
            continue
        races = len(replayed.resumed)
        replayed.read_on(journal)
        assert replayed.lost(told) == []
        toll.in_races += len(replayed.resumed) > races
        for before, after in replayed.resumed[races:]:
            assert as_raced(after) == as_raced(before)
            assert len(after.gaps) == len(before.gaps) + 1, "the gap is shown"
    if journal.exists():
        assert verify(folder).problems == ()


def as_raced(race: Race) -> tuple[object, ...]:
    """What a restart must bring back of a race: who laid it, until when it lasts, and its slaps."""
    slaps = [(slap.seat, slap.at, slap.uncertainty, slap.source) for slap in race.slaps]
    return race.layer, race.named_at, race.deadline, slaps


def healthy(served: Served) -> bool:
    return served.get("/healthz").status == 200


def test_the_served_table_is_killed_and_ready_again(tmp_path: Path) -> None:
    """The very command that people run: both of its processes die at once, in a race."""
    slowest = 0.0
    acknowledged: dict[str, int] = {}
    port = None
    for number in range(SERVED_KILLS + 1):
        began = time.monotonic()
        served = Started(tmp_path, port=port)
        try:
            port = served.port
            eventually(partial(healthy, served))
            slowest = max(slowest, time.monotonic() - began) if number else 0.0
            spent = sum(map(processor_seconds, [served.process.pid, *served.children()]))
            assert spent < READY, "it works for longer than it may take"
            served.pair()
            check_resumed(served, number, acknowledged)
            if number == SERVED_KILLS:
                break
            for seat, name in enumerate(("Ana", "Ben", "Cleo"), start=1):
                tell(served, acknowledged, "rename" if number else "sit", seat=seat, name=name)
            if not number:
                for kind, fields in ROUND:
                    tell(served, acknowledged, kind, **fields)
            else:
                tell(served, acknowledged, "rerun_race")
            served.post("/api/simulate", {"button": 2, "down": True})
        finally:
            # The group is the table's own: it was started as one.
            os.killpg(served.process.pid, signal.SIGKILL)
            served.stop()
    print(f"figures: {SERVED_KILLS} kills of the served table, ready again within {slowest:.2f} s")
    assert verify(tmp_path / "data").problems == ()


ROUND: tuple[tuple[str, dict[str, object]], ...] = (
    ("set_up", {"way": "free"}),
    ("start_match", {}),
    ("choose_dealer", {"seat": 1}),
    ("deal", {}),
    ("declare_race", {"layer": 1}),
)


def tell(served: Served, acknowledged: dict[str, int], kind: str, **fields: object) -> None:
    request = envelope(kind, **fields)
    answer = served.post("/api/commands", request)
    assert answer.status == 200, answer
    acknowledged[request["id"]] = answer.json["version"]


def check_resumed(served: Served, number: int, acknowledged: dict[str, int]) -> None:
    state = served.state()
    assert state["service"]["damage"] is None
    assert state["table"]["version"] > max(acknowledged.values(), default=0)
    if number:
        race = state["table"]["race"]
        assert race is not None
        assert race["gaps"], "the gap is shown"


def processor_seconds(pid: int) -> float:
    """Tell for how long a program has been at work, which no busy neighbour can change."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
