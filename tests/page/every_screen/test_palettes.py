"""No player's colour can be taken for that of a card or of another player."""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
STYLE = (ROOT / "web/static/style/base.css").read_text()
PEN = (ROOT / "web/static/js/share/pen.js").read_text()
CARDS = dict(re.findall(r"--(blue|green|red|yellow): (#[0-9a-f]{6});", STYLE))
PLAYERS = re.findall(r"\.tint-\d \{\s*color: (#[0-9a-f]{6});", STYLE)
APART = 0.08
"""In OKLab, where an orange and the yellow of a card that looked alike were 0.062 apart."""


def seen(colour: str) -> tuple[float, float, float]:
    """A colour where distances are as eyes see them (OKLab)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    middle = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def apart(one: str, other: str) -> float:
    return math.dist(seen(one), seen(other))


def test_the_measure_tells_alike_from_different():
    assert apart("#f59e1b", "#f2b705") < APART
    assert apart("#000000", "#ffffff") == pytest.approx(1, abs=0.001)


def test_ten_players_and_four_cards_have_their_colours():
    assert (len(PLAYERS), len(set(PLAYERS)), len(CARDS)) == (10, 10, 4)


@pytest.mark.parametrize("player", PLAYERS)
def test_no_player_looks_like_a_card(player):
    close = {name: apart(player, card) for name, card in CARDS.items()}
    assert min(close.values()) > APART, close


def test_no_player_looks_like_another():
    alike = [pair for pair in combinations(PLAYERS, 2) if apart(*pair) < APART]
    assert not alike


def test_pictures_for_friends_have_the_same_players():
    assert re.findall(r'^  "(#[0-9a-f]{6})",$', PEN, re.MULTILINE) == PLAYERS
