"""Files for the referee to take away: everything of the table, and a report without names."""

from __future__ import annotations

import logging

from flask import Blueprint, Response

from companion.assembly.downloads import DownloadBusy, Downloads, NotMade
from companion.common.clock import label
from web.api.api import sent
from web.api.command_door import error

log = logging.getLogger("companion.web")


def downloads(files: Downloads) -> Blueprint:
    """The addresses of the files; who may have them is decided by the list of addresses."""
    doors = Blueprint("downloads", __name__)

    @doors.get("/api/everything.zip")
    def everything() -> Response:
        return file("everything")

    @doors.get("/api/support.zip")
    def support() -> Response:
        return file("support")

    def file(name: str) -> Response:
        try:
            content = files.make(name)
        except DownloadBusy:
            message = "Another file is being made; try again in a moment."
            return sent(error(429, "busy_making", message, 5))
        except NotMade as trouble:
            log.error("No %s file was made: %s", name, trouble)
            return sent(error(500, "not_made", f"The file could not be made: {trouble}"))
        answer = Response(content, mimetype="application/zip")
        title = f"companion-{name}-{label()[:10]}.zip"
        answer.headers["Content-Disposition"] = f'attachment; filename="{title}"'
        answer.headers["Cache-Control"] = "no-store"
        return answer

    return doors
