"""What the hall answers to a command, and how it says no."""

from __future__ import annotations

from companion.hall.commands import DeskCommand
from companion.hall.keeper import HallKeeper
from companion.hall.refusals import HallRefusal
from companion.journal.file import JournalError
from web.api.command_door import Reply, error


def done(keeper: HallKeeper, command: DeskCommand, version: int | None = None) -> Reply:
    """Do what a command asks, and answer with the version that the evening has then."""
    try:
        return Reply(200, {"version": keeper.do(command, version).version})
    except HallRefusal as refusal:
        return refused(refusal)
    except JournalError as trouble:
        return not_saved(trouble)


def refused(refusal: HallRefusal) -> Reply:
    """Say why the hall does not do that."""
    return error(409, refusal.code, str(refusal), None, **refusal.parts)


def not_saved(trouble: JournalError) -> Reply:
    """Say that the disk refuses."""
    return error(503, "not_saved", trouble.sentence, trouble=str(trouble))
