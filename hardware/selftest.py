"""The check for the person with the screwdriver: are the buttons fair, and how is each of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from hardware.board import BoardStatus, ButtonStatus
from hardware.edges import MILLISECOND

ENOUGH = 5
"""So many pushes of each button make a comparison worth something."""
TIMES_AS_MUCH = 3
BOUNCE_MARGIN = 2 * MILLISECOND
DWELL_MARGIN = 60 * MILLISECOND


def fairness(buttons: Iterable[ButtonStatus]) -> tuple[str, ...]:
    """Compare the contacts, and name a button that bounces or dwells unlike the others."""
    compared = [button for button in buttons if button.presses >= ENOUGH]
    if len(compared) < 3:
        return ("Press at least three buttons five times each to compare them.",)
    odd = [
        *_odd(compared, "bounces", [b.typical_bounce for b in compared], BOUNCE_MARGIN),
        *_odd(compared, "stays down", [b.typical_dwell for b in compared], DWELL_MARGIN),
    ]
    return tuple(odd) or ("All buttons behave alike.",)


def _odd(
    buttons: Sequence[ButtonStatus], does: str, values: Sequence[int], margin: int
) -> list[str]:
    found = []
    for button, value in zip(buttons, values, strict=True):
        others = median(v for b, v in zip(buttons, values, strict=True) if b is not button)
        if value - others > margin and value > TIMES_AS_MUCH * others:
            found.append(
                f"{button.name} {does} for {_ms(value)}, the others for about {_ms(others)}: "
                "look at its switch and its wires."
            )
    return found


def report(status: BoardStatus) -> str:
    """Write the whole check down as plain text."""
    titles = ("button", "where", "presses", "level", "bounces", "for", "dwell", "+-", "trouble")
    rows = [
        (
            button.name,
            button.place,
            str(button.presses),
            "down" if button.down else "up",
            str(button.bounces),
            _ms(button.typical_bounce),
            _ms(button.typical_dwell),
            _ms(button.uncertainty),
            _trouble(button),
        )
        for button in status.buttons
    ]
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    table = [
        "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()
        for row in (titles, *rows)
    ]
    head = f"Pin factory: {status.factory} (asked for {status.asked}). {status.sentence}"
    return "\n".join([head, *status.remarks, "", *table, "", *fairness(status.buttons)])


def _trouble(button: ButtonStatus) -> str:
    words = [button.fault] if button.fault else []
    if button.flickers:
        words.append(f"contact lost {button.flickers} times while held")
    if button.gaps:
        words.append(f"edges missing {button.gaps} times")
    return ", ".join(words) or "none"


def _ms(nanoseconds: float) -> str:
    return f"{nanoseconds / MILLISECOND:.2f} ms"
