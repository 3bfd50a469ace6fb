"""The page about the hardware says what the program does."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from docs.drawings.drawn import drawings
from docs.drawings.svg import SUPPLY
from docs.drawings.tables import with_made_parts
from hardware.wiring.currents import LAMP_SUPPLY_LIMIT, LONG_BUTTON_RESISTOR
from hardware.wiring.reader import wiring_from
from hardware.wiring.wiring import (
    BUS_PINS,
    HEADER_PIN,
    SUPPLY_PINS,
    default_buzzer_pin,
    default_wiring,
    named_pins,
)

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "hardware.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_tables_of_the_page_are_the_defaults():
    assert with_made_parts(PAGE) == PAGE, "run python -m docs.drawings"


@pytest.mark.parametrize("name", drawings())
def test_the_drawings_are_those_of_the_default_wiring(name):
    drawn = (DOCS / "pictures" / name).read_text(encoding="utf-8")
    assert drawn == drawings()[name], "run python -m docs.drawings"


def words_of(name: str) -> dict[str, tuple[str | None, str | None]]:
    """Give the words of a drawing, each with how far down it stands and in which colour."""
    root = ElementTree.fromstring(drawings()[name])
    texts = (element for element in root.iter() if element.tag.endswith("text"))
    return {text.text or "": (text.get("y"), text.get("fill")) for text in texts}


def test_every_label_of_the_header_stands_beside_its_own_pin():
    words = words_of("wiring-header.svg")
    for name, gpio in named_pins(default_wiring(10, lamps="led")):
        (label,) = (word for word in words if word.endswith(f"(GPIO {gpio})"))
        assert label.startswith(name.removeprefix("the "))
        down, number = words[label][0], words[str(HEADER_PIN[gpio])][0]
        assert float(down or 0) - float(number or 0) == 1


def test_supply_pins_are_red_and_say_so():
    root = ElementTree.fromstring(drawings()["wiring-header.svg"])
    red = [e.text for e in root.iter() if e.get("fill") == SUPPLY and e.tag.endswith("text")]
    assert sorted(map(str, red)) == sorted(f"{volts} SUPPLY" for volts in SUPPLY_PINS.values())


def test_the_header_says_where_the_buzzer_of_a_smaller_table_hangs():
    (note,) = (word for word in words_of("wiring-header.svg") if "fewer than ten" in word)
    assert f"pin {HEADER_PIN[default_buzzer_pin(9)]}" in note


def test_the_header_says_which_ground_pins_have_no_supply_beside_them():
    (note,) = (word for word in words_of("wiring-header.svg") if "to the ground bus" in word)
    assert all(f" {pin} " in note for pin in BUS_PINS)


def test_a_seat_with_a_lamp_of_5_v_shows_the_chip_and_its_supply_in_red():
    words = words_of("wiring-seat-driver.svg")
    lamp = default_wiring(10, lamps="led").buttons[0].lamp
    assert lamp is not None
    assert {"ULN2803A", f"pin {HEADER_PIN[lamp]}", f"GPIO {lamp}"} <= words.keys()
    assert words["5 V SUPPLY"][1] == SUPPLY


@pytest.mark.parametrize("name", ["wiring-seat.svg", "wiring-seat-driver.svg"])
def test_a_seat_shows_what_a_long_cable_needs(name):
    words = words_of(name)
    assert words["3.3 V SUPPLY"][1] == words["pin 1"][1] == SUPPLY
    assert f"or {LONG_BUTTON_RESISTOR} Ω" in words
    assert any("only for cables over 3 m" in word for word in words)


@pytest.mark.parametrize("name", ["wiring-seat-driver.svg", "wiring-driver.svg"])
def test_the_supply_of_the_lamps_has_a_fuse_that_gives_no_more_than_was_added_up(name):
    assert any("fuse" in word for word in words_of(name))
    assert any(f"{LAMP_SUPPLY_LIMIT / 1000:g} A" in word for word in words_of(name))


def test_the_driver_board_says_which_pins_the_second_chip_takes():
    said = " ".join(words_of("wiring-driver.svg"))
    for button in default_wiring(10, lamps="led").buttons[8:]:
        assert button.lamp is not None
        assert f"{button.name} (header pin {HEADER_PIN[button.lamp]})" in said


@pytest.mark.parametrize(("paper", "size"), [("a4", (210, 297)), ("letter", (215.9, 279.4))])
def test_a_plan_is_printed_in_true_scale_on_its_paper(paper, size):
    printed = drawings()[f"seat-plan-{paper}.pdf"]
    (box,) = re.findall(r"/MediaBox \[0 0 (\S+) (\S+)\]", printed)
    assert [float(points) * 25.4 / 72 for points in box] == pytest.approx(size, abs=0.01)
    (scale,) = re.findall(r"^(\S+) 0 0 -\1 0 \S+ cm$", printed, re.MULTILINE)
    assert float(scale) == pytest.approx(72 / 25.4, abs=0.00001)
    # The ruler of ten centimetres.
    assert "\n10 22 m 110 22 l\n" in printed
    assert "/PrintScaling /None" in printed


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_reader_of_the_plan_finds_every_part_where_it_is_said_to_be(paper):
    printed = drawings()[f"seat-plan-{paper}.pdf"]
    for number, begin in enumerate(re.findall(r"^(\d{10}) 00000 n", printed, re.MULTILINE), 1):
        assert printed[int(begin) :].startswith(f"{number} 0 obj\n")
    assert printed[int(printed.split("startxref\n")[1].split()[0]) :].startswith("xref\n")
    length, content = re.findall(r"/Length (\d+) >>\nstream\n(.*)\nendstream", printed, re.DOTALL)[
        0
    ]
    assert len(content.encode()) == int(length)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_example_is_a_wiring_that_works(example):
    assert wiring_from(tomllib.loads(example)["hardware"]).seats >= 2
