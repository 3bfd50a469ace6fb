"""Races that only hands show: in free play, and proposed as long as somebody has to say more."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.referee.evidence.races.bunches import Bunch
from companion.referee.evidence.races.racing import read_race
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.model.questions import AnsweredByPress, Asking, Question, QuestionKind
from companion.referee.model.table import NamedCatch, Race


class Proposal(Struct, frozen=True):
    """A race as it is shown meanwhile, what is asked about it, and the press that answered."""

    race: Race
    asking: Asking | None
    answered: AnsweredByPress | None


def may_show(scene: Scene, bunch: Bunch) -> bool:
    """Whether hands alone may be a race: only in free play, with three or more players."""
    material = scene.material
    over = material.ended is not None and bunch.start >= material.ended
    free = material.way == "free" and material.raced and len(material.seats) >= 3
    return free and not over and not bunch.denied and not _was_a_catch(scene, bunch)


def _was_a_catch(scene: Scene, bunch: Bunch) -> bool:
    """Whether two hands were a call and a catch: somebody said so on the tablet.

    Of three players, two that came as close together as slaps do are asked about all the same.
    """
    like_slaps = len(scene.material.seats) == 3 and bunch.spread <= scene.timing.settle
    return (
        len(bunch.slaps) == 2
        and not like_slaps
        and any(_is_about(named, bunch, scene) for named in scene.material.catches)
    )


def _is_about(named: NamedCatch, bunch: Bunch, scene: Scene) -> bool:
    """Whether these are the hands of the caught player and of the catcher, if one is named."""
    since = named.at - scene.timing.catch_look_back
    named_too = named.by is None or named.by in bunch.slaps
    return named.seat in bunch.slaps and named_too and since <= bunch.start <= named.at


def question_about(scene: Scene, bunch: Bunch) -> Question | None:
    """The question about these hands as people see it, or have seen it until lately."""
    shown = (*scene.material.questions, *reversed(scene.material.lapsed))
    return next((question for question in shown if question.about == _about(bunch)), None)


def propose(
    scene: Scene, bunch: Bunch, layers: tuple[int, ...], answer: Touch | None
) -> Proposal | None:
    """Too little to be sure: ask whether it was a race, or who laid it.

    A press that answers is waited for, because it may turn out to be a slap among others. What is
    asked again much later, because such an answer was none, stays open for a while again.
    """
    timing, now = scene.timing, scene.now
    one = len(layers) == 1
    ask_at = bunch.start + (timing.bunch if one else timing.layer_wait)
    until = bunch.start + (timing.race_limit if one else timing.look_back)
    shown = question_about(scene, bunch)
    if shown is not None and shown.until is not None:
        until = max(until, shown.until)
    sure_at = None if answer is None else answer.at + timing.loose_spread
    waits = sure_at is not None and now < sure_at
    answered = None
    if answer is not None and shown is not None and not waits:
        answered = AnsweredByPress(shown, answer.key)
    if now >= until and not waits and answered is None:
        return None
    asking = None
    lapsed = now >= until and (shown is None or shown not in scene.material.questions)
    if now >= ask_at and not lapsed:
        choices = ("yes", "no") if one else (*(str(seat) for seat in layers), "none")
        kind: QuestionKind = "was_race" if one else "who_laid"
        asked = layers if len(layers) <= 2 else ()
        asking = Asking(kind, _about(bunch), choices, asked, bunch.start, until)
    due = min((at for at in (sure_at, ask_at, until) if at is not None and at > now), default=None)
    race = replace(_open_race(scene, bunch, layers), due=due)
    return Proposal(race, asking, answered)


def _open_race(scene: Scene, bunch: Bunch, layers: tuple[int, ...]) -> Race:
    """The race with nothing decided about it."""
    race = read_race(scene, layers[0], None, bunch)
    race = replace(race, anchor=bunch.start, state="proposed", outcome=None, finish=None, tied=())
    if len(layers) == 1:
        return race
    order = sorted((t.press for t in bunch.slaps.values()), key=lambda p: (p.at, p.seat))
    seats = scene.material.seats
    return replace(race, layer=None, layers=layers, racers=seats, slaps=tuple(order), unusable=())


def _about(bunch: Bunch) -> str:
    return f"race {bunch.start}"
