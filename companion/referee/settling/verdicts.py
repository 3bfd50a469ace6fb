"""What a race or a catch that was read comes to: who draws, by which rule, and how it is said."""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct

from companion.referee.draft import Draft
from companion.referee.evidence.races.finish import doubt_of_last
from companion.referee.model.presses import MILLISECOND, SECOND, together
from companion.referee.model.rulings import (
    Calling,
    Draws,
    Evidence,
    Finish,
    Outcome,
    Ruling,
    layer_of,
)
from companion.referee.model.table import Claim, Race
from companion.referee.sentences import Sentence, Who, say

LEAST_TOLD = 50 * MILLISECOND
"""A call that came less before the catch is told without a figure, which would be none."""


class Verdict(Struct, frozen=True):
    """A ruling that has not been given yet."""

    rule: str
    outcome: Outcome
    sentence: Sentence
    seats: tuple[int, ...]
    draws: tuple[Draws, ...]
    house: tuple[str, ...]
    evidence: Evidence

    def ruling(self, draft: Draft) -> Ruling:
        """Write it as a ruling with the next number."""
        return draft.ruling(
            self.rule,
            self.outcome,
            self.sentence,
            self.seats,
            self.draws,
            self.house,
            self.evidence,
        )

    def says_as(self, ruling: Ruling) -> bool:
        """Whether a ruling that stands says the same: the same outcome for the same seats.

        Of a race it also says who laid it.
        """
        return (self.outcome, set(self.seats), self.draws, layer_of(self.evidence)) == (
            ruling.outcome,
            set(ruling.seats),
            ruling.draws,
            layer_of(ruling.evidence),
        )


def race_verdict(draft: Draft, race: Race) -> Verdict:
    """R12. The last hand of a Street Race draws.

    Those who never slapped are behind everyone who did. When the last cannot be told apart,
    nobody draws until a slap-off or the referee has decided.
    """
    finish, outcome = race.finish, race.outcome
    assert finish is not None
    assert outcome is not None
    cards = draft.edition.race_draws
    house = _house_rules(draft, finish)
    if outcome == "picked":
        named = next(n for n in draft.round.named if n.number == race.record)
        seats = named.picked
        sentence = say("race_picked", names=draft.who(*seats), cards=cards)
        used = ("no_slap",) if finish.no_slap else ()
        return _verdict(outcome, sentence, seats, cards, used, finish)
    if race.tied:
        sentence = _open_question(draft, outcome, finish, race.tied)
        return _verdict(outcome, sentence, race.tied, 0, house, finish)
    return _verdict(outcome, _who_draws(draft, finish, cards), finish.last, cards, house, finish)


def _verdict(
    outcome: Outcome,
    sentence: Sentence,
    seats: tuple[int, ...],
    cards: int,
    house: tuple[str, ...],
    finish: Finish,
) -> Verdict:
    draws = tuple(Draws(seat, cards) for seat in seats) if cards else ()
    return Verdict("R12", outcome, sentence, seats, draws, house, finish)


def claim_verdict(draft: Draft, claim: Claim) -> Verdict:
    """R13. A player caught without a call draws; a wrong catch costs what the house says."""
    outcome, catch, call = claim.outcome, claim.catch, claim.call
    assert outcome is not None
    name = draft.who(claim.seat)
    by = catch.seat
    tie = call is not None and together(call, catch, draft.timing)
    evidence = _calling(draft, claim)
    if outcome == "caught":
        cards = draft.edition.catch_draws
        return Verdict(
            "R13",
            outcome,
            say("caught", name=name, cards=cards),
            (claim.seat,),
            (Draws(claim.seat, cards),),
            ("tie_goes_to",) if tie else (),
            evidence,
        )
    cost = draft.house.wrong_catch_draws if by else 0
    return Verdict(
        "R13",
        outcome,
        _failed(claim, name),
        (claim.seat, by) if by else (claim.seat,),
        (Draws(by, cost),) if cost else (),
        ("wrong_catch_draws", "tie_goes_to") if tie else ("wrong_catch_draws",),
        evidence,
    )


def _failed(claim: Claim, name: Who) -> Sentence:
    match claim.outcome:
        case "called":
            early = 0 if claim.call is None else claim.catch.at - claim.call.at
            if early < LEAST_TOLD:
                return say("called_in_time", name=name)
            return say("called_before", name=name, seconds=f"{early / SECOND:.1f}")
        case "not_on_one":
            return say("catch_not_on_one", name=name)
        case _:
            return say("catch_too_late", name=name)


def _calling(draft: Draft, claim: Claim) -> Calling:
    catch, call = claim.catch, claim.call
    doubt = catch.uncertainty + draft.timing.switch_tolerance
    ahead = None
    if call is not None:
        doubt += call.uncertainty
        ahead = catch.at - call.at
    least = draft.timing.least_gap
    return Calling(claim.seat, catch.seat or None, call, catch, ahead, max(doubt, least))


def _house_rules(draft: Draft, finish: Finish) -> tuple[str, ...]:
    """Name the house rules that made this finish what it is."""
    used = {
        "hands_stay_down": draft.house.hands_stay_down,
        "handicap": any(place.handicap for place in finish.places),
        "no_slap": finish.no_slap and len(finish.last) > 1,
    }
    return tuple(name for name, was_used in used.items() if was_used)


def _who_draws(draft: Draft, finish: Finish, cards: int) -> Sentence:
    name = draft.who(*finish.last)
    if finish.early:
        return say("race_early", name=name, cards=cards)
    if finish.no_slap and len(finish.places) > 1:
        return say("race_missing", name=name, cards=cards)
    if set(finish.last) <= set(finish.hammered):
        return say("race_hammered", name=name, cards=cards)
    if finish.margin is None:
        return say("race_alone", name=name, cards=cards)
    margin = f"{finish.margin / MILLISECOND:.{_digits(finish)}f}"
    if finish.by_handicap:
        others = _with_head_start(draft, finish)
        return say("race_last_handicap", name=name, cards=cards, margin=margin, others=others)
    return say("race_last", name=name, cards=cards, margin=margin)


def _digits(finish: Finish) -> int:
    """How finely a race is told, here as on every screen: with tenths where it was close."""
    known = sorted(place.after for place in finish.places if place.after is not None)
    gaps = [later - sooner for sooner, later in pairwise(known)]
    return int(gaps[-1] < 100 * MILLISECOND or min(gaps) < 10 * MILLISECOND)


def _open_question(
    draft: Draft, outcome: Outcome, finish: Finish, tied: tuple[int, ...]
) -> Sentence:
    names = draft.who(*tied)
    match outcome:
        case "nobody_slapped":
            return say("race_no_slaps", names=names)
        case "no_order":
            return say("race_no_order", names=names)
        case "unusable":
            return say("race_unusable", names=draft.who(*finish.unusable))
        case "false_starts":
            return say("race_several_early", names=names)
        case _:
            return _dead_heat(draft, finish, names)


def _dead_heat(draft: Draft, finish: Finish, names: Who) -> Sentence:
    within = doubt_of_last(finish, draft.timing)
    if within is None:
        return say("dead_heat", names=names)
    ms = within / MILLISECOND
    doubt = f"{ms:.2g}" if ms < 10 else str(round(ms))
    if finish.by_handicap:
        others = _with_head_start(draft, finish)
        return say("dead_heat_handicap", names=names, others=others, doubt=doubt)
    return say("dead_heat_within", names=names, doubt=doubt)


def _with_head_start(draft: Draft, finish: Finish) -> Who:
    return draft.who(*(place.seat for place in finish.places if place.handicap))
