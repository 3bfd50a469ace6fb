"""Plays one act after another inside the emulated machine, and prints what happened as JSON."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.kernel.guest import chips, control, lamps, table, usb

PROGRAMS: dict[str, Callable[[dict[str, Any]], None]] = {
    "table": table.run,
    "control": control.run,
    "usb": usb.run,
    "lamps": lamps.run,
    "chips": chips.run,
}
TARGET = -2


class Hands:
    """The program that moves the lines."""

    def __init__(self, lines: str) -> None:
        self._running = subprocess.Popen(
            ["/bin/hands", lines], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def play(self, moves: list[list[int]]) -> list[list[int]]:
        """Make these moves, and tell when each was made and when the machine stood still."""
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        said = [str(len(moves)), *(" ".join(map(str, move)) for move in moves), ""]
        self._running.stdin.write("\n".join(said))
        self._running.stdin.flush()
        return [
            [int(at) for at in self._running.stdout.readline().split()]
            for _ in range(len(moves) + 1)
        ]


def main() -> None:
    """Play the whole plan."""
    lines, plan = sys.argv[1], json.loads(Path(sys.argv[2]).read_text())
    hands = Hands(lines)
    for act in plan:
        began = time.monotonic()
        act["setting"]["lines"] = lines
        played = play(act, hands)
        played["seconds"] = round(time.monotonic() - began, 1)
        # The console is the slowest part of the machine: every letter costs an interrupt.
        packed = zlib.compress(json.dumps(played, separators=(",", ":")).encode(), 1)
        print("@@" + base64.b64encode(packed).decode(), flush=True)


class Program:
    """A program that plays against the hands: a fork, so that nothing must be loaded again."""

    def __init__(self, name: str, setting: dict[str, Any]) -> None:
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.dup2(theirs_in, 0)
            os.dup2(theirs_out, 1)
            os.closerange(3, 64)
            sys.stdin, sys.stdout = open(0), open(1, "w")  # noqa: SIM115
            PROGRAMS[name](setting)
            sys.stdout.flush()
            os._exit(0)
        os.close(theirs_in)
        os.close(theirs_out)
        self._told = os.fdopen(ours_in)
        self._end = ours_out
        self.ready = json.loads(self._told.readline())["ready"]

    def end(self) -> list[dict[str, Any]]:
        """Close its input and take all that it tells."""
        os.close(self._end)
        told = [json.loads(line) for line in self._told]
        os.waitpid(self.pid, 0)
        return told


def play(act: dict[str, Any], hands: Hands) -> dict[str, Any]:
    """Play one act: some scenes in front of one program."""
    hands.play([[0, pin, 1] for pin in act["pins"]])
    hands.play([[0, pin, 0] for pin in act["down"]])
    program = Program(act["program"], act["setting"])
    burning = [
        subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"]) for _ in range(act["burners"])
    ]
    time.sleep(0.2)
    scenes = []
    for scene in act["scenes"]:
        made = []
        stalls: list[int] = []
        for moves, noted in zip(scene["races"], scene["noted"], strict=True):
            _, *times, stood_still = hands.play([[0, TARGET, program.pid], *moves])
            made.append({"start": times[0][0], "times": {place: times[place] for place in noted}})
            stalls += stood_still
            time.sleep(scene["pause"])
        stalls += hands.play([])[0]
        ended = time.monotonic_ns()
        scenes.append({"name": scene["name"], "made": made, "ended": ended, "stalls": stalls})
    for burner in burning:
        burner.kill()
        burner.wait()
    time.sleep(act["after"])
    *reports, last = program.end()
    return {
        "name": act["name"],
        "ready": program.ready,
        "scenes": scenes,
        "reports": reports,
        "status": last["status"],
    }


if __name__ == "__main__":
    main()
