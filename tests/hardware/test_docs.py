"""The page about the hardware says what the program does."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hardware.wiring.diagram import SIZES, drawings, wiring_drawing, wiring_table, with_made_parts
from hardware.wiring.reader import wiring_from
from hardware.wiring.wiring import HEADER_PIN, default_wiring, named_pins

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "hardware.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_tables_of_the_page_are_the_defaults():
    assert with_made_parts(PAGE) == PAGE, "run python -m hardware.wiring.diagram"


@pytest.mark.parametrize("seats", SIZES)
def test_the_table_and_the_drawing_show_every_pin_of_the_default_wiring(seats):
    wiring = default_wiring(seats)
    assert wiring_table(wiring) in PAGE
    drawn = (DOCS / f"wiring-{seats}.svg").read_text(encoding="utf-8")
    assert drawn == wiring_drawing(wiring), "run python -m hardware.wiring.diagram"
    words = [element.text or "" for element in ElementTree.fromstring(drawn).iter()]
    for name, gpio in named_pins(wiring):
        assert f"{name.removeprefix('the ')} (GPIO {gpio})" in words


@pytest.mark.parametrize("seats", SIZES)
def test_a_label_stands_beside_its_own_pin(seats):
    root = ElementTree.fromstring(drawings()[f"wiring-{seats}.svg"])
    texts = [element for element in root.iter() if element.tag.endswith("text")]
    rows = {(t.text or ""): t.get("y") for t in texts}
    for name, gpio in named_pins(default_wiring(seats)):
        label = f"{name.removeprefix('the ')} (GPIO {gpio})"
        assert rows[label] == rows[str(HEADER_PIN[gpio])]


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_example_is_a_wiring_that_works(example):
    assert wiring_from(tomllib.loads(example)["hardware"]).seats >= 2


def test_the_page_shows_at_least_one_example_of_every_kind():
    text = "\n".join(EXAMPLES)
    assert all(word in text for word in ("seats", "spare", "usb", "pigpio", "buzzer"))
