"""Judge a case again by other rules: the referee's own functions, on the table of then."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeVar, assert_never

from msgspec import Struct
from msgspec.structs import replace

from companion.past.facts import RuledDeal
from companion.past.review.cases import Case
from companion.past.review.what_if_evidence import Pushes, material_by
from companion.past.review.what_if_settings import Wish
from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.apply.reading import same_claim
from companion.referee.draft import Draft, Now
from companion.referee.evidence.material import material_of
from companion.referee.evidence.reading import Reading, open_since, read
from companion.referee.model.rulings import DealCards, LaidCard, Ruling
from companion.referee.model.table import Claim, Race, Table
from companion.referee.rules.counting import score_round
from companion.referee.rules.dealing import dealer_now, draw_for_deal
from companion.referee.rules.going_out import end_round
from companion.referee.rules.turns import reverse
from companion.referee.rules.wild import challenge
from companion.referee.sentences import Refusal, Sentence, say
from companion.referee.settling.questions import question_of
from companion.referee.settling.verdicts import Verdict, claim_verdict, race_verdict

Change = Literal["verdict", "open", "course"]
"""Another verdict; none yet, because hands were still awaited; or another course of the round."""
Found = TypeVar("Found", Race, Claim)


class RulingByOtherRules(Struct, frozen=True):
    """What other rules would have led to: a ruling, or the words that say why there is none."""

    sentence: Sentence
    ruling: Ruling | None = None
    change: Change = "verdict"
    """Without a ruling, what that means."""

    @property
    def comes_to(self) -> object:
        """What matters of it; other words alone, such as another margin, change nothing."""
        return self.change if self.ruling is None else _comes_to(self.ruling)


def _comes_to(ruling: Ruling) -> object:
    draws = sorted((drawing.seat, drawing.cards) for drawing in ruling.draws)
    return ruling.outcome, set(ruling.seats), draws


def rejudged(case: Case, wish: Wish, pushes: Pushes) -> RulingByOtherRules:
    """Tell what these rules would have made of a case.

    The referee may have read less at that time than is read here, because what was settled long
    before is not read every time. So a difference counts only if the rules of then do not give it.
    """
    would = judged_again(case, wish, pushes)
    was = RulingByOtherRules(case.ruling.sentence, replace(case.ruling, overruled=None))
    if would == was:
        return was
    then = judged_again(case, Wish(), pushes)
    read_less = would.comes_to == then.comes_to != was.comes_to
    return was if would == then or read_less else would


def judged_again(case: Case, wish: Wish, pushes: Pushes) -> RulingByOtherRules:
    """Judge a case by these rules, whether or not they change anything."""
    table = wish.table(case.before)
    if case.race is not None:
        return _race_again(case, case.race, table, wish, pushes)
    if case.claim is not None:
        return _catch_again(case, case.claim, table, wish, pushes)
    draft = Draft(table, Now(case.ruling.at))
    try:
        _judge(draft, case)
    except Refusal:
        return RulingByOtherRules(case.ruling.sentence, case.ruling)
    given = (event.ruling for event in draft.events if isinstance(event, e.RulingGiven))
    ruling = next(given, case.ruling)
    return RulingByOtherRules(ruling.sentence, ruling)


def dealer_by(deal: RuledDeal, wish: Wish) -> int:
    """Tell who would have dealt."""
    game = wish.table(deal.before).game
    assert game.match is not None
    return dealer_now(game.match, game.seats)


def _race_again(
    case: Case, race: Race, table: Table, wish: Wish, pushes: Pushes
) -> RulingByOtherRules:
    """Read the race again.

    Nothing is known of hands after the ruling, because the race was over. So a race that is
    not over by then is looked at later only where no hand is missing.
    """

    def same(reading: Reading) -> Race | None:
        return _same_race(race, reading.races, table.timing.bunch)

    draft, reading, found = _read_on(
        case, table, wish, pushes, same, lambda one: not _missing(one), race.anchor
    )
    if found is None:
        return RulingByOtherRules(say("what_if_no_race"))
    if found.outcome is not None and found.finish is not None:
        return _given(case, draft, race_verdict(draft, found))
    asked = _asked(draft, reading, f"race {found.anchor}")
    return asked or RulingByOtherRules(
        say("what_if_open", names=draft.who(*_missing(found))), change="open"
    )


def _same_race(race: Race, races: Iterable[Race], apart: int) -> Race | None:
    """The same race, by its record, or else by its hands."""
    if race.record is not None:
        return next((one for one in races if one.record == race.record), None)
    near = [one for one in races if abs(one.anchor - race.anchor) < max(apart, 1)]
    return min(near, key=lambda one: abs(one.anchor - race.anchor), default=None)


def _missing(race: Race) -> tuple[int, ...]:
    """Those whose hands are still awaited."""
    racers = race.racers if race.slap_off is None else race.slap_off.seats
    slapped = {press.seat for press in race.slaps}
    return tuple(seat for seat in racers if seat not in slapped and seat not in race.unusable)


def _catch_again(
    case: Case, claim: Claim, table: Table, wish: Wish, pushes: Pushes
) -> RulingByOtherRules:
    def same(reading: Reading) -> Claim | None:
        return _same_catch(claim, reading.claims, table.timing.catch_most)

    draft, reading, found = _read_on(
        case, table, wish, pushes, same, lambda _: True, claim.catch.at
    )
    if found is None:
        return RulingByOtherRules(say("what_if_no_catch"))
    if found.outcome is not None:
        return _given(case, draft, claim_verdict(draft, found))
    record = found.record if found.record is not None else found.window
    asked = _asked(draft, reading, f"catch {record}")
    return asked or RulingByOtherRules(say("what_if_no_catch"))


def _same_catch(claim: Claim, claims: Iterable[Claim], apart: int) -> Claim | None:
    """The same catch, by its record or its press, or another of the same window close to it."""
    for one in claims:
        if same_claim(one, claim):
            return one
    near = (one for one in claims if abs(one.catch.at - claim.catch.at) <= apart)
    whose = (claim.seat, claim.window, claim.record)
    return next((one for one in near if (one.seat, one.window, one.record) == whose), None)


def _read_on(
    case: Case,
    table: Table,
    wish: Wish,
    pushes: Pushes,
    same: Callable[[Reading], Found | None],
    may_wait: Callable[[Found], bool],
    moment: int,
) -> tuple[Draft, Reading, Found | None]:
    """Read the evidence as it was, at the ruling or as soon after it as these rules would rule."""
    material = material_of(table)
    match = table.game.match
    assert material is not None
    assert match is not None
    material = material_by(material, case.before, wish, pushes)
    timing, now = table.timing, case.ruling.at
    reach = max(timing.look_back, case.before.timing.look_back) + 2 * timing.bunch
    since = min(open_since(material, timing, now), moment) - reach
    while True:
        reading = read(material, match.house, timing, now, since)
        found = same(reading)
        draft = Draft(table, Now(now))
        over = found is None or found.outcome is not None or not may_wait(found)
        if over or found is None or found.due is None or found.due <= now:
            return draft, reading, found
        now = found.due


def _given(case: Case, draft: Draft, verdict: Verdict) -> RulingByOtherRules:
    ruling = replace(verdict.ruling(draft), number=case.ruling.number)
    return RulingByOtherRules(ruling.sentence, ruling)


def _asked(draft: Draft, reading: Reading, about: str) -> RulingByOtherRules | None:
    """The question that the table would have asked instead."""
    asking = next((one for one in reading.asking if one.about == about), None)
    return (
        None
        if asking is None
        else RulingByOtherRules(question_of(draft, asking).sentence, change="open")
    )


def _judge(draft: Draft, case: Case) -> None:
    ruling, evidence = case.ruling, case.ruling.evidence
    match case.kind:
        case "deal":
            assert isinstance(evidence, DealCards)
            draw_for_deal(draft, c.DrawForDeal(evidence.cards))
        case "reverse":
            assert isinstance(evidence, LaidCard)
            reverse(draft, evidence.seat, evidence)
        case "challenge":
            challenge(draft, c.Challenge(ruling.outcome == "guilty"))
        case "out":
            card = evidence.card if isinstance(evidence, LaidCard) else None
            seat, *following = ruling.seats
            end_round(draft, seat, card, next(iter(following), None))
        case "score":
            score_round(draft, c.ScoreRound())
        case "race" | "slap_off" | "picked" | "catch":
            raise AssertionError("read from the evidence")
        case _:
            assert_never(case.kind)
