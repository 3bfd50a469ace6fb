"""What people say about races: who laid one, that it was none, again, a slap-off, or a pick (R12).

Nothing is judged here. Each of these is a record, and the reading of all the evidence follows it.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.model.table import NamedRace, Race, Round
from companion.referee.sentences import Refusal, Sentence, refuse, say
from companion.referee.settling.race_records import new_light, record_of
from companion.referee.settling.settle import settle

OPEN_STATES = ("running", "undecided", "slap_off")


def open_race(round_: Round) -> Race | None:
    """Give the first race that is not settled yet."""
    return next((race for race in round_.races if race.state in OPEN_STATES), None)


def latest_race(round_: Round) -> Race | None:
    """The race that people talk about: the one that was seen or named last."""
    races = [race for race in round_.races if race.state != "void"]
    return max(races, key=lambda race: max(race.anchor, race.named_at or 0), default=None)


def refuse_if_open(draft: Draft) -> None:
    """Hands are not counted until every race is settled, because its loser still draws."""
    if open_race(draft.round) is not None:
        raise refuse("race_undecided", "R12")


def declare_race(draft: Draft, command: c.DeclareRace) -> None:
    """Take the word of the tablet that a Street Race was laid; its hands may be there already."""
    _ = draft.playing
    layer = draft.player_in_round(command.layer)
    if draft.edition.race_card is None:
        raise no_race(draft)
    for race in draft.round.races:
        if race.state == "running" and race.record is not None and race.layer == layer.number:
            raise refuse("race_known", "R12", name=layer.who)
    draft.step("step_race", name=layer.who)
    named = NamedRace(draft.record_number(), draft.now.at, layer.number, "tablet")
    draft.add(e.RaceNamed(named))
    settle(draft, say("again_layer", name=layer.who))


def name_race_of_card(draft: Draft, seat: int, number: int) -> None:
    """In refereed play the card is the record of its race; one named shortly before is the same."""
    early = [
        named
        for named in draft.round.named
        if named.card == number
        or (
            named.how == "tablet"
            and named.layer == seat
            and not named.void
            and draft.now.at - named.at <= draft.timing.look_back
        )
    ]
    if early:
        draft.add(e.RaceNamed(replace(early[-1], how="card", card=number)))
    else:
        draft.add(e.RaceNamed(NamedRace(number, draft.now.at, seat, "card")))


def lay_last_race_card(draft: Draft, seat: int) -> None:
    """R14. A Street Race that is the last card is raced only where the house says so.

    Where it is not, hands that slapped all the same make no race of it.
    """
    known = next((race for race in draft.round.races if _awaits_card(draft, race, seat)), None)
    if not draft.house.race_on_last_card:
        if known is not None:
            draft.add(e.RaceNamed(replace(record_of(draft, known), void=True)))
    elif known is None:
        draft.add(e.RaceNamed(NamedRace(draft.record_number(), draft.now.at, seat, "card")))


def change_layer(draft: Draft, command: c.ChangeLayer) -> None:
    """Say who else laid the last race."""
    race = _latest(draft)
    layer = draft.player_in_round(command.layer)
    if layer.number == race.layer and race.state != "proposed":
        raise refuse("race_known", "R12", name=layer.who)
    draft.step("step_change_layer", name=layer.who)
    together = [p for p in race.slaps if p.at - race.anchor < draft.timing.bunch]
    named = record_of(draft, race)
    named = replace(
        named,
        layer=layer.number,
        anchor=race.anchor if len(together) > 1 else None,
        picked=(),
        excused=(),
        lights=tuple(
            replace(light, deadline=min(light.deadline, draft.now.at)) for light in named.lights
        ),
        spent=len(named.lights),
    )
    _decide(draft, race, named, say("again_layer", name=layer.who))


def rerun_race(draft: Draft, _command: c.RerunRace) -> None:
    """Let the last race be run again from now on."""
    race = _latest(draft)
    if race.layer is None:
        raise refuse("layer_unknown", "R12")
    draft.step("step_rerun_race")
    void = replace(record_of(draft, race), void=True, until=draft.now.at, rerun=True)
    draft.add(e.RaceNamed(void))
    now = draft.now.at
    again = NamedRace(draft.record_number(), now, race.layer, void.how, since=now)
    _decide(draft, race, again, say("race_rerun"))


def cancel_race(draft: Draft, _command: c.CancelRace) -> None:
    """Say that the last race was none; nobody draws for it."""
    race = _latest(draft)
    draft.step("step_cancel_race")
    void = replace(record_of(draft, race), void=True, until=draft.now.at)
    _decide(draft, race, void, say("race_void"))


def slap_off(draft: Draft, _command: c.SlapOff) -> None:
    """Let those who tied slap again, at a light whose moment is drawn by lot."""
    race = _undecided(draft)
    draft.step("step_slap_off", names=draft.who(*race.tied))
    named = record_of(draft, race)
    named = replace(named, lights=(*named.lights, new_light(draft, race.tied)))
    _decide(draft, race, named, say("again_record"))


def pick_last(draft: Draft, command: c.PickLast) -> None:
    """Let the referee name who draws for an undecided race."""
    race = _undecided(draft)
    seats = tuple(sorted(set(command.seats)))
    if not seats:
        raise refuse("pick_nobody", "R12")
    for seat in seats:
        draft.player_in_round(seat)
        if seat not in race.racers:
            raise refuse("not_racing", "R12", name=draft.who(seat))
    draft.step("step_pick_last", names=draft.who(*seats))
    _decide(draft, race, replace(record_of(draft, race), picked=seats), say("again_record"))


def name_layer(draft: Draft, race: Race, layer: int) -> None:
    """Take an answer to who laid a race that the hands showed by themselves."""
    named = replace(record_of(draft, race), layer=layer)
    _decide(draft, race, named, say("again_layer", name=draft.who(layer)))


def excuse(draft: Draft, race: Race, seats: tuple[int, ...]) -> None:
    """Take the table's word that seats without a usable button were not last."""
    named = record_of(draft, race)
    named = replace(named, excused=tuple(sorted({*named.excused, *seats})))
    _decide(draft, race, named, say("again_answer"))


def pick(draft: Draft, race: Race, seats: tuple[int, ...], because: Sentence) -> None:
    """Take the referee's word for who was last in a race; nobody means that there was none."""
    named = record_of(draft, race)
    named = replace(named, picked=seats) if seats else replace(named, void=True)
    _decide(draft, race, named, because)


def _decide(draft: Draft, race: Race, named: NamedRace, because: Sentence) -> None:
    """Record what was decided about a race, however long ago it was."""
    draft.add(e.RaceNamed(named))
    settle(draft, because, since_of(draft, race))


def since_of(draft: Draft, race: Race) -> int:
    """From when on to read again so that this race is read too, and all that it may be part of."""
    return min(race.anchor, draft.now.at - draft.timing.race_limit) - draft.timing.look_back


def _awaits_card(draft: Draft, race: Race, layer: int) -> bool:
    """Whether this race was seen or named just now, before its card was recorded."""
    recent = draft.now.at - race.anchor <= draft.timing.catch_look_back
    known = race.layer == layer and race.state not in ("void", "proposed")
    return recent and known and race.how != "card"


def _latest(draft: Draft) -> Race:
    race = latest_race(draft.round)
    if race is None:
        raise refuse("no_race", "R12")
    return race


def _undecided(draft: Draft) -> Race:
    races = [race for race in draft.round.races if race.state == "undecided"]
    if not races:
        _latest(draft)
        raise refuse("race_decided", "R12")
    return races[-1]


def no_race(draft: Draft) -> Refusal:
    """Say that the edition has no Street Race."""
    return refuse("no_race_card", "R12", card="street-race", edition=draft.edition.name)
