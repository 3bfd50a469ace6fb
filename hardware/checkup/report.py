"""The check written down: as lines for a terminal or a file, and as JSON for a program."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from companion import __version__
from companion.common.clock import label
from hardware.checkup.selftest import Check, milliseconds
from hardware.status import ButtonStatus

MODEL = Path("/proc/device-tree/model")
TITLES = (
    "", "button", "where", "presses", "last", "level", "bounces", "for", "usually", "dwell", "±",
    "lamp", "trouble",
)  # fmt: skip
SPARED = ("where", "lamp", "usually", "last", "for", "dwell", "bounces")
"""The columns to do without where there is no room, the first one first."""

WHY = {
    "asked": "The configuration asks for it.",
    "best": "It is the best one, and it works here.",
    "second": "The better one does not work here.",
    "no_pi": "This computer is not a Raspberry Pi.",
    "no_pins": "No button or lamp is wired to a pin.",
}


class Report(Struct, frozen=True):
    """A check with where and when it was made."""

    program: str
    made: str
    machine: str
    check: Check


def report(check: Check) -> Report:
    """Say where and when, beside what was found."""
    return Report(f"Table Companion {__version__}", label(), machine(), check)


def machine() -> str:
    """Name the computer and its kernel."""
    model = MODEL.read_text().rstrip("\0\n") if MODEL.is_file() else platform.machine()
    return f"{model}, {platform.system()} {platform.release()}, Python {platform.python_version()}"


def as_text(written: Report) -> str:
    """Write the whole check down for people."""
    head = [f"{written.program}: buttons and lamps, {written.made}", written.machine]
    return "\n".join([*head, "", *lines(written.check)]) + "\n"


def as_json(written: Report) -> bytes:
    """Write the whole check down for programs."""
    return msgspec.json.format(msgspec.json.encode(written), indent=2) + b"\n"


def lines(check: Check) -> Iterator[str]:
    """Say everything, a line at a time."""
    yield from described(check)
    yield ""
    yield from table(check)
    yield ""
    yield walk_line(check)
    yield from fairness_lines(check)


def described(check: Check) -> Iterator[str]:
    """Say how the buttons are read, why that way, and what to mind."""
    yield f"Pin factory: {check.factory} (asked for {check.asked}). {check.sentence}"
    yield from dict.fromkeys([WHY[check.why], *check.remarks])
    if check.lateness is not None:
        late = milliseconds(check.lateness)
        yield f"A date that the kernel overwrote is taken to be up to {late} late."
    if not check.listening:
        yield "The buttons are not being heard!"


def table(check: Check, width: int | None = None) -> Iterator[str]:
    """Lay every button out as a line of a table; a narrow terminal gets fewer columns."""
    columns = list(zip(TITLES, *(_row(check, button) for button in check.buttons), strict=True))
    for spared in SPARED:
        if width is not None and sum(max(map(len, column)) + 2 for column in columns) > width:
            columns = [column for column in columns if column[0] != spared]
    widths = [max(map(len, column)) for column in columns]
    for row in zip(*columns, strict=True):
        yield "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()


def _row(check: Check, button: ButtonStatus) -> tuple[str, ...]:
    pushed = button.presses > 0
    return (
        "*" if button.number in check.walk.heard else " ",
        button.name,
        button.place,
        str(button.presses),
        "-" if button.last_press is None else f"{(check.at - button.last_press) / 1e9:.1f} s ago",
        "down" if button.down else "up",
        str(button.bounces) if pushed else "-",
        milliseconds(button.bounce) if pushed else "-",
        milliseconds(button.typical_bounce) if pushed else "-",
        milliseconds(button.typical_dwell) if pushed else "-",
        milliseconds(button.uncertainty) if pushed else "-",
        "-" if button.lamp is None else "lit" if button.lamp_tested else button.lamp,
        trouble(button),
    )


def walk_line(check: Check) -> str:
    """Say whether every button was heard, or which were not."""
    names = {button.number: button.name for button in check.buttons}
    silent = ", ".join(names[number] for number in check.walk.silent)
    broken = ", ".join(
        f"{button.name} ({button.fault})" for button in check.buttons if button.fault is not None
    )
    if check.passed:
        return f"PASSED: all {len(names)} buttons were heard."
    sentences = [f"Heard {len(check.walk.heard)} of {len(names)} buttons."]
    sentences += [f"Not heard yet: {silent}."] if silent else []
    sentences += [f"Set aside: {broken}."] if broken else []
    return " ".join(sentences)


def fairness_lines(check: Check) -> Iterator[str]:
    """Say whether the contacts are alike, and name the odd one."""
    fairness = check.fairness
    if fairness.verdict == "unknown":
        many = min(fairness.compared, len(check.buttons))
        yield f"To compare them, press at least {many} buttons {fairness.enough} times each."
    elif fairness.verdict == "alike":
        yield "All compared buttons behave alike."
    yield from map(str, fairness.odd)
    if fairness.verdict != "unknown" and fairness.wanting:
        names = [b.name for b in check.buttons if b.number in fairness.wanting]
        yield f"Not compared yet: {', '.join(names)}."


def trouble(button: ButtonStatus) -> str:
    """Say what is wrong with one button."""
    words = [button.fault] if button.fault else []
    if button.flickers:
        words.append(f"contact lost {button.flickers} times while held")
    if button.gaps:
        words.append(f"edges missing {button.gaps} times")
    if button.lamp_lost:
        words.append("lamp out of reach")
    return ", ".join(words) or "none"
