"""Two kinds of evening: one as people really play, and one on which everything happens at once.

Nobody has counted habits at a real table yet, so every frequency comes with its reason. The limits
of the ordinary evening are what the table promises. On the hard one everything that can mislead
the table comes up several times as often, also what no reading can tell apart: a layer who calls
UNO among the others' slaps while a racer is slow, or a race laid two seconds after the last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tests.simulation.people import PEOPLE, Habits

WINDOWS = "windows"
Limits = Mapping[tuple[str, str], float]
"""By how the layer is known, the greatest share of honest races, and of windows."""
PROMISED: Limits = {
    ("tapped", "wrong"): 0.001,
    ("refereed", "wrong"): 0.007,
    ("tapped", "asked"): 0.005,
    ("refereed", "asked"): 0.005,
    ("hands", "wrong"): 0.003,
    ("hands", "asked"): 0.05,
    (WINDOWS, "wrongly caught"): 0.005,
    (WINDOWS, "asked"): 0.005,
    (WINDOWS, "escaped"): 0.04,
}


@dataclass(frozen=True, slots=True)
class Evening:
    """How often what happens, and how much of it may be judged wrong or asked about."""

    name: str
    habits: Habits
    races: tuple[int, ...]
    """How many Street Races a stretch of up to ten turns has, each as likely as the others."""
    hands: tuple[int, ...]
    """How many cards people hold at its beginning."""
    limits: Limits


ORDINARY = Evening(
    "ordinary",
    replace(
        PEOPLE,
        # A sleeve or a glass on a big button every ten minutes; of ten people, one a minute.
        stray=600.0,
    ),
    # One card in 28 is a Street Race: beside one, six or seven other turns have a second one in
    # about every fifth stretch.
    races=(1, 1, 1, 1, 2),
    # Seven cards are dealt. One turn in twelve leaves somebody with one card; at a table of four
    # it is about one in eighteen.
    hands=(2, 6, 7, 7, 8, 8, 9, 9),
    limits=PROMISED,
)
HARD = Evening(
    "hard",
    PEOPLE,
    # Seven times as many races as the deck has.
    races=(1, 1, 1, 2, 2, 3),
    # Everybody is about to call UNO.
    hands=(2, 3, 4, 5, 6),
    limits={
        **PROMISED,
        ("tapped", "wrong"): 0.006,
        ("hands", "wrong"): 0.010,
        ("hands", "asked"): 0.07,
    },
)
EVENINGS = {evening.name: evening for evening in (ORDINARY, HARD)}
