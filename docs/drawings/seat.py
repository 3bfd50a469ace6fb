"""One complete seat in large: from two pins of the header to the button and its lamp."""

from __future__ import annotations

from docs.drawings.svg import BUTTON, GROUND, LAMP, PAPER, QUIET, SUPPLY, Drawing
from hardware.wiring.currents import (
    BUTTON_RESISTOR,
    LAMP_SUPPLY_LIMIT,
    LED_RESISTOR,
    LONG_BUTTON_RESISTOR,
    LONG_PULL_UP,
)
from hardware.wiring.wiring import BUS_PINS, HEADER_PIN, SUPPLY_PINS, ButtonWiring

WIDTH, HEIGHT = 1000, 560
BUTTON_Y, BUTTON_BACK, LAMP_Y, LAMP_BACK, BUS = 130, 200, 310, 380, 470
PLUG, SEAT = 470, 700


def seat(button: ButtonWiring, *, driven: bool = False) -> str:
    """Draw the two pairs of one seat, what lies between it and the Pi, and the ground bus.

    The lamp is an LED on its pin, or one of 5 V that a chip switches.
    """
    assert button.pin is not None
    assert button.lamp is not None
    paper = Drawing(f"Everything that belongs to {button.name}", WIDTH, HEIGHT)
    kind = "with a lamp of 5 V" if driven else "with an LED on its pin"
    heading = f"One complete seat {kind} ({button.name}); every other seat has its own two pins"
    paper.text(WIDTH / 2, 34, heading, text_anchor="middle", font_size=20)
    _places(paper)
    _pin(paper, BUTTON_Y, button.pin, BUTTON)
    _pin(paper, LAMP_BACK if driven else LAMP_Y, button.lamp, LAMP)
    _button(paper)
    (_driven_lamp if driven else _lamp)(paper)
    _long_cable(paper)
    _bus(paper)
    return paper.svg()


def _places(paper: Drawing) -> None:
    for x, width, words in (
        (20, 150, "Raspberry Pi"),
        (200, 240, "strip board, beside the Pi"),
        (SEAT, 280, "under the table top, at the seat"),
    ):
        paper.box(x, 66, width, HEIGHT - 106, rx=8)
        paper.text(x + width / 2, 88, words, text_anchor="middle", fill=QUIET)
    for y, words in ((BUTTON_Y, "pair 1: button"), (LAMP_Y, "pair 2: lamp")):
        paper.box(PLUG, y - 24, 26, 118, fill=PAPER)
        paper.text(PLUG + 34, y + 30, words, fill=QUIET)
        paper.text(PLUG + 34, y + 50, "twisted, one cable", fill=QUIET)
    paper.text(PLUG - 10, 78, "one plug with four contacts", fill=QUIET)


def _pin(paper: Drawing, y: float, gpio: int, colour: str) -> None:
    paper.ring(150, y, 10, fill=colour, stroke="none")
    paper.text(136, y + 5, f"pin {HEADER_PIN[gpio]}", text_anchor="end", fill=colour)
    paper.text(136, y + 23, f"GPIO {gpio}", text_anchor="end", fill=colour)


def _button(paper: Drawing) -> None:
    paper.line((150, BUTTON_Y), (800, BUTTON_Y), stroke=BUTTON, stroke_width=3)
    paper.resistor(280, BUTTON_Y, f"{BUTTON_RESISTOR // 1000} kΩ", BUTTON)
    paper.line((800, BUTTON_Y), (800, BUTTON_Y + 14), stroke=BUTTON, stroke_width=3)
    paper.line((786, BUTTON_Y + 22), (812, BUTTON_BACK - 20), stroke=BUTTON, stroke_width=3)
    for y in (BUTTON_Y + 16, BUTTON_BACK - 16):
        paper.ring(800, y, 5, fill=PAPER, stroke=BUTTON, stroke_width=2)
    paper.line((800, BUTTON_BACK - 12), (800, BUTTON_BACK), (390, BUTTON_BACK), stroke=GROUND)
    paper.line((390, BUTTON_BACK), (390, BUS), stroke=GROUND)
    paper.text(830, 152, "microswitch:", fill=BUTTON)
    paper.text(830, 172, "COM and NO,", fill=BUTTON)
    paper.text(830, 192, "never NC", fill=BUTTON)


def _lamp(paper: Drawing) -> None:
    paper.line((150, LAMP_Y), (800, LAMP_Y), (800, LAMP_Y + 22), stroke=LAMP, stroke_width=3)
    paper.resistor(280, LAMP_Y, f"{LED_RESISTOR} Ω", LAMP)
    paper.line(
        (784, LAMP_Y + 22), (816, LAMP_Y + 22), (800, LAMP_Y + 48), (784, LAMP_Y + 22),
        stroke=LAMP, fill=LAMP,
    )  # fmt: skip
    paper.line((784, LAMP_Y + 49), (816, LAMP_Y + 49), stroke=LAMP, stroke_width=4)
    paper.line((800, LAMP_Y + 49), (800, LAMP_BACK), (415, LAMP_BACK), stroke=GROUND)
    paper.line((415, LAMP_BACK), (415, BUS), stroke=GROUND)
    paper.text(830, LAMP_Y + 4, "long leg (+)", fill=LAMP)
    paper.text(830, LAMP_Y + 36, "red, yellow or", fill=LAMP)
    paper.text(830, LAMP_Y + 54, "plain green LED", fill=LAMP)
    paper.text(830, LAMP_BACK + 8, "short leg (−), flat", fill=GROUND)


def _driven_lamp(paper: Drawing) -> None:
    """Draw the way from the red pin through the lamp and the chip to the ground bus."""
    pin = next(pin for pin, volts in SUPPLY_PINS.items() if volts == "5 V")
    paper.ring(150, LAMP_Y, 10, fill=SUPPLY, stroke="none")
    paper.text(136, LAMP_Y + 5, f"pin {pin}", text_anchor="end", fill=SUPPLY)
    paper.text(136, LAMP_Y + 23, "5 V SUPPLY", text_anchor="end", fill=SUPPLY)
    paper.line((150, LAMP_Y), (800, LAMP_Y), (800, LAMP_Y + 20), stroke=SUPPLY, stroke_width=3)
    paper.resistor(252, LAMP_Y, f"{LAMP_SUPPLY_LIMIT / 1000:g} A", SUPPLY)
    paper.text(252, LAMP_Y - 18, "fuse", text_anchor="middle", fill=SUPPLY)
    paper.line((150, LAMP_BACK), (240, LAMP_BACK), stroke=LAMP, stroke_width=3)
    paper.line((325, LAMP_BACK), (800, LAMP_BACK), (800, LAMP_Y + 50), stroke=LAMP, stroke_width=3)
    paper.line((310, LAMP_Y), (310, LAMP_BACK - 44), stroke=SUPPLY, stroke_width=3)
    paper.ring(310, LAMP_Y, 4, fill=SUPPLY, stroke="none")
    paper.line((255, LAMP_BACK + 28), (255, BUS), stroke=GROUND)
    paper.box(240, LAMP_BACK - 44, 85, 72, fill="#30363d", stroke="none", rx=4)
    paper.text(282, LAMP_BACK - 12, "ULN2803A", text_anchor="middle", fill=PAPER, font_size=13)
    for x, y, leg in ((248, 12, 1), (317, 12, 18), (255, 24, 9), (310, -31, 10)):
        paper.text(x, LAMP_BACK + y, str(leg), text_anchor="middle", fill=PAPER, font_size=11)
    paper.ring(800, LAMP_Y + 35, 15, fill=PAPER, stroke=LAMP, stroke_width=2)
    paper.line((790, LAMP_Y + 25), (810, LAMP_Y + 45), stroke=LAMP)
    paper.line((790, LAMP_Y + 45), (810, LAMP_Y + 25), stroke=LAMP)
    paper.text(830, LAMP_Y + 4, "+ to 5 V", fill=SUPPLY)
    paper.text(830, LAMP_Y + 32, "lamp for 5 V,", fill=LAMP)
    paper.text(830, LAMP_Y + 50, "resistor inside", fill=LAMP)
    paper.text(830, LAMP_BACK + 8, "− to the chip", fill=LAMP)


def _long_cable(paper: Drawing) -> None:
    """Draw what only long cables need, in dashes: a pull-up at the Pi, and a clamp at the plug."""
    dashed = {"stroke_dasharray": "6 5"}
    pull_up = BUTTON_BACK + 30
    pin, volts = next((pin, volts) for pin, volts in SUPPLY_PINS.items() if volts == "3.3 V")
    paper.ring(150, pull_up, 10, fill=SUPPLY, stroke="none")
    paper.text(136, pull_up + 5, f"pin {pin}", text_anchor="end", fill=SUPPLY)
    paper.text(136, pull_up + 23, f"{volts} SUPPLY", text_anchor="end", fill=SUPPLY)
    paper.line((160, pull_up), (222, pull_up), (222, BUTTON_Y), stroke=SUPPLY, **dashed)
    paper.ring(222, BUTTON_Y, 4, fill=BUTTON, stroke="none")
    paper.box(214, BUTTON_Y + 36, 16, 40, fill=PAPER, stroke=SUPPLY, stroke_width=2)
    paper.text(236, BUTTON_Y + 61, f"{LONG_PULL_UP // 1000} kΩ", fill=SUPPLY)
    instead = f"or {LONG_BUTTON_RESISTOR} Ω"
    paper.text(280, BUTTON_Y + 30, instead, text_anchor="middle", fill=BUTTON)
    paper.ring(345, BUTTON_Y, 4, fill=BUTTON, stroke="none")
    paper.line((345, BUTTON_Y), (345, BUS), stroke=QUIET, **dashed)
    paper.box(337, BUTTON_Y + 70, 16, 30, fill=PAPER)
    paper.text(328, BUTTON_Y + 91, "clamp", text_anchor="end", fill=QUIET)
    words = f"dashed, and {LONG_BUTTON_RESISTOR} Ω: only for cables over 3 m"
    paper.text(20, HEIGHT - 12, words, fill=QUIET)
    paper.text(PLUG, HEIGHT - 12, "lines that cross touch only where there is a dot", fill=QUIET)


def _bus(paper: Drawing) -> None:
    paper.line((215, BUS), (430, BUS), stroke=GROUND, stroke_width=9)
    paper.text(320, BUS + 28, "ground bus: all black wires meet", text_anchor="middle")
    for y, pin in zip((BUS - 14, BUS + 14), BUS_PINS, strict=True):
        paper.ring(150, y, 10, fill=GROUND, stroke="none")
        paper.text(136, y + 5, f"pin {pin} ground", text_anchor="end")
        paper.line((150, y), (190, y), (190, BUS), (215, BUS), stroke=GROUND, stroke_width=3)
    paper.text(PLUG, BUS - 20, "two thick wires go to the Pi,", fill=QUIET)
    paper.text(PLUG, BUS, "however many seats there are", fill=QUIET)
