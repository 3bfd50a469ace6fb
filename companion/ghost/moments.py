"""The durations of the table as the ghost knows them, and the hands that it has seen."""

from __future__ import annotations

from msgspec import Struct, structs

MILLISECOND = 1_000_000
SECOND = 1_000 * MILLISECOND
NEVER = 1 << 62

HOLD = 700 * MILLISECOND
LOOK_BACK = 1 * SECOND
LOOK_BACK_TABLET = 4 * SECOND
LIMIT = 10 * SECOND
SETTLE = 300 * MILLISECOND
COOLDOWN = 3 * SECOND
SWITCH = 1 * MILLISECOND
TABLET_DOUBT = 50 * MILLISECOND
DARK = (1500 * MILLISECOND, 5 * SECOND)

REMEMBERED = 20 * SECOND
"""A push older than this explains nothing any more."""


class Push(Struct, frozen=True):
    """One push of a seat's button, with the doubt about its date."""

    seat: int
    at: int
    doubt: int
    screen: bool = False
    """Whether it was made on a screen, for a button that could not be used."""
    released: int | None = None

    @property
    def key(self) -> tuple[int, int]:
        """Whose push it was and when: that never changes."""
        return self.seat, self.at


def together(one: Push, other: Push) -> bool:
    """Whether nobody can tell which of two pushes came first."""
    return abs(one.at - other.at) <= one.doubt + other.doubt + SWITCH


class Gap(Struct, frozen=True):
    """A span in which pushes of these seats may have gone unseen; no seats means all."""

    since: int
    until: int
    seats: tuple[int, ...] = ()


class Heard(Struct, frozen=True):
    """A push, what it was taken for, and whether it belongs to a race or was made in one."""

    push: Push
    meaning: str
    raced: bool = False


class Night(Struct):
    """What hands did, which buttons are broken, and which seat waits for one."""

    heard: list[Heard] = []
    gaps: list[Gap] = []
    aside: dict[int, str] = {}
    awaiting: int | None = None

    def copy(self) -> Night:
        """Remember the night so far."""
        return structs.replace(self, heard=[*self.heard], gaps=[*self.gaps], aside={**self.aside})

    def hear(self, push: Push, meaning: str, *, in_race: bool) -> None:
        """Remember a push."""
        self.heard = [h for h in self.heard if h.push.at > push.at - REMEMBERED]
        self.heard.append(Heard(push, meaning, in_race))

    def since(self, at: int) -> tuple[Push, ...]:
        """The pushes from a moment on that could be hands in a race."""
        return tuple(
            h.push for h in self.heard if h.push.at >= at and h.meaning != "served as a call"
        )

    def race_with(self, pushes: tuple[Push, ...]) -> None:
        """Mark pushes as the hands of a race."""
        keys = {push.key for push in pushes}
        self.heard = [
            structs.replace(h, raced=True) if h.push.key in keys else h for h in self.heard
        ]

    def served(self, call: Push) -> None:
        """The call that a window took has done its service, and can be no hand in a race."""
        self.heard = [
            structs.replace(h, meaning="served as a call") if h.push.key == call.key else h
            for h in self.heard
        ]

    def release(self, seat: int, pressed: int, at: int) -> bool:
        """Note that a button was let go; tell whether its push was known."""
        known = False
        for place, h in enumerate(self.heard):
            if h.push.key == (seat, pressed):
                self.heard[place] = structs.replace(h, push=structs.replace(h.push, released=at))
                known = True
        return known

    def down(self, push: Push) -> bool:
        """Whether the button of this push has not been let go."""
        return any(h.push.key == push.key and h.push.released is None for h in self.heard)
