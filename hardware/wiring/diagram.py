"""Wiring tables and drawings for the documentation, made from the default wiring itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from hardware.outputs.lamps import RHYTHMS, LampState
from hardware.wiring.wiring import GROUND_PINS, HEADER_PIN, Wiring, default_wiring

SIZES = (4, 6, 10)
MARK = re.compile(r"(<!-- made: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)

WIDTH, PITCH, ROWS = 720, 22, 20
LEFT, TOP = 330, 56
BUTTON_COLOUR, LAMP_COLOUR, GROUND_COLOUR, QUIET = "#0b6bcb", "#b45309", "#333333", "#c9ced6"
LEGEND = (
    (40, 0, BUTTON_COLOUR, "button: from this pin through the button to any ground"),
    (40, 22, LAMP_COLOUR, "lamp: from this pin through its resistor to any ground"),
    (460, 0, GROUND_COLOUR, "ground"),
    (460, 22, QUIET, "not used"),
)


def wiring_table(wiring: Wiring) -> str:
    """Write which pin each button and lamp hangs on, as a table of the documentation."""
    rows = ["| seat | button | header pin | lamp | header pin |", "|---|---|---|---|---|"]
    for button in wiring.buttons:
        assert button.pin is not None
        assert button.lamp is not None
        rows.append(
            f"| {button.name} | GPIO {button.pin} | {HEADER_PIN[button.pin]} "
            f"| GPIO {button.lamp} | {HEADER_PIN[button.lamp]} |"
        )
    return "\n".join(rows) + "\n"


def lamp_table() -> str:
    """Write what each rhythm of a lamp says."""
    rows = ["| it says | by being |", "|---|---|"]
    rows += [f"| {state.value} | {RHYTHMS[state].sentence} |" for state in LampState]
    return "\n".join(rows) + "\n"


def wiring_drawing(wiring: Wiring) -> str:
    """Draw the header of the Pi with everything that hangs on it."""
    labels = _labels(wiring)
    height = TOP + ROWS * PITCH + 70
    heading = f"{wiring.seats} seats: the 40-pin header from above, pin 1 at the board's corner"
    parts = [
        _tag("title", f"Wiring of a table with {wiring.seats} seats"),
        _tag("rect", width=WIDTH, height=height, fill="#ffffff"),
        _tag("text", heading, x=WIDTH // 2, y=28, text_anchor="middle", font_size=17),
        _tag(
            "rect",
            x=LEFT - 14,
            y=TOP - 14,
            width=2 * PITCH + 22,
            height=ROWS * PITCH + 6,
            rx=6,
            fill="#eef1f5",
            stroke="#8a94a3",
        ),
    ]
    for row in range(ROWS):
        for column in range(2):
            parts += _pin(2 * row + column + 1, row, column, labels)
    for x, down, colour, words in LEGEND:
        y = TOP + ROWS * PITCH + 26 + down
        parts.append(_tag("circle", cx=x, cy=y - 4, r=7, fill=colour))
        parts.append(_tag("text", words, x=x + 14, y=y))
    drawing = "\n".join(("", *parts, ""))
    return (
        _tag(
            "svg",
            drawing,
            raw=True,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {WIDTH} {height}",
            font_family="sans-serif",
            font_size=13,
            role="img",
        )
        + "\n"
    )


def _tag(name: str, text: str = "", *, raw: bool = False, **attributes: str | int) -> str:
    """Write one element of a drawing."""
    said = "".join(
        f" {key.replace('_', '-')}={quoteattr(str(value))}" for key, value in attributes.items()
    )
    if not text:
        return f"<{name}{said}/>"
    return f"<{name}{said}>{text if raw else escape(text)}</{name}>"


def _labels(wiring: Wiring) -> dict[int, tuple[str, str]]:
    """Say for each pin of the header what hangs there, and in which colour it is drawn."""
    labels = dict.fromkeys(GROUND_PINS, ("ground", GROUND_COLOUR))
    hanging = [
        *((f"button of {b.name}", b.pin, BUTTON_COLOUR) for b in wiring.buttons),
        *((f"lamp of {b.name}", b.lamp, LAMP_COLOUR) for b in wiring.buttons),
        ("buzzer", wiring.buzzer, LAMP_COLOUR),
    ]
    for words, gpio, colour in hanging:
        if gpio is not None:
            labels[HEADER_PIN[gpio]] = (f"{words} (GPIO {gpio})", colour)
    return labels


def _pin(number: int, row: int, column: int, labels: dict[int, tuple[str, str]]) -> list[str]:
    label, colour = labels.get(number, ("", QUIET))
    x, y = LEFT + 8 + column * PITCH, TOP + row * PITCH
    side = -1 if column == 0 else 1
    near, far = x + side * 41, x + side * 66
    parts = [
        _tag("circle", cx=x, cy=y, r=7, fill=colour),
        _tag(
            "text",
            str(number),
            x=x + side * 31,
            y=y + 4,
            text_anchor="middle",
            font_size=9,
            fill="#5b6470",
        ),
    ]
    if label:
        anchor = "end" if column == 0 else "start"
        parts += [
            _tag("line", x1=near, y1=y, x2=far, y2=y, stroke=colour),
            _tag("text", label, x=far + side * 6, y=y + 4, text_anchor=anchor, fill=colour),
        ]
    return parts


def with_made_parts(text: str) -> str:
    """Put the parts of a page that the program knows by itself into their marked places."""
    parts: dict[str, Callable[[], str]] = {"lamps": lamp_table}
    parts |= {f"{n} seats": partial(wiring_table, default_wiring(n)) for n in SIZES}
    return MARK.sub(lambda found: found[1] + parts[found[2]]() + found[3], text)


def drawings() -> dict[str, str]:
    """Draw every wiring that the documentation shows, by file name."""
    return {f"wiring-{seats}.svg": wiring_drawing(default_wiring(seats)) for seats in SIZES}


def write(docs: Path) -> None:
    """Write the drawings, and the made parts of the page about the hardware."""
    page = docs / "hardware.md"
    page.write_text(with_made_parts(page.read_text(encoding="utf-8")), encoding="utf-8")
    for name, drawing in drawings().items():
        (docs / name).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    write(Path(__file__).parents[2] / "docs")
