"""`python -m tests.hall.life`: a hall or a table in a program of its own, which tests kill.

A table here is a whole one without buttons: its worker, its sealed journal, and its place in the
hall as `companion run` has it. It plays match after match, or only sends what it has played.
"""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from random import Random

import companion.hall.table.link
from companion.assembly.hall import HallPlace
from companion.assembly.running import Running, open_worker
from companion.hall.contract import CONTRACT, Ack
from companion.hall.opening import Hall
from companion.hall.table.link import TableLink
from companion.hall.table.outbox import Outbox
from companion.home.connection.broker_thread import Pace
from companion.referee import commands as c
from companion.settings.configuration import examine
from companion.settings.edition_file import load_editions
from tests.hall.trouble.believing import BelievingLink
from tests.kit.waiting import until

QUICK = Pace(first_rest=0.05, steady=0.2, longest_rest=0.3, keepalive=2)
AGAIN = 0.3
NOTHING = Ack(CONTRACT, 0, "")
ANA, BEN, CLEO = 1, 2, 3
PAUSE = 0.4
"""Seconds between two matches at most."""
MATCH: tuple[c.PersonCommand, ...] = (
    c.StartMatch(),
    c.ChooseDealer(ANA),
    c.Deal(),
    c.GoOut(ANA),
    c.EnterPoints(BEN, 300),
    c.EnterPoints(CLEO, 300),
    c.ScoreRound(),
    c.CloseMatch(),
)


def hall(folder: Path, port: int) -> None:
    """Be a hall until somebody ends it."""
    opened = Hall(folder, port)
    print("open", flush=True)
    signal.sigwait([signal.SIGTERM])
    opened.close()


def table(folder: Path, how: str) -> None:
    """Be a table; `how` is a few words: it plays, and perhaps believes the broker."""
    defaults = TableLink.__init__.__kwdefaults__
    assert defaults is not None
    defaults.update(pace=QUICK, again=AGAIN)
    if "believing" in how:
        vars(companion.hall.table.link)["TableLink"] = BelievingLink
    settings, mistakes = examine({"data": {"folder": str(folder)}})
    assert not mistakes
    running = open_worker(settings, load_editions(folder))
    place = HallPlace(running, folder)
    place.open()
    print("open", flush=True)
    if "playing" in how:
        play_on(running)
    link = place._link
    assert link is not None
    played = list(Outbox(running.past).after(NOTHING))
    last = played[-1].sequence if played else 0
    until(lambda: link._ack is not None and link._ack.sequence == last)
    print("arrived", flush=True)
    signal.pause()


def play_on(running: Running) -> None:
    """Play match after match; what a kill has left open is closed first."""
    ask, chance = running.worker.ask, Random()
    if running.worker.table.game.match is not None:
        ask(c.CloseMatch())
    there = {seat.number for seat in running.worker.table.game.seats}
    for number, name in ((ANA, "Ana"), (BEN, "Ben"), (CLEO, "Cleo")):
        if number not in there:
            ask(c.Sit(name, number, number))
    ask(c.SetUp(way="free"))
    while True:
        for command in MATCH:
            ask(command)
        time.sleep(chance.uniform(0, PAUSE))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["hall", folder, port]:
            hall(Path(folder), int(port))
        case ["table", folder, how]:
            table(Path(folder), how)
        case words:
            raise SystemExit(f"neither a hall nor a table: {words}")
