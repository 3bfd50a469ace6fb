"""The place of one seat in true scale: lay it on the table top, prick through, drill."""

from __future__ import annotations

from docs.drawings.svg import BUTTON, LAMP, QUIET, SUPPLY, Drawing, Look

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
EDGE = 15.0
REST, REACH, LAMP_BESIDE = 50.0, 130.0, 75.0
"""From the table's edge to the resting hand, from there to the button, from there to its lamp."""
HOLES = (24.0, 28.0)
DOMES = (60.0, 100.0)
HAND = 35.0
RULER = (10.0, 110.0)
MEASURES = 30.0
"""Where the measures stand: so far from the left edge of the paper."""


def plan(paper_name: str) -> Drawing:
    """Draw the seat from its edge of the table to the middle of the button, in millimetres."""
    width, height = PAPERS[paper_name]
    paper = Drawing("The place of one seat, in true scale", width, height, unit="mm")
    middle, edge = width / 2, height - EDGE
    rest = edge - REST
    button = rest - REACH
    small = {"font_size": 3.6}
    paper.text(10, 12, "One seat in true scale: print at 100 %, no fitting", font_size=5)
    paper.text(10, 19, "This line is 100 mm long. If it is not, print again.", **small)
    paper.line((RULER[0], 22), (RULER[1], 22), stroke=SUPPLY, stroke_width=0.5)
    for x in RULER:
        paper.line((x, 20.5), (x, 23.5), stroke=SUPPLY, stroke_width=0.5)
    paper.line((0, edge), (width, edge), stroke="#000000", stroke_width=0.8)
    paper.text(10, edge + 6, "Edge of the table: lay this line on it.", **small)
    paper.line((middle, edge), (middle, button - 54), stroke=QUIET, stroke_width=0.2)
    for dome in DOMES:
        paper.ring(middle, button, dome / 2, stroke=BUTTON, stroke_width=0.4)
        paper.text(middle + 2, button + dome / 2 + 4.5, f"{dome:g} mm dome", fill=BUTTON, **small)
    for hole in HOLES:
        paper.ring(middle, button, hole / 2, stroke=SUPPLY, stroke_width=0.4)
    paper.line((middle - 4, button), (middle + 4, button), stroke=SUPPLY, stroke_width=0.3)
    paper.text(
        10, 32, "Drill one of the red circles: 24 or 28 mm.\nMeasure the thread first.",
        fill=SUPPLY, **small,
    )  # fmt: skip
    lamp = middle + LAMP_BESIDE
    paper.ring(lamp, button, 2.5, stroke=LAMP, stroke_width=0.4)
    paper.text(lamp - 15, button + 9, "a lamp of 5 mm,\nif the dome has none", fill=LAMP, **small)
    paper.ring(middle, rest, HAND, stroke=QUIET, stroke_width=0.4, stroke_dasharray="2 2")
    paper.line((middle - 4, rest), (middle + 4, rest), stroke=QUIET, stroke_width=0.3)
    paper.text(middle + 2, rest - 7, "the hand\nrests here", **small)
    paper.text(middle + 2, rest + 6, "(tape, or a thin\nfelt spot)", **small)
    _measure(
        paper, button, rest,
        f"{REACH:g} mm, at every seat, from the\nmiddle of the hand to the\nmiddle of the button",
    )  # fmt: skip
    _measure(paper, rest, edge, f"{REST:g} mm")
    return paper


def _measure(paper: Drawing, top: float, bottom: float, words: str) -> None:
    """Draw a length from one height of the paper to another."""
    look: Look = {"stroke": QUIET, "stroke_width": 0.3}
    paper.line((MEASURES, top), (MEASURES, bottom), **look)
    for y in (top, bottom):
        paper.line((MEASURES - 2, y), (MEASURES + 2, y), **look)
    paper.text(MEASURES + 3, (top + bottom) / 2, words, font_size=3.6)
