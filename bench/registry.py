"""All benches by name; a new one is a module with `figures`, and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from bench import contacts, footprint, growth, press, reading, simulation, start, weight
from bench.figure import Figure
from bench.ground import Ground


class Bench(Struct, frozen=True):
    """A question about cost, and what answers it."""

    name: str
    question: str
    figures: Callable[[Ground], Iterable[Figure]]


BENCHES = (
    Bench("growth", "Does an event cost more as the journal grows?", growth.figures),
    Bench("reading", "Does a press cost more as the round grows?", reading.figures),
    Bench("contacts", "How many races are left open, beside a perfect clock?", contacts.figures),
    Bench("start", "Does a long past make the start slower?", start.figures),
    Bench("simulation", "How fast is refereed play, beside RLCard's UNO?", simulation.figures),
    Bench("press", "How soon is a press on the screen, beside a bare emit?", press.figures),
    Bench("footprint", "What does the table take, beside a bare app?", footprint.figures),
    Bench("weight", "How heavy is the page, beside a bare one?", weight.figures),
)
