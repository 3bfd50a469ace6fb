"""The door of forgetting: what would go, and that it goes for good; the referee's alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from flask import Blueprint, Response, request
from msgspec.structs import replace

from companion.journal.file import JournalError
from companion.journal.folder_lock import FolderInUse
from companion.journal.opening import JOURNAL
from companion.keeping.folder_files import HALL
from companion.keeping.forgetting.forgetting import Forgetting, LeftCopy
from companion.keeping.forgetting.plan import ForgetWish
from companion.referee.sentences import Refusal
from companion.service.envelope import error_body, status_of
from web.api.api import not_json, read, sent
from web.api.command_door import Reply, error

LARGEST = 10**9
LONGEST = 80
EXAMPLE = '{"match": 3} or {"name": "Ana"}'


def forget(forgetting: Forgetting) -> Blueprint:
    """The address below which something can be forgotten."""
    doors = Blueprint("forget", __name__)

    @doors.get("/api/forget")
    def prospect() -> Response:
        asked: dict[str, Any] = request.args.to_dict()
        number = asked.get("match", "")
        if number.isascii() and number.isdigit() and len(number) <= len(str(LARGEST)):
            asked["match"] = int(number)
        wish = _wish(asked)
        if wish is None:
            return sent(_unclear())
        try:
            return sent(Reply(200, msgspec.to_builtins(forgetting.prospect(wish))))
        except Refusal as refusal:
            return sent(_refused(refusal))

    @doors.post("/api/forget")
    def forget_it() -> Response:
        if refused := not_json():
            return sent(refused)
        said = read()
        remove = said.pop("remove", False) if isinstance(said, dict) else False
        wish = _wish(said)
        if wish is None or not isinstance(remove, bool):
            return sent(_unclear())
        try:
            done = forgetting.forget(wish, remove=remove)
            if wish.name is not None:
                done = replace(done, left=(*done.left, *_in_the_hall(forgetting.folder, wish.name)))
        except Refusal as refusal:
            return sent(_refused(refusal))
        return sent(Reply(200, msgspec.to_builtins(done)))

    return doors


def _in_the_hall(folder: Path, name: str) -> list[LeftCopy]:
    """Forget a name in the hall of this machine too, unless that is open."""
    if not (folder / HALL / JOURNAL).exists():
        return []
    # Imported late: most tables have no hall beside them.
    from companion.hall.forgetting import forget_in_hall

    try:
        forget_in_hall(folder / HALL, name)
    except FolderInUse:
        return [LeftCopy(HALL, "trouble", "the hall is open; its desk can forget the name")]
    except (JournalError, OSError) as trouble:
        return [LeftCopy(HALL, "trouble", str(trouble))]
    return []


def _wish(said: Any) -> ForgetWish | None:
    match said:
        case {"match": int(number), **rest} if not rest and number is not True:
            return ForgetWish(match=number) if 0 < number <= LARGEST else None
        case {"name": str(name), **rest} if not rest and 0 < len(name.strip()) <= LONGEST:
            return ForgetWish(name=name)
        case _:
            return None


def _refused(refusal: Refusal) -> Reply:
    status = status_of(refusal)
    wait = 2 if status == 429 else None
    return Reply(status, msgspec.Raw(error_body(refusal)), wait)


def _unclear() -> Reply:
    return error(400, "wrong_value", f"Say what to forget, and nothing else: {EXAMPLE}.")
