"""A Street Race from its declaration to its ruling (R12)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.cards import Card
from companion.referee.draft import Draft
from companion.referee.edition import Edition
from companion.referee.finish import Field, able, first_slaps, judge, standing_slaps
from companion.referee.house import HouseRules
from companion.referee.last_hand import last_hand_draws
from companion.referee.presses import Press, Timing, on_screen
from companion.referee.sentences import Refusal, Sentence, refuse, say
from companion.referee.table import Heard, Race, Round
from companion.referee.uno import take_back_catch

OPEN_STATES = ("running", "undecided", "slap_off")


def open_race(round_: Round) -> Race | None:
    """Give the race that nobody has settled yet."""
    race = round_.race
    return race if race is not None and race.state in OPEN_STATES else None


def refuse_if_open(draft: Draft) -> None:
    """Nothing goes on until a race is settled, because its loser's hand is not known."""
    race = open_race(draft.round)
    if race is not None:
        raise refuse("race_open" if race.state == "running" else "race_undecided", "R12")


def declare_race(draft: Draft, command: c.DeclareRace) -> None:
    """Take the word of the tablet that a Street Race was laid.

    A racer's hand that stayed down can have been read as a declaration; the tap then says who
    really laid the card, and the same presses are judged again.
    """
    round_ = draft.playing
    layer = draft.player_in_round(command.layer).number
    _needs_race_card(draft)
    race = round_.race
    misread = race is not None and race.how == "hold" and _recent(draft, race)
    if race is not None and misread and race.state != "void":
        if race.layer == layer:
            raise refuse("race_known", "R12", name=draft.name(layer))
        draft.step("step_race", name=draft.name(layer))
        change(draft, race, layer, card_seen=race.card_seen)
        return
    refuse_if_open(draft)
    draft.step("step_race", name=draft.name(layer))
    declare(draft, layer, "tablet", draft.now.at)


def declare_by_hold(draft: Draft, press: Press) -> None:
    """A button held long enough says: I laid a Street Race, when I pressed."""
    draft.step("step_race", name=draft.name(press.seat))
    declare(draft, press.seat, "hold", press.at)


def awaits_card(round_: Round, card: Card, edition: Edition) -> bool:
    """Whether this card belongs to a race that was declared by hand before it was recorded."""
    race = round_.race
    unseen = race is not None and not race.card_seen and race.state != "void"
    return unseen and edition.face(card).act == "race" if card in edition.deck else False


def lay_race_card(draft: Draft, seat: int) -> None:
    """The card on the grid and the hold before it are one race, not two."""
    race = draft.race
    if race is not None and not race.card_seen and race.state != "void":
        draft.add(e.RaceCardSeen())
        if race.layer != seat:
            change(draft, race, seat, card_seen=True)
        return
    declare(draft, seat, "card", draft.now.at)


def lay_last_race_card(draft: Draft, seat: int) -> None:
    """A Street Race that is the last card is raced only where the house says so (R14).

    A hold may have declared it before the table knew that the card was the last one.
    """
    race, round_ = draft.race, draft.round
    known = race is not None and not race.card_seen and race.state != "void"
    if race is not None and known and round_.way == "free":
        known = race.layer == seat and _recent(draft, race)
    if race is None or not known:
        if draft.house.race_on_last_card:
            declare(draft, seat, "card", draft.now.at)
    elif draft.house.race_on_last_card:
        lay_race_card(draft, seat)
    elif round_.way == "refereed":
        overrule_race(draft, race, say("race_void"))
        draft.add(e.RaceSettled("void", draft.now.at))


def race_card_not_laid(draft: Draft, seat: int) -> None:
    """Once the layer has recorded another turn, the card of that race will not come any more."""
    race = draft.race
    if race is not None and race.layer == seat and not race.card_seen:
        draft.add(e.RaceCardSeen())


def declare(draft: Draft, layer: int, how: str, at: int) -> None:
    """Open the race, looking back for hands that were quicker than the declaration."""
    round_ = draft.round
    timing = draft.timing
    look_back = timing.look_back if how == "hold" else timing.look_back_tablet
    since = max(at - look_back, round_.ruled_until + 1)
    presses = tuple(
        h.press for h in draft.table.presses if h.press.at >= since and not _is_a_call(round_, h)
    )
    hands = [p for p in presses if p.seat != layer or (how == "hold" and p.at == at)]
    pardoned = [press.seat for press in hands if take_back_catch(draft, press)]
    draft.add(
        e.RaceDeclared(
            layer=layer,
            declared_at=at,
            since=since,
            deadline=at + timing.race_limit,
            racers=tuple(seat for seat in round_.seats if seat != layer),
            how=how,
            presses=presses,
            aside=_aside(draft, layer),
            claimed=_claimed(round_, hands),
            pardoned=tuple(pardoned),
            gaps=tuple(gap for gap in draft.table.gaps if gap.until >= since),
            card_seen=how == "card",
            handicaps=handicaps_of(draft),
        )
    )
    settle_if_known(draft)


def change(draft: Draft, race: Race, layer: int, *, card_seen: bool) -> None:
    """Judge the same presses with another layer."""
    overrule_race(draft, race, say("wrong_layer", name=draft.name(layer)))
    _judge_again(draft, race, layer, race.aside, card_seen=card_seen)


def judge_without(draft: Draft, seat: int, broken_since: int) -> None:
    """Judge the latest race again when a slap that it counted was a broken button's doing.

    A button that hums or chatters is known for what it is only some pushes later.
    """
    race = draft.race
    if race is None or race.state not in ("ruled", "undecided") or race.finish is None:
        return
    slaps = [place.press for place in race.finish.places if place.seat == seat]
    if not any(p is not None and p.at >= broken_since and not on_screen(p) for p in slaps):
        return
    overrule_race(draft, race, say("broken_button", name=draft.name(seat)))
    aside = tuple(sorted({*race.aside, seat}))
    _judge_again(draft, race, race.layer, aside, card_seen=race.card_seen)


def judge_with(draft: Draft, late: Press) -> bool:
    """Judge the latest race again with a slap that was made before its ruling and came after it.

    Only a hand that was missed is looked for: whoever has slapped once is known. Tells whether
    there was such a race.
    """
    race = draft.race
    if race is None or race.state not in ("ruled", "undecided") or race.finish is None:
        return False
    verdict = next((r for r in draft.match.rulings if r.number == race.ruling), None)
    if verdict is None or verdict.overruled is not None or verdict.evidence != race.finish:
        return False
    picked = verdict.sentence.code == "race_picked"
    slapped = any(p.seat == late.seat and p.press is not None for p in race.finish.places)
    in_time = race.since <= late.at <= race.deadline and late.at < verdict.at
    if picked or slapped or late.seat not in race.racers or not in_time:
        return False
    if race.finish.declared_at != race.declared_at:
        return False
    overrule_race(draft, race, say("late_slap", name=draft.name(late.seat)))
    draft.add(e.PressRecorded(late, "slap"))
    race = replace(race, presses=(*race.presses, late))
    _judge_again(draft, race, race.layer, race.aside, card_seen=race.card_seen)
    settle_if_known(draft, time_is_up=True)
    return True


def _judge_again(
    draft: Draft, race: Race, layer: int, aside: tuple[int, ...], *, card_seen: bool
) -> None:
    draft.add(
        e.RaceDeclared(
            layer=layer,
            declared_at=race.declared_at,
            since=race.since,
            deadline=race.deadline,
            racers=tuple(seat for seat in draft.round.seats if seat != layer),
            how=race.how,
            presses=race.presses,
            aside=aside,
            gaps=race.gaps,
            card_seen=card_seen,
            handicaps=race.handicaps,
        )
    )
    settle_if_known(draft)


def overrule_race(draft: Draft, race: Race, because: Sentence) -> None:
    """Take back what a race has ruled so far."""
    if race.ruling is not None:
        nobody = draft.ruling("R12", because, (), ())
        draft.add(e.RulingOverruled(race.ruling, because, nobody))


def settle_if_known(draft: Draft, *, time_is_up: bool = False) -> None:
    """Rule as soon as nothing later can change it, or when the time is up.

    With one racer there is nothing to wait for; else every racer's slap is. Only the passing of
    time ends the wait for a slap, because others may still be on their way behind a press.
    """
    race = draft.race
    if race is None or race.state != "running":
        return
    over = time_is_up and draft.now.at >= race.deadline + draft.timing.settle
    slaps = slaps_of(race, draft.house, draft.now.at)
    field = field_of(race)
    if over or len(race.racers) == 1 or able(field) <= slaps.keys():
        last_hand_draws(draft, judge(field, slaps, draft.timing))


def field_of(race: Race) -> Field:
    """What the finish needs to know of a race."""
    return Field(
        race.layer,
        race.racers,
        race.declared_at,
        race.since,
        race.gaps,
        race.aside,
        race.handicaps,
    )


def slaps_of(race: Race, house: HouseRules, now: int) -> dict[int, Press]:
    """Each racer's slap by the house rule of this match."""
    if house.hands_stay_down:
        return standing_slaps(field_of(race), race.presses, min(now, race.deadline))
    in_time = (press for press in race.presses if press.at <= race.deadline)
    return first_slaps(field_of(race), in_time)


def race_due(race: Race, timing: Timing) -> int | None:
    """When the race must be ruled at the latest."""
    return race.deadline + timing.settle if race.state == "running" else None


def _is_a_call(round_: Round, heard: Heard) -> bool:
    """A press that was needed as the call of somebody on one card is no slap."""
    call = round_.window.call if round_.window is not None else None
    needed = call is not None and (call.seat, call.at) == (heard.press.seat, heard.press.at)
    return needed or heard.meaning == "called"


def _claimed(round_: Round, hands: Iterable[Press]) -> tuple[int, ...]:
    """Those who seemed to call and were slapping, or laying the card."""
    taken = {(press.seat, press.at) for press in hands}
    return tuple(
        seat
        for seat, calls in round_.calls.items()
        if any((call.seat, call.at) in taken for call in calls)
    )


def handicaps_of(draft: Draft) -> dict[int, int]:
    """The head starts of all who play, the layer too: somebody else may have laid the card."""
    seats = (seat for seat in draft.game.seats if seat.number in draft.round.seats)
    return {seat.number: seat.handicap for seat in seats if seat.handicap}


def _aside(draft: Draft, layer: int) -> tuple[int, ...]:
    return tuple(
        seat.number
        for seat in draft.game.seats
        if seat.button in draft.table.aside and seat.number != layer
    )


def _recent(draft: Draft, race: Race) -> bool:
    return draft.now.at - race.declared_at <= draft.timing.look_back_tablet


def _needs_race_card(draft: Draft) -> None:
    if draft.edition.race_card is None:
        raise no_race(draft)


def no_race(draft: Draft) -> Refusal:
    """Say that the edition has no Street Race."""
    return refuse("no_race_card", "R12", card="street-race", edition=draft.edition.name)
