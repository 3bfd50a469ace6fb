"""A drawing as a list of shapes, written as SVG."""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

BUTTON, LAMP, GROUND, SUPPLY = "#0b6bcb", "#b45309", "#222222", "#d11a2a"
QUIET, PAPER, BOARD = "#6b7480", "#ffffff", "#eef1f5"

Look = dict[str, str | float]


class Shape(NamedTuple):
    """One shape by the name that SVG has for it, with its words if it is a text."""

    name: str
    words: str
    look: Look


class Drawing:
    """Shapes on white paper; lengths are the paper's own units, from its upper left corner."""

    def __init__(self, title: str, width: float, height: float, unit: str = "") -> None:
        self.title, self.width, self.height, self.unit = title, width, height, unit
        self.shapes: list[Shape] = []
        self.box(0, 0, width, height, fill=PAPER, stroke="none")

    def _add(self, name: str, text: str = "", /, **said: str | float) -> None:
        self.shapes.append(Shape(name, text, said))

    def box(self, x: float, y: float, width: float, height: float, **said: str | float) -> None:
        """Draw a rectangle."""
        look = {"fill": BOARD, "stroke": QUIET} | said
        self._add("rect", x=x, y=y, width=width, height=height, **look)

    def ring(self, x: float, y: float, radius: float, **said: str | float) -> None:
        """Draw a circle."""
        self._add("circle", cx=x, cy=y, r=radius, **({"fill": "none", "stroke": QUIET} | said))

    def line(self, *corners: tuple[float, float], **said: str | float) -> None:
        """Draw a wire from corner to corner."""
        points = " ".join(f"{x:g},{y:g}" for x, y in corners)
        look: Look = {"fill": "none", "stroke": QUIET, "stroke_width": 2}
        self._add("polyline", points=points, **look | said)

    def text(self, x: float, y: float, words: str, **said: str | float) -> None:
        """Write words; several lines are separated by line ends."""
        size = float(said.get("font_size", 14))
        for row, one in enumerate(words.split("\n")):
            self._add("text", one, x=x, y=y + row * size * 1.3, **({"font_size": 14} | said))

    def resistor(self, x: float, y: float, value: str, colour: str) -> None:
        """Draw a resistor that lies in a wire from left to right, its middle at this place."""
        self.box(x - 32, y - 11, 64, 22, fill=PAPER, stroke=colour, stroke_width=2)
        self.text(x, y + 5, value, text_anchor="middle", fill=colour)

    def svg(self) -> str:
        """Write the whole drawing."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}"'
            f' width="{self.width:g}{self.unit}" height="{self.height:g}{self.unit}"'
            ' font-family="sans-serif" role="img">'
        )
        title = f"<title>{escape(self.title)}</title>"
        return "\n".join((head, title, *map(_element, self.shapes), "</svg>", ""))


def _element(shape: Shape) -> str:
    look = "".join(
        f" {key.replace('_', '-')}={quoteattr(_figure(value))}" for key, value in shape.look.items()
    )
    return f"<{shape.name}{look}>{escape(shape.words)}</{shape.name}>"


def _figure(value: str | float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
