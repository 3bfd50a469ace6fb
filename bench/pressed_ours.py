"""The whole table with a hand: each press is an edge of a simulated pin."""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec.structs import replace

from bench.hand import attend
from companion.assembly.running import Running
from companion.cli.assemble import open_whole_table
from companion.cli.options import plan_of
from web.server.server import serve


def main(folder: Path, port: int, clients: int) -> None:
    """Serve the table of a folder as `companion run` does."""
    plan = plan_of(None, folder, host="127.0.0.1", port=port, simulate=True)
    server = replace(plan.settings.server, clients=clients)
    settings = replace(plan.settings, server=server)

    def open_table() -> Running:
        running = open_whole_table(replace(plan, settings=settings))
        push = running.push
        assert push is not None
        attend(lambda seat: push(seat, True), lambda seat: push(seat, False))
        return running

    serve(open_table, settings, say=lambda _text: None)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
