"""Reports of the buttons on their way to the table: brought to its time, or held back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from companion.referee.commands import (
    ButtonCommand,
    MissPresses,
    PushButton,
    PutBack,
    Release,
    SetAside,
)
from companion.service.requests import Request


def shifted(report: ButtonCommand, offset: int) -> ButtonCommand:
    """Bring a report from the machine's time to the table's, which is ahead by the offset."""
    match report:
        case PushButton(at=at) | SetAside(at=at) | PutBack(at=at):
            return replace(report, at=at + offset)
        case Release(at=at, pressed_at=pressed_at):
            return replace(report, at=at + offset, pressed_at=pressed_at + offset)
        case MissPresses(since=since, until=until):
            return replace(report, since=since + offset, until=until + offset)
        case _:
            assert_never(report)


def condensed(requests: Sequence[Request], most: int) -> list[Request]:
    """Keep the latest reports that wait for the disk, and of earlier ones what still matters.

    That is how each broken button stands, and that presses are missing.
    """
    if len(requests) <= most:
        return list(requests)
    lost, kept = requests[:-most], requests[-most:]
    standing: dict[int, Request] = {}
    buttons: set[int] = set()
    times: list[int] = []
    for request in lost:
        match request.command:
            case SetAside(button=button) | PutBack(button=button):
                standing[button] = request
            case PushButton(button=button, at=at) | Release(button=button, at=at):
                buttons.add(button)
                times.append(at)
            case MissPresses(buttons=missed, since=since, until=until):
                buttons.update(missed)
                times += [since, until]
            case _:
                pass
    condensed_reports = list(standing.values())
    if buttons:
        missing = MissPresses(tuple(sorted(buttons)), min(times), max(times))
        condensed_reports.append(Request(missing, lost[-1].at))
    return [*condensed_reports, *kept]
