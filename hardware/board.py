"""The board: a wiring and its pins brought to life, buttons in and lamps out."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from gpiozero import LED, PWMLED, TonalBuzzer
from msgspec import structs

from companion.referee.commands import PushButton
from hardware.contact.edges import HAND, HandLimits
from hardware.contact.listener import ContactLine, HandOver, Listener
from hardware.outputs.buzzer import Buzzer, tune_for
from hardware.outputs.lamps import TEST, Lamps, LampState, scene
from hardware.pins.buttons import BROKEN, ButtonLine
from hardware.pins.factories import NoPins, Pins, open_pins
from hardware.pins.huge_pages import no_huge_pages
from hardware.pins.simulated import SimulatedHands
from hardware.status import BoardStatus, ButtonStatus, MissingPart
from hardware.usb.encoders import Encoders
from hardware.wiring.wiring import HEADER_PIN, ButtonWiring, Wiring

Claimed = TypeVar("Claimed")

if TYPE_CHECKING:
    from companion.view.shape import View

log = logging.getLogger(__name__)

RACING = ("proposed", "running", "undecided", "slap_off")
"""In these states of a race a player may still be asked to slap."""
LONG = 25
"""A lamp that waits for an answer is lit for so many turns."""
ALONE = 3
"""A single lamp is lit for so many turns of a test."""


class Board:
    """The buttons, lamps and buzzer of one table.

    `hand_over` is called on the listener's thread with every report and must return at once;
    `on_touch` too, with what may become a push, a moment before it is known to be one.
    """

    def __init__(
        self,
        wiring: Wiring,
        hand_over: HandOver,
        *,
        on_touch: Callable[[PushButton], None] | None = None,
        hand: HandLimits = HAND,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.wiring = wiring
        self._clock = clock
        self.pins: Pins = open_pins(wiring)
        self.hands: SimulatedHands | None = None
        self._encoders: Encoders | None = None
        self._view: View | None = None
        self._chance = random.Random()
        self._without: list[MissingPart] = []
        try:
            self.lamps = Lamps(self._lamp_devices(), clock, (*BROKEN, *self.pins.errors))
            self.buzzer = Buzzer(self._buzzer_device())
            self.listener = Listener(
                {number: self._line(number, button) for number, button in self._numbered()},
                hand_over,
                on_press=self.lamps.flash,
                on_touch=on_touch,
                hand=hand,
                clock=clock,
            )
        except Exception:
            self.pins.close()
            raise
        if self.pins.simulated:
            self.hands = SimulatedHands(wiring, self.pins.factory, clock)

    def start(self) -> None:
        """Read the levels and begin to listen."""
        # The log of a table keeps warnings; that no real button can be pressed is one.
        log.log(
            logging.WARNING if self.pins.simulated else logging.INFO,
            "Pin factory %s (asked for %s). %s",
            self.pins.name,
            self.pins.asked,
            self.pins.sentence,
        )
        for remark in self._remarks():
            log.warning("%s", remark)
        if not self.pins.simulated:
            no_huge_pages()
        self.lamps.start()
        self.buzzer.start()
        self.listener.start()

    def stop(self) -> None:
        """Stop listening, turn the lamps off, give every line back."""
        self.pins.prepare_to_close()
        self.listener.stop()
        if self._encoders is not None:
            self._encoders.close()
        self.lamps.stop()
        self.buzzer.stop()
        self.pins.close()

    def show(self, view: View, offset: int = 0) -> None:
        """Let lamps and buzzer say what the view says.

        `offset` is by how much the table's time is ahead of the machine's clock.
        """
        self._excuse(view, offset)
        shown = scene(view, self.listener.contacts)
        if shown.light_at is not None:
            shown = structs.replace(shown, light_at=shown.light_at - offset)
        self.lamps.play(shown)
        before, self._view = self._view, view
        tune = tune_for(before, view)
        if tune is not None:
            self.buzzer.play(tune)

    def _excuse(self, view: View, offset: int) -> None:
        """Let hands stay on their buttons while a race is on, or after it has used their press."""
        race = view.race
        slaps = () if race is None else race.slaps
        buttons = {seat.number: seat.button for seat in view.seats}
        self.listener.excuse(
            racing=race is not None and race.state in RACING,
            slaps={
                button: slap.at - offset
                for slap in slaps
                if (button := buttons.get(slap.seat)) is not None
            },
        )

    def test_lamps(self, button: int | None = None) -> int | None:
        """Light one lamp after the other, then all; or one alone. Tell for how many nanoseconds.

        None where there is no such lamp, and in the dark of a slap-off.
        """
        numbers = list(self.lamps.states)
        if button is not None:
            return self.lamps.test([[button]] * ALONE) if button in numbers else None
        return self.lamps.test([*([number] for number in numbers), numbers]) if numbers else None

    def light_later(self, button: int | None) -> int | None:
        """Light one lamp alone at a moment drawn by chance; tell when that will be.

        None puts all out, and is told where no lamp may be lit now.
        """
        if button is None:
            self.lamps.test([])
            return None
        dark = self._chance.randint(3, 8)
        now = self._clock()
        lit = self.lamps.test([*([()] * dark), *([[button]] * LONG)])
        return None if lit is None else now + dark * TEST

    def status(self) -> BoardStatus:
        """Tell how every button is."""
        lamps, tested, lost = self.lamps.states, self.lamps.tested, self.lamps.lost
        return BoardStatus(
            factory=self.pins.name,
            asked=self.pins.asked,
            simulated=self.pins.simulated,
            listening=self.listener.alive,
            sentence=self.pins.sentence,
            remarks=self._remarks(),
            at=self._clock(),
            buttons=tuple(
                self._button_status(number, button, lamps, tested, lost)
                for number, button in self._numbered()
            ),
            buzzer=self.wiring.buzzer is not None,
            tried=self.pins.remarks,
            without=tuple(self._without),
            lateness=None if self.pins.lateness is None else self.pins.lateness.bound,
        )

    def _remarks(self) -> tuple[str, ...]:
        return (*self.pins.remarks, *map(str, self._without), *self.wiring.remarks())

    def _button_status(
        self,
        number: int,
        button: ButtonWiring,
        lamps: Mapping[int, LampState],
        tested: Collection[int],
        lost: Collection[int],
    ) -> ButtonStatus:
        contact = self.listener.contacts[number]
        record = contact.record
        return ButtonStatus(
            number=number,
            name=button.name,
            place=button.place,
            spare=button.spare,
            down=contact.level,
            presses=record.presses,
            last_press=record.last_press,
            uncertainty=record.last_uncertainty,
            bounces=record.last_bounces,
            bounce=record.spans[-1] if record.spans else 0,
            typical_bounce=record.typical_bounce,
            typical_dwell=record.typical_dwell,
            flickers=record.flickers,
            gaps=record.gaps,
            fault=contact.fault,
            lamp=lamps[number].value if number in lamps else None,
            source=contact.dating.source,
            pin=button.pin,
            header=button.header,
            usb=button.usb,
            key=button.key,
            lamp_pin=button.lamp if number in lamps else None,
            lamp_header=HEADER_PIN.get(button.lamp) if number in lamps and button.lamp else None,
            lamp_tested=number in tested,
            lamp_lost=number in lost,
        )

    def _numbered(self) -> list[tuple[int, ButtonWiring]]:
        return list(enumerate(self.wiring.buttons, start=1))

    def _line(self, number: int, button: ButtonWiring) -> ContactLine:
        if button.usb is not None and button.key is not None:
            if self._encoders is None:
                self._encoders = Encoders()
            return self._encoders.line(number, button.usb, button.key)
        assert button.pin is not None
        return self._claimed(
            f"the button of {button.name}",
            button.pin,
            lambda pin: ButtonLine(
                number,
                pin,
                factory=self.pins.factory,
                dating=self.pins.dating,
                date=self.pins.date,
                drain=self.pins.drain,
                pull=self.wiring.pull,
                pressed=self.wiring.pressed,
                errors=self.pins.errors,
            ),
        )

    def _lamp_devices(self) -> dict[int, Any]:
        kind = self.wiring.lamps
        if kind == "none" or (kind == "auto" and not self.pins.simulated):
            return {}
        if kind == "pwm" and self.pins.missing:
            self._without.append(MissingPart("shades", self.pins.missing))
            kind = "led"
        device = PWMLED if kind == "pwm" else LED
        factory = (self.pins.output if kind == "pwm" else None) or self.pins.factory
        lit_high = self.wiring.lamp_lit == "high"
        claimed = {
            number: self._ornament(
                f"the lamp of {button.name}",
                button.lamp,
                lambda pin: device(pin, active_high=lit_high, pin_factory=factory),
                MissingPart("lamp", number=number, name=button.name),
            )
            for number, button in self._numbered()
            if button.lamp is not None
        }
        return {number: lamp for number, lamp in claimed.items() if lamp is not None}

    def _buzzer_device(self) -> Any | None:
        if self.wiring.buzzer is None:
            return None
        if self.pins.missing:
            self._without.append(MissingPart("buzzer", self.pins.missing))
            return None
        factory = self.pins.output or self.pins.factory
        return self._ornament(
            "the buzzer",
            self.wiring.buzzer,
            lambda pin: TonalBuzzer(pin, octaves=2, pin_factory=factory),
            MissingPart("buzzer"),
        )

    def _ornament(
        self, name: str, pin: int, claim: Callable[[int], Claimed], otherwise: MissingPart
    ) -> Claimed | None:
        """Claim a pin for something that the table can play without; say what it goes without."""
        try:
            return self._claimed(name, pin, claim)
        except NoPins as why:
            self._without.append(structs.replace(otherwise, why=str(why).removesuffix(".")))
            return None

    def _claimed(self, name: str, pin: int, claim: Callable[[int], Claimed]) -> Claimed:
        """Claim a pin, or name what cannot have it."""
        try:
            return claim(pin)
        except (*BROKEN, *self.pins.errors) as why:
            raise NoPins(f"GPIO {pin} cannot be used for {name}: {why}.") from why
