"""Read all the evidence of a round: the one place that says what presses mean."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.referee.evidence.catches.calls import read_calls
from companion.referee.evidence.material import Material, dismiss
from companion.referee.evidence.races.bunches import AGAIN, Hands
from companion.referee.evidence.races.races import read_races
from companion.referee.evidence.races.used_hands import without_slap_offs
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import touches
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import SECOND, Timing
from companion.referee.model.questions import AnsweredByPress, Asking, Question
from companion.referee.model.table import Calls, Claim, NamedRace, Race

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
    *,
    races_since: int | None = None,
) -> Reading:
    """Read the evidence as it is known at this moment.

    What is settled is not read again: whatever lies before the reach of any record that may still
    come stays as it was read. `since` reads everything from an earlier moment on, after something
    old was changed; the beginning of the round reads all of it. `races_since` leaves the races
    before a later moment as they are, where nothing has changed that they are read from.
    """
    if since is None:
        since = open_since(material, timing, now) - timing.look_back
    heard_from = since - timing.look_back - timing.call_lead - timing.restless
    pair = timing.catch_most if material.way == "refereed" else AGAIN
    hands = Hands(touches(material, timing, heard_from, now), pair)
    scene = without_slap_offs(Scene(material, hands, hands, hands, house, timing, now))
    races = read_races(scene, since if races_since is None else races_since)
    calls = read_calls(scene, races, since, heard_from)
    asking = (*races.asking, *calls.asking)
    return Reading(races.races, calls.claims, calls.calls, asking, races.answered)


def still_answers(
    material: Material, house: HouseRules, timing: Timing, now: int, named: NamedRace
) -> bool:
    """Whether the press that named a race would be read as the answer by all that is known now.

    A later tap that names the same layer says nothing against it: it may be about another race.
    """
    assert named.answer is not None
    without = without_answer(material, named, named.answer.question)
    others = (one for one in without.named if (one.layer, one.at > named.at) != (named.layer, True))
    without = replace(without, named=tuple(others))
    reading = read(without, house, timing, now, named.answer.question.at - timing.look_back)
    return any(answered.press == named.answer.press for answered in reading.answered)


def without_answer(material: Material, named: NamedRace, question: Question) -> Material:
    """The material as if no press had named this race: its question is open."""
    assert named.answer is not None
    return replace(
        material,
        evidence=dismiss(material.evidence, (named.answer.press,), None),
        named=tuple(other for other in material.named if other != named),
        questions=(*material.questions, question),
    )


def open_since(material: Material, timing: Timing, now: int) -> int:
    """The moment from which on records may still be judged otherwise than they were.

    A race that was named lately may have other hands, from as far back as its record reaches.
    """
    recent = now - timing.race_limit - FRESH
    lit = {n.number for n in material.named if n.lights and n.lights[-1].deadline >= recent}
    busy = (
        race.anchor
        for race in material.races
        if race.state in ("running", "slap_off", "proposed") or race.record in lit
    )
    fresh = (n.at - timing.look_back for n in material.named[-8:] if n.at >= recent)
    pointed = (n.anchor for n in material.named[-8:] if n.at >= recent and n.anchor is not None)
    pending = (claim.catch.at for claim in material.claims if claim.due is not None)
    return min((recent, *busy, *fresh, *pointed, *pending))
