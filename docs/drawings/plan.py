"""The place of one seat in true scale: lay it on the table top, prick through, drill."""

from __future__ import annotations

from docs.drawings.svg import BUTTON, LAMP, QUIET, SUPPLY, Drawing

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
EDGE = 15.0
REST, REACH, LAMP_BESIDE = 50.0, 130.0, 75.0
"""From the table's edge to the resting hand, from there to the button, from there to its lamp."""
HOLES = (24.0, 28.0)
DOMES = (60.0, 100.0)


def plan(paper_name: str) -> str:
    """Draw the seat from its edge of the table to the middle of the button, in millimetres."""
    width, height = PAPERS[paper_name]
    paper = Drawing("The place of one seat, in true scale", width, height, unit="mm")
    middle, edge = width / 2, height - EDGE
    rest = edge - REST
    button = rest - REACH
    small = {"font_size": 3.6}
    paper.text(10, 12, "One seat in true scale: print at 100 %, no fitting", font_size=5)
    paper.text(10, 19, "This line is 100 mm long. If it is not, print again.", **small)
    paper.line((10, 22), (110, 22), stroke=SUPPLY, stroke_width=0.5)
    for x in (10, 110):
        paper.line((x, 20.5), (x, 23.5), stroke=SUPPLY, stroke_width=0.5)
    paper.line((0, edge), (width, edge), stroke="#000000", stroke_width=0.8)
    paper.text(10, edge + 6, "Edge of the table: lay this line on it.", **small)
    paper.line((middle, edge), (middle, button - 56), stroke=QUIET, stroke_width=0.2)
    for dome in DOMES:
        paper.ring(middle, button, dome / 2, stroke=BUTTON, stroke_width=0.4)
        paper.text(
            middle, button + dome / 2 - 4, f"{dome:g} mm dome", text_anchor="middle", **small
        )
    for hole in HOLES:
        paper.ring(middle, button, hole / 2, stroke=SUPPLY, stroke_width=0.4)
    paper.line((middle - 4, button), (middle + 4, button), stroke=SUPPLY, stroke_width=0.3)
    paper.text(
        12, button - 40, "Drill one red circle: 24 or 28 mm.\nMeasure the thread first.",
        fill=SUPPLY, **small,
    )  # fmt: skip
    lamp = middle + LAMP_BESIDE
    paper.ring(lamp, button, 2.5, stroke=LAMP, stroke_width=0.4)
    paper.text(lamp, button + 8, "5 mm LED,", text_anchor="middle", fill=LAMP, **small)
    paper.text(lamp, button + 13, "if not in the dome", text_anchor="middle", fill=LAMP, **small)
    paper.ring(middle, rest, 35, stroke=QUIET, stroke_width=0.4, stroke_dasharray="2 2")
    paper.text(middle, rest, "the hand rests here", text_anchor="middle", **small)
    paper.text(middle, rest + 5, "(tape, or a thin felt spot)", text_anchor="middle", **small)
    paper.text(
        middle + 3, rest - 45,
        f"{REACH:g} mm from hand to button,\nthe same at every seat", **small,
    )  # fmt: skip
    paper.text(middle + 3, edge - 4, f"{REST:g} mm", **small)
    return paper.svg()
