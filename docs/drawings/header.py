"""The whole header of the Pi: what hangs on each pin, and where nothing may ever hang."""

from __future__ import annotations

from docs.drawings.svg import BUTTON, GROUND, LAMP, QUIET, SUPPLY, Drawing
from hardware.wiring.wiring import (
    BUS_PINS,
    GROUND_PINS,
    HEADER_PIN,
    ID_PINS,
    SUPPLY_PINS,
    Wiring,
    default_buzzer_pin,
)

WIDTH, PITCH, ROWS, TOP = 860, 30, 20, 96
LEFT = WIDTH / 2 - PITCH / 2
LEGEND = (
    (BUTTON, "button: pin, 1 kΩ, button, ground"),
    (LAMP, "lamp: pin, 330 Ω, LED, ground; or the driver"),
    (GROUND, "ground: pins {} and {} go to the ground bus".format(*BUS_PINS)),
    (SUPPLY, "supply: never touches a pin of another colour"),
)


def header(wiring: Wiring) -> str:
    """Draw all forty pins as one sees them from above."""
    height = TOP + ROWS * PITCH + 116
    paper = Drawing("The header of the Pi with everything that hangs on it", WIDTH, height)
    middle = WIDTH / 2
    paper.text(middle, 30, "The 40-pin header from above", text_anchor="middle", font_size=20)
    paper.text(
        middle, 54, "card slot this way, pin 1 is the square one", text_anchor="middle", fill=QUIET
    )
    end = TOP + ROWS * PITCH
    paper.text(middle, end + 12, "USB sockets this way", text_anchor="middle", fill=QUIET)
    paper.box(LEFT - 18, TOP - 18, PITCH + 36, ROWS * PITCH + 6, rx=6)
    labels = _labels(wiring)
    for number in range(1, 41):
        _pin(paper, number, *labels.get(number, ("free", QUIET)))
    for place, (colour, words) in enumerate(LEGEND):
        x, y = 60 + place % 2 * 400, end + 42 + place // 2 * 26
        paper.ring(x, y - 5, 8, fill=colour, stroke="none")
        paper.text(x + 18, y, words)
    smaller = default_buzzer_pin(len(wiring.buttons) - 1)
    words = f"The buzzer of a table with fewer than ten buttons: pin {HEADER_PIN[smaller]}"
    paper.text(78, end + 94, f"{words} (GPIO {smaller}).", fill=LAMP)
    return paper.svg()


def _labels(wiring: Wiring) -> dict[int, tuple[str, str]]:
    """Say for each pin what hangs there, and in which colour it is drawn."""
    labels = dict.fromkeys(GROUND_PINS, ("ground", GROUND))
    labels |= {pin: (f"{volts} SUPPLY", SUPPLY) for pin, volts in SUPPLY_PINS.items()}
    labels |= {HEADER_PIN[gpio]: ("add-on boards", QUIET) for gpio in ID_PINS}
    hanging = [
        *((f"button of {b.name}", b.pin, BUTTON) for b in wiring.buttons),
        *((f"lamp of {b.name}", b.lamp, LAMP) for b in wiring.buttons),
        ("buzzer, through 1 kΩ", wiring.buzzer, LAMP),
    ]
    for words, gpio, colour in hanging:
        if gpio is not None:
            labels[HEADER_PIN[gpio]] = (f"{words} (GPIO {gpio})", colour)
    return labels


def _pin(paper: Drawing, number: int, words: str, colour: str) -> None:
    row, column = divmod(number - 1, 2)
    x, y = LEFT + column * PITCH, TOP + row * PITCH
    side, anchor = (-1, "end") if column == 0 else (1, "start")
    if number == 1:
        paper.box(x - 10, y - 10, 20, 20, fill=colour, stroke="none")
    else:
        paper.ring(x, y, 10, fill=colour, stroke="none")
    paper.text(x, y + 4, str(number), text_anchor="middle", font_size=11, fill="#ffffff")
    paper.line((x + side * 22, y), (x + side * 48, y), stroke=colour)
    weight = "bold" if colour == SUPPLY else "normal"
    paper.text(x + side * 54, y + 5, words, text_anchor=anchor, fill=colour, font_weight=weight)
