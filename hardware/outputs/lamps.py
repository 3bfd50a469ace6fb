"""Lamps: a small vocabulary of rhythms, driven from the table's view and from nothing else."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from hardware.contact.edges import MILLISECOND, SECOND

if TYPE_CHECKING:
    from companion.view.shape import SeatShown, View

log = logging.getLogger(__name__)

FLASH = 80 * MILLISECOND
TEST = 400 * MILLISECOND
DIM = 0.25
LOOK_AGAIN = 1 * SECOND
AT_REST = 60 * SECOND
FOREVER = 1 << 62


class Rhythm(Struct, frozen=True):
    """How a lamp behaves: lit for the first of every two durations, over and over.

    With several flashes, a pause follows after so many of them.
    """

    on: int
    off: int
    level: float = 1.0
    sentence: str = ""
    flashes: int = 1
    pause: int = 0


class LampState(Enum):
    """What a lamp can say."""

    DARK = "dark"
    SIT = "press to sit"
    TURN = "your turn"
    CALLED = "called UNO"
    SLAP = "slap now"
    PRESS_AGAIN = "press again to catch"
    ASKED = "you are asked"
    LIGHT = "the light of a slap-off"
    LAST = "you are last"
    OWES = "you owe cards"
    ASIDE = "set aside"


def _ms(on: int, off: int, level: float, sentence: str, flashes: int = 1, pause: int = 0) -> Rhythm:
    return Rhythm(
        on * MILLISECOND, off * MILLISECOND, level, sentence, flashes, pause * MILLISECOND
    )


RHYTHMS = {
    LampState.DARK: _ms(0, 1, 0.0, "nothing to say"),
    LampState.SIT: _ms(1000, 1000, DIM, "slow, one second on and one off, dim where it can be"),
    LampState.TURN: _ms(1, 0, 1.0, "steadily lit"),
    LampState.CALLED: _ms(900, 100, 1.0, "lit, with a short wink every second"),
    LampState.SLAP: _ms(60, 60, 1.0, "a fast flicker, eight times a second"),
    LampState.PRESS_AGAIN: _ms(50, 200, 1.0, "short flashes, four times a second"),
    LampState.ASKED: _ms(150, 150, 1.0, "two flashes and a pause, once a second", 2, 400),
    LampState.LIGHT: _ms(1, 0, 1.0, "steadily lit, out of the dark"),
    LampState.LAST: _ms(250, 250, 1.0, "a blink, twice a second"),
    LampState.OWES: _ms(100, 900, 1.0, "a short flash every second"),
    LampState.ASIDE: _ms(100, 2900, DIM, "a faint short flash every three seconds"),
}


class LampScene(Struct, frozen=True):
    """What every lamp says, and for a slap-off the moment of the light and what it shows."""

    states: dict[int, LampState]
    light_at: int | None = None
    lit: dict[int, LampState] = {}


def scene(view: View, buttons: Iterable[int]) -> LampScene:
    """Read off the view what each button's lamp says; the most urgent thing wins.

    In a slap-off every lamp is dark until the light, so that nothing else can be taken for it.
    """
    states = dict.fromkeys(buttons, LampState.DARK)
    if view.race is not None and view.race.state == "slap_off" and view.race.slap_off is not None:
        waiting = {seat.button for seat in view.seats if seat.racing and seat.button in states}
        lit = {
            button: LampState.LIGHT if button in waiting else states[button] for button in states
        }
        return LampScene(states, light_at=view.race.slap_off.light_at, lit=lit)
    if view.phase == "seating" or view.awaiting_button is not None:
        states = dict.fromkeys(states, LampState.SIT)
    for seat in view.seats:
        if seat.button in states:
            states[seat.button] = _seat_state(seat)
    return LampScene(states)


def _seat_state(seat: SeatShown) -> LampState:
    if seat.aside is not None:
        return LampState.ASIDE
    if seat.racing:
        return LampState.SLAP
    if seat.press_again:
        return LampState.PRESS_AGAIN
    if seat.asked:
        return LampState.ASKED
    if seat.last:
        return LampState.LAST
    if seat.owes:
        return LampState.OWES
    if seat.called:
        return LampState.CALLED
    if seat.turn:
        return LampState.TURN
    return LampState.DARK


def brightness(state: LampState, now: int) -> tuple[float, int]:
    """Tell how bright a lamp is at this moment, and when that changes next."""
    rhythm = RHYTHMS[state]
    if rhythm.on == 0 or rhythm.off == 0:
        return (rhythm.level if rhythm.on else 0.0), FOREVER
    beat = rhythm.on + rhythm.off
    began = now - now % (rhythm.flashes * beat + rhythm.pause)
    flash = min((now - began) // beat, rhythm.flashes - 1)
    if now - began < flash * beat + rhythm.on:
        return rhythm.level, began + flash * beat + rhythm.on
    last = flash == rhythm.flashes - 1
    return 0.0, began + (flash + 1) * beat + (rhythm.pause if last else 0)


class Lamps:
    """Every lamp of the table, moved by one thread.

    A flash for a press inverts the lamp at once; it waits for no ruling and no disk.
    """

    def __init__(
        self,
        devices: Mapping[int, Any],
        clock: Callable[[], int] = time.monotonic_ns,
        errors: tuple[type[Exception], ...] = (),
    ) -> None:
        self._devices = dict(devices)
        self._clock = clock
        self._errors = errors
        self._states = dict.fromkeys(devices, LampState.DARK)
        self._light: LampScene | None = None
        self._flashes: dict[int, int] = {}
        self._tested: Sequence[Collection[int]] = ()
        self._tested_from = 0
        self._shown: dict[int, float] = {}
        self._lost: set[int] = set()
        self._changed = Condition()
        self._stopping = False
        self._thread = Thread(target=self._run, name="lamps", daemon=True)

    def start(self) -> None:
        """Begin to light them."""
        if self._devices:
            self._thread.start()

    def stop(self) -> None:
        """Turn every lamp off and give the pins back."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        for device in self._devices.values():
            device.close()

    def show(self, states: Mapping[int, LampState]) -> None:
        """Let every lamp say this from now on; one that is not named is dark."""
        self.play(LampScene(dict(states)))

    def play(self, scene: LampScene) -> None:
        """Show a scene; where it has a light, the lamps change at that moment by themselves."""
        with self._changed:
            self._states = self._known(scene.states)
            self._light = scene if scene.light_at is not None else None
            if self._light is not None:
                self._flashes.clear()
                self._tested = ()
            self._changed.notify()

    def flash(self, button: int) -> None:
        """Answer a press at once, except in the dark before a light."""
        with self._changed:
            if button in self._devices and self._light is None:
                self._flashes[button] = self._clock() + FLASH
                self._changed.notify()

    def test(self, turns: Sequence[Collection[int]]) -> int | None:
        """Light these lamps and no others, turn by turn; tell for how long.

        What they have to say goes on underneath. None in the dark before a light: nothing may be
        taken for it.
        """
        with self._changed:
            if self._light is not None:
                return None
            self._tested, self._tested_from = turns, self._clock()
            self._changed.notify()
            return len(turns) * TEST

    @property
    def states(self) -> dict[int, LampState]:
        """What each lamp says now."""
        with self._changed:
            return dict(self._states)

    @property
    def tested(self) -> frozenset[int]:
        """The lamps that a test lights now."""
        with self._changed:
            turn = self._turn(self._clock())
            return frozenset() if turn is None else frozenset(turn[0])

    @property
    def lost(self) -> frozenset[int]:
        """The lamps that could not be reached."""
        with self._changed:
            return frozenset(self._lost)

    def _known(self, states: Mapping[int, LampState]) -> dict[int, LampState]:
        return {button: states.get(button, LampState.DARK) for button in self._devices}

    def _run(self) -> None:
        with self._changed:
            while not self._stopping:
                now = self._clock()
                soonest = self._light_up(now)
                for button, device in self._devices.items():
                    level, until = self._level(button, now)
                    soonest = min(soonest, until)
                    if self._shown.get(button) != level:
                        self._shown[button] = level
                        self._light_one(button, device, level)
                self._changed.wait(max(0.001, (soonest - now) / 1e9))

    def _light_one(self, button: int, device: Any, level: float) -> None:
        """Set one lamp; one that cannot be reached must not darken the others."""
        try:
            device.value = level
        except self._errors as gone:
            if button not in self._lost:
                log.warning("The lamp of button %s cannot be reached: %s", button, gone)
            self._lost.add(button)

    def _light_up(self, now: int) -> int:
        """Change to what the light shows when its moment has come; tell when to look again."""
        light = self._light
        if light is None or light.light_at is None:
            return now + AT_REST
        if now < light.light_at:
            return min(light.light_at, now + LOOK_AGAIN)
        self._states, self._light = self._known(light.lit), None
        return now + LOOK_AGAIN

    def _level(self, button: int, now: int) -> tuple[float, int]:
        """Tell how bright a lamp is, with the answer to a press, and when that changes."""
        level, until = brightness(self._states[button], now)
        if (turn := self._turn(now)) is not None:
            level, until = float(button in turn[0]), turn[1]
        flash_until = self._flashes.get(button, 0)
        if now >= flash_until:
            return level, until
        return (0.0 if level > DIM else 1.0), min(until, flash_until)

    def _turn(self, now: int) -> tuple[Collection[int], int] | None:
        """Tell which lamps the test lights now, and until when."""
        at = (now - self._tested_from) // TEST
        if not 0 <= at < len(self._tested):
            return None
        return self._tested[at], self._tested_from + (at + 1) * TEST
