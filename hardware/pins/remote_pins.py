"""Pins of a remote Pi that can be muted at any moment."""

from __future__ import annotations

from gpiozero.pins.pigpio import PiGPIOPin

from hardware.pins.safe_callback import tell_edge


class SteadyPiGPIOPin(PiGPIOPin):  # type: ignore[misc]  # gpiozero has no type hints
    """An ordinary pin of gpiozero's pigpio factory, steady while it is muted."""

    def _call_when_changed(self, gpio: int, level: int, ticks: int) -> None:
        tell_edge(self, ticks, level)
