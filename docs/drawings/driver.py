"""The driver board for lamps of 5 V: a ULN2803A pin by pin."""

from __future__ import annotations

from docs.drawings.svg import BOARD, GROUND, LAMP, PAPER, QUIET, SUPPLY, Drawing
from hardware.wiring.currents import LAMP_SUPPLY_LIMIT
from hardware.wiring.wiring import HEADER_PIN, Wiring

WIDTH, HEIGHT, TOP, PITCH = 1000, 650, 130, 44
CHIP, CHIP_WIDTH, RAIL = 420, 150, 880
INPUTS = 8


def driver(wiring: Wiring) -> str:
    """Draw one chip with the first eight lamps; a second one takes the others."""
    paper = Drawing("Lamps of 5 V on a ULN2803A", WIDTH, HEIGHT)
    paper.text(
        WIDTH / 2, 34, "Lamps of 5 V on a ULN2803A, from above", text_anchor="middle", font_size=20
    )
    bottom = TOP + INPUTS * PITCH
    paper.box(CHIP, TOP - 30, CHIP_WIDTH, bottom - TOP + 60, fill="#30363d", stroke="none", rx=6)
    paper.ring(CHIP + CHIP_WIDTH / 2, TOP - 30, 12, fill=PAPER, stroke="none")
    middle = TOP + 4 * PITCH
    paper.text(
        CHIP + CHIP_WIDTH / 2, middle, "ULN2803A", text_anchor="middle", fill=PAPER, font_size=18
    )
    paper.text(CHIP + CHIP_WIDTH / 2, TOP - 44, "the notch", text_anchor="middle", fill=QUIET)
    paper.line((RAIL, TOP - 24), (RAIL, bottom + 70), stroke=SUPPLY, stroke_width=6)
    for place, button in enumerate(wiring.buttons[:INPUTS]):
        assert button.lamp is not None
        _channel(paper, place, button.name, button.lamp)
    _foot(paper, bottom, _second_chip(wiring))
    return paper.svg()


def _leg(paper: Drawing, x: float, y: float, number: int) -> None:
    paper.box(x - 15, y - 11, 30, 22, fill=BOARD)
    paper.text(x, y + 5, str(number), text_anchor="middle")


def _channel(paper: Drawing, place: int, name: str, gpio: int) -> None:
    """Draw one input from the Pi, and the lamp between 5 V and the output across from it."""
    y = TOP + place * PITCH
    right = CHIP + CHIP_WIDTH + 15
    _leg(paper, CHIP - 15, y, place + 1)
    _leg(paper, right, y, 18 - place)
    words = f"{name}: GPIO {gpio}, header pin {HEADER_PIN[gpio]}"
    paper.text(340, y + 5, words, text_anchor="end", fill=LAMP)
    paper.line((346, y), (CHIP - 30, y), stroke=LAMP)
    paper.line((right + 15, y), (745, y), stroke=LAMP)
    paper.line((745, y), (RAIL, y), stroke=SUPPLY)
    paper.ring(745, y, 15, fill=PAPER, stroke=LAMP, stroke_width=2)
    paper.line((735, y - 10), (755, y + 10), stroke=LAMP)
    paper.line((735, y + 10), (755, y - 10), stroke=LAMP)
    paper.text(716, y - 5, "−", text_anchor="middle", fill=LAMP)
    paper.text(774, y - 5, "+", text_anchor="middle", fill=SUPPLY)


def _second_chip(wiring: Wiring) -> str:
    """Say what the second chip takes."""
    rest = [(b.name, HEADER_PIN[b.lamp]) for b in wiring.buttons[INPUTS:] if b.lamp is not None]
    seats = " and ".join(f"{name} (header pin {pin})" for name, pin in rest)
    inputs = " and ".join(str(number) for number in range(1, len(rest) + 1))
    return f"A second chip takes {seats} on its pins {inputs}."


def _foot(paper: Drawing, y: float, second_chip: str) -> None:
    right = CHIP + CHIP_WIDTH + 15
    _leg(paper, CHIP - 15, y, 9)
    _leg(paper, right, y, 10)
    paper.line((CHIP - 30, y), (346, y), stroke=GROUND, stroke_width=4)
    paper.text(340, y + 5, "GND: to the ground bus", text_anchor="end")
    paper.line((right + 15, y), (RAIL, y), stroke=SUPPLY, stroke_width=3)
    paper.text(630, y - 8, "COM: to the same 5 V", fill=SUPPLY)
    paper.text(RAIL + 14, y + 50, "5 V: header", fill=SUPPLY, font_weight="bold")
    paper.text(RAIL + 14, y + 70, "pin 2 or 4,", fill=SUPPLY, font_weight="bold")
    fuse = f"fuse {LAMP_SUPPLY_LIMIT / 1000:g} A"
    paper.text(RAIL + 14, y + 90, fuse, fill=SUPPLY, font_weight="bold")
    paper.text(
        40,
        y + 56,
        "An arcade lamp for 5 V has its resistor inside. A bare blue, white or pure green LED\n"
        "gets 150 Ω between 5 V and its long leg (+). Lamps of 12 V have a supply of their own:\n"
        "COM then goes to its plus too, its minus to the bus, and nothing to the Pi's 5 V.\n"
        f"{second_chip} Its pins 9\n"
        "and 10 are connected like those of the first.",
        fill=QUIET,
    )
