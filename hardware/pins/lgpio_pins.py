"""Pins of lgpio that can be muted at any moment."""

from __future__ import annotations

from gpiozero.pins.lgpio import LGPIOPin

from hardware.pins.safe_callback import tell_edge


class SteadyLGPIOPin(LGPIOPin):  # type: ignore[misc]  # gpiozero has no type hints
    """An ordinary pin of gpiozero's lgpio factory, steady while it is muted."""

    def _call_when_changed(self, chip: int, gpio: int, level: int, ticks: int) -> None:
        tell_edge(self, ticks / 1e9, level)
