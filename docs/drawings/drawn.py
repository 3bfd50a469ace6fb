"""Every drawing by the name of its file."""

from __future__ import annotations

from docs.drawings.driver import driver
from docs.drawings.header import header
from docs.drawings.pdf import pdf
from docs.drawings.plan import PAPERS, plan
from docs.drawings.seat import seat
from hardware.wiring.wiring import MOST_SEATS, default_wiring


def drawings() -> dict[str, str]:
    """Draw the largest table, in which every smaller one is contained."""
    wiring = default_wiring(MOST_SEATS, lamps="led", buzzer=True)
    return {
        "wiring-header.svg": header(wiring),
        "wiring-seat.svg": seat(wiring.buttons[0]),
        "wiring-seat-driver.svg": seat(wiring.buttons[0], driven=True),
        "wiring-driver.svg": driver(wiring),
        "seat-plan.svg": plan("a4").svg(),
        **{f"seat-plan-{name}.pdf": pdf(plan(name)) for name in PAPERS},
    }
