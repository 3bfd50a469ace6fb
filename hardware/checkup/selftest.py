"""The check for the person with the screwdriver: is every button heard, and are they alike.

The page, the terminal and the report all show what is found here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Literal

from msgspec import Struct, structs

from hardware.checkup.light_trial import Lights
from hardware.contact.edges import MILLISECOND
from hardware.status import BoardStatus, ButtonStatus
from hardware.wiring.wiring import SharedPin

ENOUGH = 5
"""So many pushes of each button make a comparison worth something."""
COMPARED = 3
"""So many buttons are needed to say which of them is the odd one, at a table that has as many."""
TIMES_AS_MUCH = 3
BOUNCE_MARGIN = 2 * MILLISECOND
DWELL_MARGIN = 60 * MILLISECOND

Why = Literal["asked", "best", "second", "no_pi", "no_pins"]
Trait = Literal["bounce", "dwell"]
DOES = {"bounce": "bounces", "dwell": "stays down"}


class UnlikeButton(Struct, frozen=True):
    """A button that is unlike the others, and by how much, in nanoseconds."""

    button: int
    name: str
    trait: Trait
    value: int
    others: int

    def __str__(self) -> str:
        """Name the button, the difference and what to look at."""
        return (
            f"{self.name} {DOES[self.trait]} for {milliseconds(self.value)}, the others for about "
            f"{milliseconds(self.others)}: look at its switch and its wires."
        )


class Fairness(Struct, frozen=True):
    """What a comparison of the contacts has shown so far."""

    verdict: Literal["unknown", "alike", "odd"]
    odd: tuple[UnlikeButton, ...]
    wanting: tuple[int, ...]
    """The buttons that were not pushed often enough to be compared."""
    enough: int = ENOUGH
    compared: int = COMPARED


class WalkProgress(Struct, frozen=True):
    """How far the walk has come that presses every button once."""

    heard: tuple[int, ...]
    silent: tuple[int, ...]
    broken: tuple[int, ...]
    """The buttons that are set aside now, heard or not."""

    @property
    def passed(self) -> bool:
        """Whether every button was heard and none is broken."""
        return not self.silent and not self.broken


class Check(BoardStatus, frozen=True, kw_only=True):
    """Everything there is to know about the buttons and lamps of a table."""

    why: Why
    """Why this pin factory and no other."""
    shared: tuple[SharedPin, ...]
    lamps: bool
    walk: WalkProgress
    passed: bool
    fairness: Fairness
    checking: bool = False
    """Whether presses mean nothing at the table, because the buttons are being checked."""
    lights: Lights | None = None
    """The trial in which everybody presses the one that is lit, if there was one."""


class ButtonWalk:
    """A walk around the table, on which every button is pressed once."""

    def __init__(self, status: BoardStatus) -> None:
        self._before = {button.number: button.presses for button in status.buttons}

    def walked(self, status: BoardStatus) -> WalkProgress:
        """Tell which buttons were pressed since the walk began."""
        heard: list[int] = []
        silent: list[int] = []
        for button in status.buttons:
            # Fewer than before: the table was started again, and counts from nothing.
            before = min(self._before.get(button.number, 0), button.presses)
            self._before[button.number] = before
            (heard if button.presses > before else silent).append(button.number)
        broken = tuple(button.number for button in status.buttons if button.fault is not None)
        return WalkProgress(tuple(heard), tuple(silent), broken)


def check(
    status: BoardStatus,
    walk: ButtonWalk,
    shared: tuple[SharedPin, ...] = (),
    *,
    checking: bool = False,
    lights: Lights | None = None,
) -> Check:
    """Judge what the board tells of itself."""
    walked = walk.walked(status)
    return Check(
        **structs.asdict(status),
        why=why(status),
        shared=shared,
        lamps=any(button.lamp is not None for button in status.buttons),
        walk=walked,
        passed=walked.passed and status.listening,
        fairness=fairness(status.buttons),
        checking=checking,
        lights=lights,
    )


def why(status: BoardStatus) -> Why:
    """Tell why this factory was taken."""
    if status.factory == "usb":
        return "no_pins"
    if status.asked != "auto":
        return "asked"
    if status.factory == "simulated":
        return "no_pi"
    return "best" if status.factory == "gpiod" else "second"


def fairness(buttons: Sequence[ButtonStatus]) -> Fairness:
    """Compare the contacts, and name a button that bounces or dwells unlike the others."""
    pushed = [button for button in buttons if button.presses >= ENOUGH]
    wanting = tuple(b.number for b in buttons if b.presses < ENOUGH and b.fault is None)
    if len(pushed) < max(2, min(COMPARED, len(buttons))):
        return Fairness("unknown", (), wanting)
    odd = (
        *_odd(pushed, "bounce", [b.typical_bounce for b in pushed], BOUNCE_MARGIN),
        *_odd(pushed, "dwell", [b.typical_dwell for b in pushed], DWELL_MARGIN),
    )
    return Fairness("odd" if odd else "alike", odd, wanting)


def _odd(
    buttons: Sequence[ButtonStatus], trait: Trait, values: Sequence[int], margin: int
) -> Iterable[UnlikeButton]:
    for button, value in zip(buttons, values, strict=True):
        others = median(v for b, v in zip(buttons, values, strict=True) if b is not button)
        if value - others > margin and value > TIMES_AS_MUCH * others:
            yield UnlikeButton(button.number, button.name, trait, value, int(others))


def milliseconds(nanoseconds: float) -> str:
    """Write a duration as the terminal and the report do."""
    return f"{nanoseconds / MILLISECOND:.2f} ms"
