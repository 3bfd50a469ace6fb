"""Calls and catches: who called UNO when, who was caught, and what has to be asked (R13)."""

from __future__ import annotations

from msgspec import Struct

from companion.referee.evidence.catches.claims import Claims
from companion.referee.evidence.catches.free_catches import FreeCatches
from companion.referee.evidence.catches.refereed_catches import RefereedCatches
from companion.referee.evidence.catches.words import Words
from companion.referee.evidence.races.races import RacesRead
from companion.referee.evidence.scene import Scene
from companion.referee.model.questions import Asking
from companion.referee.model.table import Calls, Claim


class CallReading(Struct, frozen=True):
    """What was read of calls and catches."""

    calls: Calls
    claims: tuple[Claim, ...]
    asking: tuple[Asking, ...]


def read_calls(
    scene: Scene,
    races: RacesRead,
    since: int,
    heard_from: int,
) -> CallReading:
    """Read the calls and catches from this moment on; older catches stay as they were read.

    Presses are known from `heard_from` on.
    """
    words = Words(scene, races, heard_from)
    claims = Claims(scene.material, since, races.undecided)
    if scene.material.way == "refereed":
        refereed = RefereedCatches(scene, races.races, words, claims)
        refereed.read()
        window, closed, again = refereed.window, refereed.closed, refereed.press_again()
    else:
        words.catching |= {(claim.catch.seat, claim.catch.at) for claim in claims.read}
        free = FreeCatches(scene, words, claims, races.open_until)
        for named in scene.material.catches:
            if not claims.settled(named.number):
                free.take(named)
        window, closed, again = None, [], {}
    calls = words.standing(window, closed, again)
    return CallReading(calls, tuple(claims.read), tuple(claims.asking))
