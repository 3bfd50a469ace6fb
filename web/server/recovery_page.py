"""The recovery page: what is served in the table's place when it does not open.

It works without a script, in the browser's language; what the program itself says of the
trouble stays English. Everyone may read why; only the referee can change anything, by a session
from before or with the code that was printed.
"""

from __future__ import annotations

import io
import threading
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, abort, redirect, render_template, request, send_file
from msgspec import Struct
from werkzeug.exceptions import HTTPException

from companion import __version__
from companion.care.failed_starts import Failure
from companion.common.clock import spoken
from companion.common.log_file import tail
from companion.journal.file import JournalError
from companion.journal.folder_lock import FolderInUse, FolderUnusable
from companion.journal.opening import JOURNAL
from companion.keeping import backups
from companion.keeping.restore import CannotRestore, begin_anew, restore
from web.access.guard import Guard, GuardedApp
from web.access.pairing import Pairing, TooManyTries, WrongCode
from web.access.permissions import SAFE_ROUTES, Sender, may_enter
from web.api.api import keep_session
from web.api.bundles import Speaker, keep_by_name, shell
from web.api.command_door import browser_of, sender_of

LARGEST = 16 * 1024
PLACES = 8

Said = tuple[str, dict[str, object]]
"""A text of the page by its key, with its parts."""


class Offer(Struct, frozen=True):
    """A backup as the page shows it."""

    name: str
    kind: str
    inside: backups.Contents | str
    """What is in it, or why it cannot be used."""

    @property
    def whole(self) -> bool:
        """Whether the table can go back to it."""
        return not isinstance(self.inside, str)

    def what(self, say: Speaker) -> str:
        """Say what it is, and what is in it."""
        if isinstance(self.inside, str):
            return say("recovery.unusable", why=self.inside)
        kind, last = say(f"recovery.kind.{self.kind}"), self.inside.last
        matches = say.counted("matches", self.inside.matches)
        if last is None:
            return say("recovery.contents", kind=kind, matches=matches)
        return say("recovery.until", kind=kind, matches=matches, when=spoken(last))

    @property
    def download(self) -> str:
        """Where it can be downloaded."""
        return f"/backups/{quote(self.name)}"

    @property
    def ask(self) -> str:
        """Where the page asks once more before it goes back."""
        return f"/restore?name={quote(self.name)}"


class RecoveryApplication(GuardedApp):
    """Answers for a table that does not open."""

    def __init__(
        self,
        folder: Path,
        failures: tuple[Failure, ...],
        pairing: Pairing,
        *,
        port: int,
        names: Iterable[str],
        try_again: Callable[[], None],
        support: Callable[[], bytes],
    ) -> None:
        self._folder = folder
        self._failures = failures
        self.pairing = pairing
        self.holders = pairing.holders
        self.cookie = f"companion-{port}"
        self._try_again = try_again
        self._support = support
        self._done: tuple[Said, ...] = ()
        """What was done last, shown on the next page."""
        self._lock = threading.Lock()
        self._known: dict[tuple[str, int, int], Offer] = {}
        app = self.flask = Flask("web")
        app.config["MAX_CONTENT_LENGTH"] = LARGEST
        keep_by_name(app)
        self._open_doors(app)
        self._guarded = Guard(
            app,
            names=names,
            places=PLACES,
            who=lambda asked: Sender(self.pairing.role(asked.cookies.get(self.cookie))),
            holder=self.holder,
            believe=self.holders.believe,
        )

    def hang_up(self) -> None:
        """This page has no live connections."""

    def close(self) -> None:
        """There is no table to close."""

    def _open_doors(self, app: Flask) -> None:
        app.add_url_rule("/", "page", self._page)
        app.add_url_rule("/healthz", "healthz", self._healthz)
        app.add_url_rule("/pair", "pair", self._pair, methods=["POST"])
        app.add_url_rule("/try-again", "try_again", self._retry, methods=["POST"])
        app.add_url_rule("/restore", "ask", self._ask)
        app.add_url_rule("/restore", "restore", self._restore, methods=["POST"])
        app.add_url_rule("/begin-anew", "begin_anew", self._begin_anew, methods=["POST"])
        app.add_url_rule("/backups/<name>", "backup", self._download)
        app.add_url_rule("/journal.zip", "journal", self._journal)
        app.add_url_rule("/support.zip", "support", self._report)
        app.before_request(self._admit)
        app.register_error_handler(HTTPException, self._elsewhere)
        app.after_request(_keep_nothing)

    def _admit(self) -> Response | None:
        """Refuse an address that the list does not open to the sender."""
        rule = request.url_rule
        role = sender_of(request).role
        if rule is None or may_enter(role, request.method, rule.rule, SAFE_ROUTES):
            return None
        return self._only_the_referee()

    def _page(self) -> Any:
        with self._lock:
            done, self._done = self._done, ()
        return self._shown(*done)

    def _shown(self, *said: Said | str, status: int = 200, **more: Any) -> Response:
        say = Speaker("safe")
        words = [one if isinstance(one, str) else say(one[0], **one[1]) for one in said]
        page = render_template(
            "safe.html",
            **shell("safe"),
            say=say,
            notice=" ".join(words),
            failures=self._failures,
            earlier=_earlier(self._failures),
            folder=self._folder,
            version=__version__,
            referee=sender_of(request).role == "referee",
            backups=self._offers(),
            lost=self._lost,
            code=request.args.get("code", "")[:12],
            log="\n".join(tail(self._folder)),
            spoken=spoken,
            **more,
        )
        return Response(page, status)

    def _healthz(self) -> tuple[dict[str, Any], int]:
        reason = self._failures[-1].reason if self._failures else None
        return {"safe": True, "reason": reason}, 503

    def _pair(self) -> Any:
        return self._paired(request.form.get("code", ""))

    def _paired(self, code: str) -> Any:
        try:
            token = self.pairing.pair(code[:64], browser_of(request))
        except WrongCode:
            return self._shown(("recovery.wrong_code", {}), status=403)
        except TooManyTries as wait:
            tries: Said = ("recovery.too_many_tries", {"seconds": wait.seconds})
            return self._shown(tries, status=429)
        response = redirect("/", 303)
        keep_session(response, self.cookie, token)  # type: ignore[arg-type]
        return response

    def _retry(self) -> Any:
        self._try_again()
        return self._shown(trying=True)

    def _ask(self) -> Any:
        return self._shown(asked=self._offer(request.args.get("name", "")))

    def _restore(self) -> Any:
        offer = self._offer(request.form.get("name", ""))
        return self._changed(
            lambda: restore(self._folder, self._path(offer.name)).kept,
            ("recovery.restored", {"name": offer.name}),
        )

    def _begin_anew(self) -> Any:
        """Begin with an empty journal, only where there is none."""
        if not self._lost:
            return self._shown(("recovery.not_lost", {}), status=409)
        return self._changed(lambda: begin_anew(self._folder), ("recovery.begun", {}))

    def _changed(self, change: Callable[[], Path | None], done: Said) -> Any:
        """Change the journal, and tell what was done and where the one before it is."""
        try:
            aside = change()
        except JournalError as trouble:
            return self._shown(trouble.sentence, status=500)
        except (CannotRestore, FolderInUse, FolderUnusable) as refused:
            return self._shown(str(refused), status=409)
        kept: tuple[Said, ...] = ()
        if aside is not None:
            kept = (("recovery.kept", {"name": aside.name}),)
        with self._lock:
            self._done = (done, *kept, ("recovery.try_now", {}))
        return redirect("/", 303)

    @property
    def _lost(self) -> bool:
        return not (self._folder / JOURNAL).exists()

    def _download(self, name: str) -> Any:
        return send_file(self._path(self._offer(name).name), as_attachment=True)

    def _journal(self) -> Any:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(self._folder.glob(f"{JOURNAL}*")):
                archive.write(file, file.name)
        packed.seek(0)
        return send_file(packed, "application/zip", True, "journal.zip")

    def _report(self) -> Any:
        packed = io.BytesIO(self._support())
        return send_file(packed, "application/zip", True, "companion-support.zip")

    def _only_the_referee(self) -> Response:
        return self._shown(("recovery.refused", {}), status=403)

    def _offer(self, name: str) -> Offer:
        return next((one for one in self._offers() if one.name == name), None) or abort(404)

    def _path(self, name: str) -> Path:
        return next(one.path for one in backups.listed(self._folder) if one.path.name == name)

    def _offers(self) -> list[Offer]:
        """Look into each backup once; they do not change."""
        offers = {}
        for one in backups.listed(self._folder):
            state = one.path.stat()
            key = (one.path.name, state.st_mtime_ns, state.st_size)
            offers[key] = self._known.get(key) or _offer(one.path, one.kind)
        self._known = offers
        return list(offers.values())

    def _elsewhere(self, error: HTTPException) -> Any:
        """Stand in for every other page of the table; programs get an error."""
        status = error.code or 500
        if status == 404 and "text/html" in request.headers.get("Accept", ""):
            return self._shown()
        reason = {"error": "safe", "message": "The table does not open; its page tells why."}
        return reason, 503 if status == 404 else status


def _earlier(failures: tuple[Failure, ...]) -> list[Failure]:
    """Give the other reasons, each once, the latest first."""
    reasons = {failure.reason: failure for failure in failures}
    return [one for reason, one in reversed(reasons.items()) if reason != failures[-1].reason]


def _offer(path: Path, kind: str) -> Offer:
    try:
        return Offer(path.name, kind, backups.contents(path))
    except JournalError as trouble:
        return Offer(path.name, kind, str(trouble))


def _keep_nothing(response: Response) -> Response:
    if not request.path.startswith("/static/"):
        response.headers["Cache-Control"] = "no-store"
    return response
