"""Judge a case again by other rules: the referee's own functions, on the table of then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from msgspec.structs import replace

from companion.cases import Case, Dealt, Pushed
from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.apply.history import with_race
from companion.referee.dealing import dealer_now, draw_for_deal
from companion.referee.draft import Draft, Now
from companion.referee.finish import able
from companion.referee.going_out import end_round
from companion.referee.hands import score_round
from companion.referee.presses import Press
from companion.referee.race import declare, field_of, settle_if_known, slaps_of
from companion.referee.race_disputes import pick_last, settle_slap_off
from companion.referee.rulings import Calling, DealCards, LaidCard, Ruling
from companion.referee.sentences import Refusal
from companion.referee.table import Race, Table
from companion.referee.turns import reverse
from companion.referee.uno import settle_catch, wrong_catch
from companion.referee.wild import challenge
from companion.what_if_asked import Wish

Pushes = Mapping[tuple[int, int], Pushed]


def rejudged(case: Case, wish: Wish, pushes: Pushes) -> Ruling | None:
    """Give the ruling that these rules would have led to; None where nothing was certain yet."""
    table, at = wish.table(case.before), case.ruling.at
    if case.kind in ("race", "slap_off", "picked"):
        race, at = _race_by(case, wish, pushes)
        table = replace(table, game=with_race(table.game, race))
    if case.kind == "catch":
        table = _with_touches(table, wish)
    draft = Draft(table, Now(at))
    try:
        _judge(draft, case)
    except Refusal:
        return None
    return next((event.ruling for event in draft.events if isinstance(event, e.RulingGiven)), None)


def awaited(case: Case, wish: Wish, pushes: Pushes) -> str:
    """Name those whose hands a race that is not over would still have waited for."""
    race, at = _race_by(case, wish, pushes)
    match = wish.table(case.before).game.match
    assert match is not None
    latest = max((press.at for press in race.presses), default=at)
    missing = able(field_of(race)) - slaps_of(race, match.house, min(at, latest)).keys()
    names = {seat.number: seat.name for seat in case.before.game.seats}
    return ", ".join(names[seat] for seat in race.racers if seat in missing)


def dealer_by(deal: Dealt, wish: Wish) -> int:
    """Tell who would have dealt."""
    game = wish.table(deal.before).game
    assert game.match is not None
    return dealer_now(game.match, game.seats)


def _judge(draft: Draft, case: Case) -> None:
    ruling, evidence = case.ruling, case.ruling.evidence
    match case.kind:
        case "race":
            settle_if_known(draft, time_is_up=True)
        case "slap_off":
            settle_slap_off(draft, time_is_up=True)
        case "picked":
            pick_last(draft, c.PickLast(ruling.seats))
        case "catch":
            settle_catch(draft, force=True)
        case "wrong_catch":
            assert isinstance(evidence, Calling)
            wrong_catch(draft, ruling.sentence, evidence.seat, evidence.catch, None)
        case "deal":
            assert isinstance(evidence, DealCards)
            draw_for_deal(draft, c.DrawForDeal(evidence.cards))
        case "reverse":
            assert isinstance(evidence, LaidCard)
            reverse(draft, evidence.seat, evidence)
        case "challenge":
            challenge(draft, c.Challenge(ruling.sentence.code == "guilty"))
        case "out":
            card = evidence.card if isinstance(evidence, LaidCard) else None
            seat, *following = ruling.seats
            end_round(draft, seat, card, next(iter(following), None))
        case "score":
            score_round(draft, c.ScoreRound())
        case _:
            assert_never(case.kind)


def _race_by(case: Case, wish: Wish, pushes: Pushes) -> tuple[Race, int]:
    """The race as these rules would have had it, and when it is looked at.

    Nothing is known of hands after the ruling, because nobody raced any more. So a race is looked
    at as it stood then, or at its end where that would have come sooner.
    """
    race, at = case.race, case.ruling.at
    handicaps = {**race.handicaps, **_handicaps(case.before, wish)}
    race = replace(race, handicaps={seat: ns for seat, ns in handicaps.items() if ns})
    if case.kind == "race" and _looks_back_otherwise(case, wish):
        race = _looked_back(case, race, wish)
    if wish.house.get("hands_stay_down"):
        race = replace(race, presses=tuple(_let_go(press, pushes) for press in race.presses))
    if "tablet_uncertainty" in wish.timing:
        race = _touched(race, wish.timing["tablet_uncertainty"])
    limit = wish.timing.get("race_limit", case.before.timing.race_limit)
    if limit != case.before.timing.race_limit:
        race = replace(race, deadline=race.declared_at + limit)
        if at >= race.deadline:
            at = max(at, race.deadline + case.before.timing.settle)
    return race, at


def _handicaps(table: Table, wish: Wish) -> dict[int, int]:
    seats = table.game.seats
    return {seat.number: wish.handicaps[seat.name] for seat in seats if seat.name in wish.handicaps}


def _looks_back_otherwise(case: Case, wish: Wish) -> bool:
    name = "look_back" if case.race.how == "hold" else "look_back_tablet"
    return wish.timing.get(name) not in (None, getattr(case.before.timing, name))


def _looked_back(case: Case, race: Race, wish: Wish) -> Race:
    """Declare the race again on the table of then, looking back as far as these rules do."""
    declared = case.declared
    if declared is None or declared.rerun:
        return race
    first = declared.event
    draft = Draft(wish.table(declared.before), Now(first.declared_at))
    declare(draft, first.layer, first.how, first.declared_at)
    again = next(event for event in draft.events if isinstance(event, e.RaceDeclared))
    known = {(heard.press.seat, heard.press.at): heard.press for heard in case.before.presses}
    found = {(p.seat, p.at) for p in first.presses}
    earlier = tuple(known.get((p.seat, p.at), p) for p in again.presses)
    later = tuple(p for p in race.presses if (p.seat, p.at) not in found)
    return replace(race, since=again.since, presses=(*earlier, *later))


def _let_go(press: Press, pushes: Pushes) -> Press:
    """A release may have come to be known only after the ruling."""
    known = pushes.get((press.seat, press.at))
    return press if known is None else replace(press, released_at=known.press.released_at)


def _touched(race: Race, uncertainty: int) -> Race:
    light = race.slap_off
    if light is not None:
        light = replace(light, presses=tuple(_touch(p, uncertainty) for p in light.presses))
    presses = tuple(_touch(press, uncertainty) for press in race.presses)
    return replace(race, presses=presses, slap_off=light)


def _touch(press: Press, uncertainty: int) -> Press:
    return replace(press, uncertainty=uncertainty) if press.source == "tablet" else press


def _with_touches(table: Table, wish: Wish) -> Table:
    """A call or a catch on a screen is as uncertain as these rules say."""
    uncertainty = wish.timing.get("tablet_uncertainty")
    match = table.game.match
    round_ = match.round if match is not None else None
    if uncertainty is None or match is None or round_ is None or round_.window is None:
        return table
    window = round_.window
    window = replace(
        window,
        call=None if window.call is None else _touch(window.call, uncertainty),
        catch=None if window.catch is None else _touch(window.catch, uncertainty),
    )
    match = replace(match, round=replace(round_, window=window))
    return replace(table, game=replace(table.game, match=match))
