"""Everything that is played on kernel lines, act by act, from one seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from hardware.contact.edges import HAND
from hardware.contact.listener import MUTED, POLL
from tests.kernel.races import (
    BOUNCE,
    PINS,
    SECOND,
    Race,
    bouncing_race,
    crowd,
    greeting,
    hold,
    lift,
    plain_race,
    race_beside_faults,
    single_push,
    spread_race,
    stalled_race,
)

FACTORIES = ("gpiod", "lgpio")
LOADS: dict[str, tuple[int, bool]] = {
    "idle": (0, False),
    "loaded": (2, False),
    "busy": (0, True),
}
"""Burning processes beside the program, and whether its own interpreter is kept busy."""
CONTROLS = (
    ("when_pressed", "idle"),
    ("when_pressed", "loaded"),
    ("when_pressed", "busy"),
    ("wait_for_press", "busy"),
)
"""The obvious ways of hearing who was first, and under which load they are tried."""
LAMPS = ("led", "pwm")
CHIPS: dict[str, tuple[str, ...]] = {
    "Pi 3": ("pinctrl-bcm2835", "raspberrypi-exp-gpio"),
    "Pi 4": ("pinctrl-bcm2711", "raspberrypi-exp-gpio"),
    "Pi 5": ("gpio-brcmstb@107d508500", "gpio-brcmstb@107d517c00", "pinctrl-rp1"),
}
"""The labels of each Pi's chips, in the order of their numbers."""
GREETINGS = 8
STUCK, NOISY, CHATTERING, HONEST = 1, 2, 3, 10
CALM = (MUTED + POLL + HAND.calm) / SECOND + 0.5
"""A noisy line is muted for a while, and what is not heard is no rest: only then begins its own."""
LATE_CALLS = 0.12
BETWEEN = HAND.recoil / SECOND + 0.03
"""Nobody comes back to a button sooner than a contact may bounce from its release."""


class Scene(Struct, frozen=True):
    """Races played one after the other, with a rest after each."""

    name: str
    races: list[Race]
    pause: float = BETWEEN


class Act(Struct, frozen=True):
    """Scenes played in front of one program."""

    name: str
    setting: dict[str, Any]
    scenes: list[Scene]
    program: str = "table"
    burners: int = 0
    down: tuple[int, ...] = ()
    after: float = 0.3

    def played(self) -> dict[str, Any]:
        """Spell the act out for the machine."""
        return {
            "name": self.name,
            "program": self.program,
            "setting": self.setting,
            "pins": PINS,
            "burners": self.burners,
            "down": [PINS[button - 1] for button in self.down],
            "after": self.after,
            "scenes": [
                {
                    "name": scene.name,
                    "pause": scene.pause,
                    "races": [race.moves for race in scene.races],
                    "noted": [
                        sorted(place for places in race.contacts.values() for place in places)
                        for race in scene.races
                    ],
                }
                for scene in self.scenes
            ],
        }

    def scene(self, name: str) -> Scene:
        """Find a scene by its name."""
        return next(scene for scene in self.scenes if scene.name == name)


def two_processor_acts(races: int, seed: int) -> list[Act]:
    """Plan what is played on two processors, with a few more plain races than asked for.

    A machine that is emulated on a busy computer spoils one now and then.
    """
    each = -(-races * 115 // 100 // (len(FACTORIES) * len(LOADS)))
    few = max(24, min(each // 2, 200))
    acts: list[Act] = []
    for factory in FACTORIES:
        for load in LOADS:
            # The same seed for both factories and the control: all are judged on the same races.
            chance = random.Random(f"{seed} {load}")
            scenes = [
                _greetings(),
                Scene("plain", _some(plain_race, chance, each)),
                Scene("crowd", _some(crowd, chance, few // 2)),
                Scene("spread", _some(spread_race, chance, few // 2)),
            ]
            acts.append(_table(f"{factory} {load}", factory, load, scenes))
        acts.append(_bouncing(factory, few, seed))
        acts.append(_stall(factory, seed))
        acts.append(_faults(factory, seed))
    for way, load in CONTROLS:
        same = random.Random(f"{seed} {load}")
        plain = _some(plain_race, same, max(30, each))[: max(30, each // 4)]
        # Calls that come late are given the time to come, so that only their order counts.
        scenes = [
            Scene("plain", plain, pause=LATE_CALLS),
            Scene("crowd", _some(crowd, same, few // 2), pause=LATE_CALLS),
        ]
        acts.append(_control(f"{way} {load}", load, scenes, threads=way == "wait_for_press"))
    chance = random.Random(f"{seed} bounce")
    bouncing = [Scene("bouncing", _some(bouncing_race, chance, few), pause=LATE_CALLS)]
    acts.append(_control("bounce_time", "idle", bouncing, bounce_time=0.005))
    acts.append(Act("usb", setting={"pushes": 12}, scenes=[], program="usb"))
    acts += [_lamps(factory, kind) for factory in FACTORIES for kind in LAMPS]
    acts += [_chips(factory, pi) for factory in FACTORIES for pi in CHIPS]
    return acts


def soak_acts(races: int, seed: int) -> list[Act]:
    """Plan races at our own table only, for a run that is all about how many they are."""
    acts = two_processor_acts(races, seed)
    return [act for act in acts if act.program == "table" and not act.down]


def repeatable_acts(races: int, seed: int) -> list[Act]:
    """Plan what is played in repeatable time: contacts that bounce, always to be judged right."""
    acts = []
    for factory in FACTORIES:
        chance = random.Random(f"{seed} repeatable")
        scenes = [_greetings(BOUNCE), Scene("bouncing", _some(bouncing_race, chance, races))]
        acts.append(_table(factory, factory, "idle", scenes))
    chance = random.Random(f"{seed} repeatable")
    bouncing = [Scene("bouncing", _some(bouncing_race, chance, races))]
    acts.append(_control("bounce_time", "idle", bouncing, bounce_time=0.005))
    return acts


def by_name(acts: list[Act]) -> Mapping[str, Act]:
    """Find acts by name."""
    return {act.name: act for act in acts}


def _some(make: Callable[[random.Random], Race], chance: random.Random, count: int) -> list[Race]:
    return [make(chance) for _ in range(count)]


def _table(name: str, factory: str, load: str, scenes: list[Scene]) -> Act:
    burners, busy = LOADS[load]
    setting = {"pins": PINS, "factory": factory, "pull": "up", "busy": busy}
    return Act(name, setting, scenes, burners=burners)


def _control(
    name: str,
    load: str,
    scenes: list[Scene],
    *,
    bounce_time: float | None = None,
    threads: bool = False,
) -> Act:
    burners, busy = LOADS[load]
    setting = {"pins": PINS, "bounce_time": bounce_time, "busy": busy, "threads": threads}
    return Act(name, setting, scenes, program="control", burners=burners)


def _greetings(bounce: int = 0, but: int | None = None) -> Scene:
    chance = random.Random(bounce)
    return Scene("greetings", [greeting(chance, bounce, but) for _ in range(GREETINGS)])


def _bouncing(factory: str, count: int, seed: int) -> Act:
    chance = random.Random(f"{seed} bounce")
    scenes = [
        _greetings(BOUNCE),
        Scene("bouncing", _some(bouncing_race, chance, count), pause=0.08),
        Scene("holds", _some(hold, chance, 3)),
    ]
    return _table(f"{factory} bouncing", factory, "idle", scenes)


def _lamps(factory: str, kind: str) -> Act:
    setting = {"factory": factory, "lamps": kind, "buzzer": kind == "pwm"}
    return Act(f"{factory} {kind}", setting, [], program="lamps")


def _chips(factory: str, pi: str) -> Act:
    setting = {"factory": factory, "pi": pi, "labels": CHIPS[pi]}
    return Act(f"{factory} {pi}", setting, [], program="chips")


def _stall(factory: str, seed: int) -> Act:
    chance = random.Random(f"{seed} stall")
    scenes = [
        _greetings(),
        Scene("stalls", _some(stalled_race, chance, 4), pause=0.5),
    ]
    return _table(f"{factory} stall", factory, "idle", scenes)


def _faults(factory: str, seed: int) -> Act:
    chance = random.Random(f"{seed} faults")
    beside = [race_beside_faults(chance, NOISY, CHATTERING) for _ in range(3)]
    return Act(
        f"{factory} faults",
        # Setting a bias again moves a simulated line, which no real one does; so there is none.
        {"pins": PINS, "factory": factory, "pull": "none", "busy": False},
        [
            _greetings(but=STUCK),
            Scene("beside", beside, pause=0.2),
            Scene("calm", [lift(STUCK)], pause=CALM),
            Scene("once more", [single_push(n) for n in (STUCK, NOISY, CHATTERING)], pause=0.3),
            # The emulation may spoil a push; whoever is not back by then presses again.
            Scene("calm again", [single_push(HONEST)], pause=CALM),
            Scene("and again", [single_push(n) for n in (STUCK, NOISY, CHATTERING)], pause=0.3),
            Scene("back", [single_push(n) for n in (STUCK, NOISY, CHATTERING)], pause=0.2),
        ],
        down=(STUCK,),
    )
