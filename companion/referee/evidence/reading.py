"""Read all the evidence of a round: the one place that says what presses mean."""

from __future__ import annotations

from msgspec import Struct

from companion.referee.deadlines import next_due
from companion.referee.evidence.bunches import Hands
from companion.referee.evidence.calls import read_calls
from companion.referee.evidence.material import Material
from companion.referee.evidence.races import read_races, without_slap_offs
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import touches
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import SECOND, Timing
from companion.referee.model.questions import AnsweredByPress, Asking
from companion.referee.model.table import Calls, Claim, Evidence, Match, Race, Round

FRESH = 5 * SECOND
"""How much longer than any duration of the game something may still be on its way."""


class Reading(Struct, frozen=True):
    """What the evidence says at one moment."""

    races: tuple[Race, ...]
    claims: tuple[Claim, ...]
    calls: Calls
    asking: tuple[Asking, ...]
    answered: tuple[AnsweredByPress, ...] = ()


def read(
    material: Material,
    house: HouseRules,
    timing: Timing,
    now: int,
    since: int | None = None,
) -> Reading:
    """Read the evidence as it is known at this moment.

    What is settled is not read again: whatever lies before the reach of any record that may still
    come stays as it was read. `since` reads everything from an earlier moment on, after something
    old was changed; the beginning of the round reads all of it.
    """
    if since is None:
        since = open_since(material, timing, now) - timing.look_back
    heard_from = since - timing.look_back - timing.call_lead - timing.restless
    hands = Hands(touches(material, timing, heard_from, now))
    scene = without_slap_offs(Scene(material, hands, hands, hands, house, timing, now))
    races = read_races(scene, since)
    calls = read_calls(scene, races, since, heard_from)
    asking = (*races.asking, *calls.asking)
    return Reading(races.races, calls.claims, calls.calls, asking, races.answered)


def turn_matters(match: Match, round_: Round, evidence: Evidence, timing: Timing, now: int) -> bool:
    """Whether the latest turn can change what hands mean; most only move the turn on.

    It can where it laid a race, or begins or ends the time to catch somebody; where hands came or
    something was ruled since the turn before; and where something is open, or a call is spent or
    too old to be shown.
    """
    turn, before = round_.turns[-1], round_.turns[-2:-1]
    if turn.left == 1 or (turn.card is not None and turn.card == match.edition.race_card):
        return True
    if not before or before[0].left == 1 or match.house.hands_stay_down:
        return True
    if round_.questions or next_due(round_) is not None:
        return True
    since = before[0].at
    if any(runs[-1][-1].at >= since for runs in evidence.presses.values()):
        return True
    if any(since < ruling.at < now for ruling in match.rulings[-4:]):
        return True
    return any(
        at < now - timing.look_back or at <= round_.drew_at.get(seat, (-1,))[-1]
        for seat, at in round_.calls.called.items()
    )


def open_since(material: Material, timing: Timing, now: int) -> int:
    """The moment from which on records may still be judged otherwise than they were."""
    recent = now - timing.race_limit - FRESH
    lit = {n.number for n in material.named if n.lights and n.lights[-1].deadline >= recent}
    busy = (
        race.anchor
        for race in material.races
        if race.state in ("running", "slap_off", "proposed") or race.record in lit
    )
    pointed = (n.anchor for n in material.named[-8:] if n.at >= recent and n.anchor is not None)
    pending = (claim.catch.at for claim in material.claims if claim.due is not None)
    return min((recent, *busy, *pointed, *pending))
