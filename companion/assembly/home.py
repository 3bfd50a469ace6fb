"""Opening the home: the bridge beside an open table, where the configuration names a broker."""

from __future__ import annotations

import logging

from companion.assembly.running import Running
from companion.settings.configuration import ServerSettings, Settings

log = logging.getLogger(__name__)


def open_home(running: Running, settings: Settings) -> None:
    """Tell the home of this table until it closes; the table opens whether that works or not."""
    if settings.home is None:
        return
    # Imported late: most tables are told to no home.
    from companion.home.bridge import Bridge
    from companion.home.identity import identity

    try:
        own_id = identity(settings.data.folder)
    except OSError as error:
        log.warning("The home is not told: no identity can be kept, %s.", error.strerror)
        return
    worker = running.worker
    bridge = Bridge(
        settings.home,
        own_id,
        worker.table,
        address=page_address(settings.server),
        view_of=running.view_of,
    )
    leave = worker.subscribe(bridge.put)
    # What happened between the two is in the table.
    bridge.put(worker.table, ())
    bridge.start()

    def close() -> None:
        leave()
        bridge.close()

    running.home = bridge.status
    running.close_first(close)


def page_address(server: ServerSettings) -> str | None:
    """Tell where the page is, if the machine has a name in its network."""
    return f"http://{server.names[0]}:{server.port}/" if server.names else None
