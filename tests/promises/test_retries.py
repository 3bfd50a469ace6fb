"""A tap counts once, however often it is sent, also when the table was restarted in between."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
from collections import Counter, defaultdict
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

from companion.journal.chain import command_key
from companion.journal.damage.verify import verify
from companion.referee import commands as c
from companion.referee.sentences import Refusal
from companion.service.envelope import CommandAnswer
from tests.kit.night import ANA, BEN, CLEO, Night

RETRIES = int(os.environ.get("RETRIES", "10000"))
BURST = 125
"""So many different taps are on their way at once, each of them two to four times."""
BURSTS = 8
"""After so many bursts the table is restarted."""
SCREENS = 3


def tap(number: int, dice: random.Random) -> c.Command:
    """Most of what would show if it counted twice: swaps, and steps back and forth."""
    return dice.choice(
        (
            c.Rename(ANA, f"Ana {number}"),
            c.Rename(BEN, f"Ben {number}"),
            c.Swap(ANA, BEN),
            c.Swap(BEN, CLEO),
            c.Undo(),
            c.Redo(),
        )
    )


class Screens:
    """Three impatient screens that send everything again, and keep every answer."""

    def __init__(self, night: Night) -> None:
        self._night = night
        self.answers: dict[str, set[tuple[int, int]]] = defaultdict(set)
        self.sent: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def send(self, taps: list[tuple[str, c.Command]]) -> None:
        shares = [taps[screen::SCREENS] for screen in range(SCREENS)]
        waiting: list[tuple[str, Future[CommandAnswer]]] = []

        def press(share: list[tuple[str, c.Command]]) -> None:
            for id_, command in share:
                waiting.append((id_, self._night.worker.submit(command, id_)))

        threads = [threading.Thread(target=press, args=(share,)) for share in shares]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for id_, future in waiting:
            self.sent[id_] += 1
            try:
                answer = future.result(60)
                self.answers[id_].add((answer.version, len(answer.events)))
            except Refusal as refusal:
                self.refused[refusal.sentence.code] += 1


def test_every_retried_tap_has_one_effect(quick_folder: Path) -> None:
    dice = random.Random(RETRIES)
    night = Night(quick_folder).open().seat_three()
    screens = Screens(night)
    taps: dict[str, c.Command] = {}
    try:
        for burst in range(RETRIES // BURST):
            fresh = {
                f"tap-{number:06}": tap(number, dice)
                for number in range(len(taps), len(taps) + BURST)
            }
            old = dice.sample(sorted(taps), min(len(taps), BURST // 5))
            taps |= fresh
            copies = [id_ for id_ in fresh for _ in range(dice.randint(2, 4))] + old
            dice.shuffle(copies)
            screens.send([(id_, taps[id_]) for id_ in copies])
            if burst % BURSTS == BURSTS - 1:
                # A match leaves a snapshot, from which the next start goes on.
                if night.table.game.match is None:
                    night.do(c.StartMatch())
                night.do(c.CloseMatch())
                night.reopen()
    finally:
        night.close()
    print(f"{len(taps)} taps sent {screens.sent.total()} times: {len(screens.answers)} counted")
    assert min(screens.sent.values()) >= 2
    assert len(screens.answers) > len(taps) // 2
    assert "bug" not in screens.refused
    assert [id_ for id_, answers in screens.answers.items() if len(answers) > 1] == []
    rows = written(night.journal)
    for id_, answers in screens.answers.items():
        ((version, events),) = answers
        assert rows[command_key(id_)] == (version - events + 1, version, events)
    unanswered = {command_key(id_) for id_ in taps} - set(map(command_key, screens.answers))
    assert unanswered & rows.keys() == set()
    assert verify(quick_folder).problems == ()


def written(journal: Path) -> dict[bytes, tuple[int, int, int]]:
    """Tell which events each tap has made: the first, the last, and how many."""
    query = (
        "SELECT max(command), min(version), max(version), count(*) FROM events"
        " GROUP BY version - part"
    )
    with closing(sqlite3.connect(journal)) as connection:
        return {row[0]: row[1:] for row in connection.execute(query) if row[0] is not None}
