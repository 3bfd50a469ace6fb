"""The record of a race: made where there is none yet, and given a light for a slap-off."""

from __future__ import annotations

from msgspec.structs import replace

from companion.referee.draft import Draft
from companion.referee.model.table import NamedRace, Race, SlapOffLight


def record_of(draft: Draft, race: Race) -> NamedRace:
    """The record of a race, to be decided about; one that the table saw by itself gets one now.

    From then on a person stands for it, whatever the press that had named it was.
    """
    for named in draft.round.named:
        if named.number == race.record:
            return replace(named, answer=None)
    return NamedRace(draft.record_number(), draft.now.at, race.layer, race.how, anchor=race.anchor)


def new_light(draft: Draft, seats: tuple[int, ...]) -> SlapOffLight:
    """Let these slap again at a light whose moment is drawn by lot."""
    timing, now = draft.timing, draft.now
    span = max(1, timing.slap_off_most - timing.slap_off_least)
    light_at = now.at + timing.slap_off_least + now.luck * 1_000_003 % span
    return SlapOffLight(seats, now.at, light_at, light_at + timing.race_limit)
