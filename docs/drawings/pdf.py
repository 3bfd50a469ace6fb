"""The same drawing as a page of PDF, which every printer prints in its true size.

A browser that prints an SVG fits it between margins of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs.drawings.svg import Drawing, Look, Shape

POINTS_A_MILLIMETRE = 72 / 25.4
ROUND = 0.5523
"""How far the handles of four curves reach that make a circle, in radii."""


def pdf(paper: Drawing) -> str:
    """Write a drawing in millimetres, whose texts all begin where they stand."""
    assert paper.unit == "mm"
    scale = f"{POINTS_A_MILLIMETRE:.6f}"
    # PDF counts from the lower left corner upwards.
    drawn = [f"{scale} 0 0 -{scale} 0 {_points(paper.height)} cm", "1 J 1 j"]
    drawn += [line for shape in paper.shapes for line in _shape(shape)]
    content = "\n".join(drawn)
    size = f"{_points(paper.width)} {_points(paper.height)}"
    return _document(
        "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents 4 0 R"
        " /Resources << /Font << /F 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Title ({paper.title}) >>",
    )


def _document(*objects: str) -> str:
    """Number the objects, and write down where each one begins."""
    text, begins = "%PDF-1.4\n", []
    for number, one in enumerate(objects, start=1):
        begins.append(len(text))
        text += f"{number} 0 obj\n{one}\nendobj\n"
    table = "".join(f"{begin:010} 00000 n \n" for begin in begins)
    count = len(objects) + 1
    trailer = f"<< /Size {count} /Root 1 0 R /Info {count - 1} 0 R >>"
    where = f"xref\n0 {count}\n0000000000 65535 f \n{table}"
    return f"{text}{where}trailer\n{trailer}\nstartxref\n{len(text)}\n%%EOF\n"


def _points(millimetres: float) -> str:
    return f"{millimetres * POINTS_A_MILLIMETRE:.3f}"


def _shape(shape: Shape) -> Iterator[str]:
    look = shape.look
    if shape.name == "text":
        yield from _text(shape)
        return
    yield f"{look.get('stroke_width', 1)} w"
    dashes = look.get("stroke_dasharray", "")
    yield f"[{dashes}] 0 d"
    filled, drawn = (_colour(look, key) for key in ("fill", "stroke"))
    yield from (f"{colour} {sign}" for colour, sign in ((filled, "rg"), (drawn, "RG")) if colour)
    yield {"rect": _rectangle, "circle": _circle, "polyline": _line}[shape.name](look)
    yield {(True, True): "B", (True, False): "f", (False, True): "S"}[bool(filled), bool(drawn)]


def _text(shape: Shape) -> Iterator[str]:
    look = shape.look
    assert "text_anchor" not in look, "how wide words are, only the reader's font knows"
    words = shape.words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    yield f"{_colour(look, 'fill') or '0 0 0'} rg"
    yield f"BT /F {look['font_size']} Tf 1 0 0 -1 {look['x']} {look['y']} Tm ({words}) Tj ET"


def _colour(look: Look, key: str) -> str:
    """Give a colour as three parts of one; nothing where there is none."""
    said = str(look.get(key, "none"))
    if said == "none":
        return ""
    return " ".join(f"{int(said[at : at + 2], 16) / 255:.3f}" for at in (1, 3, 5))


def _rectangle(look: Look) -> str:
    return " ".join(str(look[key]) for key in ("x", "y", "width", "height")) + " re"


def _circle(look: Look) -> str:
    x, y, r = (float(look[key]) for key in ("cx", "cy", "r"))
    h = r * ROUND
    curves = (
        (x + r, y + h, x + h, y + r, x, y + r),
        (x - h, y + r, x - r, y + h, x - r, y),
        (x - r, y - h, x - h, y - r, x, y - r),
        (x + h, y - r, x + r, y - h, x + r, y),
    )
    return f"{x + r:.3f} {y:.3f} m " + " ".join(
        " ".join(f"{place:.3f}" for place in curve) + " c" for curve in curves
    )


def _line(look: Look) -> str:
    first, *others = (corner.replace(",", " ") for corner in str(look["points"]).split())
    return " ".join([f"{first} m", *(f"{corner} l" for corner in others)])
