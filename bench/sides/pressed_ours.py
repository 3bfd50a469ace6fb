"""The whole table with a hand: each press is an edge of a simulated pin."""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec.structs import replace

from bench.sides.hand import attend, mash
from companion.assembly.hall import open_hall
from companion.assembly.running import Running
from companion.cli.assemble import open_whole_table
from companion.cli.options import plan_of
from web.server.server import serve

CODE = "BENCHBEN"
"""A page opened with it is the referee's."""


def main(folder: Path, port: int, clients: int, mashing: int = 0) -> None:
    """Serve the table of a folder as `companion run` does, with one hand or so many that mash."""
    plan = plan_of(None, folder, host="127.0.0.1", port=port, simulate=True)
    server = replace(plan.settings.server, clients=clients)
    settings = replace(plan.settings, server=server)

    def open_table() -> Running:
        running = open_whole_table(replace(plan, settings=settings))
        open_hall(running, folder)
        push = running.push
        assert push is not None
        down, up = (lambda seat: push(seat, True)), (lambda seat: push(seat, False))
        if mashing:
            mash(down, up, mashing)
        else:
            attend(down, up)
        return running

    serve(open_table, settings, code=CODE, say=lambda _text: None)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
