"""The optional buzzer: a few short tunes through gpiozero's TonalBuzzer."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.view.shape import View

TUNES: dict[str, tuple[tuple[float, float], ...]] = {
    "slap": ((880.0, 0.08),),
    "decided": ((659.3, 0.09), (880.0, 0.16)),
    "dead heat": ((440.0, 0.09), (440.0, 0.09)),
    "draws": ((440.0, 0.12), (329.6, 0.25)),
    "won": ((523.3, 0.12), (659.3, 0.12), (784.0, 0.3)),
}


def tune_for(before: View | None, after: View) -> str | None:
    """Choose a tune for what has changed between two views; most changes have none."""
    if before is None:
        return None
    if after.phase == "won" and before.phase != "won":
        return "won"
    if (tune := _tune_of_the_race(before, after)) is not None:
        return tune
    owed = {debt.ruling for debt in before.debts}
    raced = after.race.ruling if after.race is not None else None
    if any(debt.ruling not in owed and debt.ruling != raced for debt in after.debts):
        return "draws"
    return None


def _tune_of_the_race(before: View, after: View) -> str | None:
    """Call those who have yet to slap, and tell what was ruled.

    Where a race is taken back, the one before it is shown again, of which nothing is new.
    """
    race, was = after.race, before.race
    if race is None:
        return None
    if race.state == "running":
        began = was is None or was.state != "running"
        return "slap" if began and any(seat.racing for seat in after.seats) else None
    newest = max((ruling.number for ruling in before.rulings), default=0)
    if race.ruling is None or race.ruling <= newest:
        return None
    return {"undecided": "dead heat", "ruled": "decided"}.get(race.state)


class Buzzer:
    """Plays one tune after another on a thread of its own; a table without a buzzer is silent."""

    def __init__(self, device: Any | None) -> None:
        self._device = device
        self._tunes: SimpleQueue[str | None] = SimpleQueue()
        self._hush = Event()
        self._thread = Thread(target=self._run, name="buzzer", daemon=True)

    def start(self) -> None:
        """Be ready to play."""
        if self._device is not None:
            self._thread.start()

    def play(self, tune: str) -> None:
        """Play a tune by its name, without waiting for it."""
        if tune not in TUNES:
            raise KeyError(f"There is no tune {tune!r}; there are {', '.join(TUNES)}.")
        if self._device is not None:
            self._tunes.put(tune)

    def stop(self) -> None:
        """Fall silent and give the pin back."""
        if self._device is None:
            return
        self._hush.set()
        self._tunes.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._device.close()

    def _run(self) -> None:
        assert self._device is not None
        while (tune := self._tunes.get()) is not None:
            for pitch, seconds in TUNES[tune]:
                self._device.play(pitch)
                if self._hush.wait(seconds):
                    break
            self._device.stop()
