"""Staleness: a tap is refused when what it relied on has changed since its screen was drawn.

Each event declares which aspects of the table it touches, and each command on which it relies
(`events.py`, `commands.py`). Presses touch none, and two screens that count different hands do not
get into each other's way. A race is read again with each hand that lands, so no tap about it is
refused for that. Another race makes it stale, or what somebody else said of it, and its ruling if
the tap is about a tie; who names a race that the table has just seen by itself means the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import asdict

from companion.common.refusals import service_refusal
from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.model.rulings import Ruling
from companion.referee.sentences import Sentence, also_say, say

Aspects = frozenset[str]

ENGLISH: dict[str, str] = {
    "changed.undone": "taken back: {step}",
    "changed.redone": "done again: {step}",
    "changed.match_started": "match {number} began",
    "changed.race_declared": "a Street Race was declared",
    "changed.race_settled": "the Street Race was judged",
    "changed.seat_taken": "{name} sat down",
    "changed.button_assigned": "seat {seat} has button {button} now",
    "changed.round_ended": "seat {seat} went out",
    "changed.otherwise": "the table changed",
}
"""What happened, as a part of the refusal's sentence."""
also_say(ENGLISH)


def refuse_stale(
    command: c.Command, version: int, current: int, missed: Sequence[e.Event] | None
) -> None:
    """Raise a refusal if the table has changed in a way that matters to this command.

    `missed` are the events since that version; None when that is too long ago to tell.
    """
    if version > current:
        raise service_refusal("version_ahead", version=version, current=current)
    relied = relies_on(command)
    if not relied:
        return
    if missed is None:
        raise service_refusal("stale_for_long", version=version, current=current)
    step: Sentence | None = None
    for event in missed:
        if isinstance(event, e.StepTaken):
            step = event.label
        touched = touches(event)
        if e.EVERYTHING in touched or touched & relied:
            changed = step if step is not None else in_words(event)
            raise service_refusal("stale", changed=changed, version=version, current=current)


def touches(event: e.Event) -> Aspects:
    """Tell which aspects of the table an event changes."""
    return _filled(event.touches(), event)


def relies_on(command: c.Command) -> Aspects:
    """Tell which aspects must still be as the sender saw them."""
    return _filled(command.relies_on, command)


def _filled(aspects: Iterable[str], source: Struct) -> Aspects:
    """Put fields into the declared aspects; what names nothing is no aspect."""
    filled = (aspect.format_map(asdict(source)) for aspect in aspects)
    return frozenset(aspect for aspect in filled if not aspect.endswith(" None"))


def in_words(event: e.Event) -> Sentence:
    """Say what happened where no step says it."""
    match event:
        case e.Undone(label=label) | e.PressesDismissed(label=label):
            return say("changed.undone", step=label)
        case e.Redone(label):
            return say("changed.redone", step=label)
        case e.MatchStarted(match=number):
            return say("changed.match_started", number=number)
        case e.RaceNamed() | e.RaceRead():
            return say("changed.race_declared")
        case e.RulingGiven(ruling=Ruling(rule="R12")):
            return say("changed.race_settled")
        case e.RulingOverruled(ruling=Ruling(rule="R12")):
            return say("changed.race_settled")
        case e.SeatTaken(player=player):
            return say("changed.seat_taken", name=(player,))
        case e.ButtonAssigned(seat, button):
            return say("changed.button_assigned", seat=seat, button=button)
        case e.RoundEnded(seat):
            return say("changed.round_ended", seat=seat)
        case _:
            return say("changed.otherwise")
