"""All benches by name; a new one is a module with `figures`, and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from bench.figure import Figure
from bench.ground import Ground
from bench.measures import (
    attacks,
    contacts,
    disk,
    footprint,
    forgetting,
    growth,
    hall,
    idle,
    mashing,
    past,
    press,
    reading,
    simulation,
    start,
    tasks,
    way,
    weight,
)


class Bench(Struct, frozen=True):
    """A question about cost, and what answers it."""

    name: str
    question: str
    figures: Callable[[Ground], Iterable[Figure]]


BENCHES = (
    Bench("growth", "Does an event cost more as the journal grows?", growth.figures),
    Bench("reading", "Does a press cost more as the round grows?", reading.figures),
    Bench("contacts", "How many races are left open, beside a perfect clock?", contacts.figures),
    Bench("forgetting", "What does it cost to forget, after years?", forgetting.figures),
    Bench("past", "Are two thousand past matches at hand?", past.figures),
    Bench("start", "Does a long past make the start slower?", start.figures),
    Bench("simulation", "How fast is refereed play, beside RLCard's UNO?", simulation.figures),
    Bench("press", "How soon is a press on the screen, beside a bare emit?", press.figures),
    Bench("mashing", "What goes to a screen while ten people mash?", mashing.figures),
    Bench("attacks", "How much later does the referee act under attack?", attacks.figures),
    Bench("way", "How long is the way through our own modules, against before?", way.figures),
    Bench("footprint", "What does the table take, beside a bare app?", footprint.figures),
    Bench("disk", "What does a command write, against before?", disk.figures),
    Bench("idle", "How often does a table wake up at which nothing happens?", idle.figures),
    Bench("tasks", "Is a slow tablet ever deaf to a finger?", tasks.figures),
    Bench("hall", "What do a hundred tables cost their hall, and a hall its table?", hall.figures),
    Bench("weight", "How heavy is the page, beside a bare one?", weight.figures),
)
