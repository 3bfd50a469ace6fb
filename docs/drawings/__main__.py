"""Make every drawing, and the made parts of the page about the hardware, anew."""

from __future__ import annotations

from pathlib import Path

from docs.drawings.drawn import drawings
from docs.drawings.tables import with_made_parts

docs = Path(__file__).parents[1]
page = docs / "hardware.md"
page.write_text(with_made_parts(page.read_text(encoding="utf-8")), encoding="utf-8")
for name, drawing in drawings().items():
    (docs / "pictures" / name).write_text(drawing, encoding="utf-8")
