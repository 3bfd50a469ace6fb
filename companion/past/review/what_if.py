"""What if: the rulings of past matches judged by other rules, and what would have changed.

Nothing is changed, and nothing is made up. The evidence of a race or a catch is read again, and a
score is counted again. Where another rule would have changed the course of play, that is said at
the place where it would have applied, and the rest of the round is left as it was played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from companion.past.review.cases import Case, Cases
from companion.past.review.rejudging import Change, RulingByOtherRules, dealer_by, rejudged
from companion.past.review.what_if_settings import Wish
from companion.referee.model.rulings import UNDECIDED, Draws, Finish, LaidCard, Ruling
from companion.referee.model.table import Match, Table
from companion.referee.rules.scoring import standing
from companion.referee.sentences import Sentence, say

MOST_TOLD = 200


class MoreCards(Struct, frozen=True):
    """So many cards more for somebody, or fewer."""

    name: str
    cards: int


class WhatIfRuling(Struct, frozen=True):
    """What was said, and who draws by it."""

    sentence: Sentence
    draws: tuple[Draws, ...] = ()
    finish: Finish | None = None


class Difference(Struct, frozen=True):
    """One place at which it would have gone otherwise."""

    match: int
    round: int
    ruling: int | None
    rule: str
    kind: str
    change: Change
    was: Sentence
    would: Sentence
    draws: tuple[MoreCards, ...] = ()
    overruled: Sentence | None = None
    """The referee's own word, which would have stood either way."""


class OtherWinner(Struct, frozen=True):
    """A match that somebody else would have won, or that would have ended in another round."""

    match: int
    was: tuple[str, ...]
    was_in: int | None
    would: tuple[str, ...]
    would_in: int | None
    rounds: int


class WhatIf(Struct, frozen=True):
    """What would have changed in some matches."""

    matches: tuple[int, ...]
    rulings: int
    races: int
    differences: tuple[Difference, ...]
    left_off: int
    draws: tuple[MoreCards, ...]
    winners: tuple[OtherWinner, ...]


class RaceIf(Struct, frozen=True):
    """One race as it was judged, and as it would have been."""

    was: WhatIfRuling
    would: WhatIfRuling
    change: Change | None
    draws: tuple[MoreCards, ...] = ()


def what_if(matches: Iterable[Cases], wish: Wish, round_: int | None = None) -> WhatIf:
    """Judge matches again, or one round of them."""
    seen: list[int] = []
    found: list[Difference] = []
    winners: list[OtherWinner] = []
    rulings = races = 0
    for cases in matches:
        seen.append(cases.match.number)
        ours = [case for case in _standing(cases) if round_ in (None, case.round)]
        rulings += len(ours)
        races += sum(1 for case in ours if case.kind == "race")
        found += [one for one in _differences(cases, wish) if round_ in (None, one.round)]
        other = _other_winner(cases.match, wish) if round_ is None else None
        winners += [other] if other is not None else []
    return WhatIf(
        matches=tuple(seen),
        rulings=rulings,
        races=races,
        differences=tuple(found[:MOST_TOLD]),
        left_off=max(0, len(found) - MOST_TOLD),
        draws=_added_up(found),
        winners=tuple(winners),
    )


def race_if(cases: Cases, case: Case, wish: Wish) -> RaceIf:
    """Judge one race or one catch again, and give both verdicts."""
    was, would = case.ruling, _would(cases, case, wish)
    change = _change(case, would)
    return RaceIf(
        was=_verdict(was),
        would=WhatIfRuling(would.sentence) if would.ruling is None else _verdict(would.ruling),
        change=change,
        draws=_more(case, would) if change is not None else (),
    )


def _standing(cases: Cases) -> Iterator[Case]:
    """The cases without those that were judged again when more became known."""
    return (case for case in cases.cases if not case.replaced)


def _differences(cases: Cases, wish: Wish) -> Iterator[Difference]:
    for case in _standing(cases):
        if case.kind == "score":
            continue
        would = _would(cases, case, wish)
        change = _change(case, would) or _course(case, wish)
        if change is not None:
            sentence = would.sentence
            if isinstance(change, Sentence):
                sentence, change = change, "course"
            yield Difference(
                match=cases.match.number,
                round=case.round,
                ruling=case.ruling.number,
                rule=case.ruling.rule,
                kind=case.kind,
                change=change,
                was=case.ruling.sentence,
                would=sentence,
                draws=() if case.ruling.overruled is not None else _more(case, would),
                overruled=case.ruling.overruled,
            )
    yield from _other_dealers(cases, wish)


def _would(cases: Cases, case: Case, wish: Wish) -> RulingByOtherRules:
    """Tell what would have come of a case; a slap-off or a pick first needs its tie."""
    tie = _tie(cases, case)
    if tie is not None:
        ruling = _would(cases, tie, wish).ruling
        if ruling is None or ruling.draws:
            return RulingByOtherRules(say("what_if_not_needed"))
        if set(ruling.seats) != set(tie.ruling.seats):
            names = tie.before.game.who(*ruling.seats)
            return RulingByOtherRules(say("what_if_other_tie", names=names), change="open")
    return rejudged(case, wish, cases.pushes)


def _tie(cases: Cases, case: Case) -> Case | None:
    """What a slap-off or the referee has decided."""
    if case.kind not in ("slap_off", "picked"):
        return None
    before = [one for one in cases.of_race(case) if one.ruling.number < case.ruling.number]
    open_ = [one for one in before if one.ruling.outcome in UNDECIDED and not one.replaced]
    return open_[-1] if open_ else None


def _change(case: Case, would: RulingByOtherRules) -> Change | None:
    """Tell whether it matters: other words alone, such as another margin, change nothing."""
    was, ruling = case.ruling, would.ruling
    if ruling is None:
        return would.change
    if (set(was.seats), sorted_draws(was)) == (set(ruling.seats), sorted_draws(ruling)):
        return None
    return "course" if case.kind in ("deal", "reverse") else "verdict"


def _course(case: Case, wish: Wish) -> Sentence | None:
    """Say where another rule would have sent the round elsewhere, with the same words spoken."""
    match = case.before.game.match
    assert match is not None
    house, other = match.house, wish.match(match).house
    if case.kind == "challenge" and case.ruling.outcome == "guilty":
        if house.guilty_gives_turn_back == other.guilty_gives_turn_back or match.round is None:
            return None
        opened = match.round.challenge
        name = case.before.game.who(opened.victim) if opened is not None else ()
        back = other.guilty_gives_turn_back
        return say("what_if_turn_back" if back else "what_if_no_turn_back", name=name)
    if case.kind == "out" and house.race_on_last_card != other.race_on_last_card:
        laid = case.ruling.evidence
        if isinstance(laid, LaidCard) and match.edition.face(laid.card).act == "race":
            return say("what_if_raced" if other.race_on_last_card else "what_if_not_raced")
    return None


def _other_dealers(cases: Cases, wish: Wish) -> Iterator[Difference]:
    for deal in cases.deals:
        would = dealer_by(deal, wish)
        if would != deal.dealer:
            yield Difference(
                match=cases.match.number,
                round=deal.round,
                ruling=None,
                rule="R20",
                kind="dealer",
                change="course",
                was=say("what_if_dealt", name=deal.before.game.who(deal.dealer)),
                would=say("what_if_deals", name=deal.before.game.who(would)),
            )


def _other_winner(match: Match, wish: Wish) -> OtherWinner | None:
    """Add the same hands up by another scoring, or settle a tie otherwise."""
    was, would = standing(match), standing(wish.match(match))
    if (was.winners, was.won_in) == (would.winners, would.won_in):
        return None
    names = {entrant.player: entrant.name for entrant in match.entrants}
    return OtherWinner(
        match=match.number,
        was=tuple(names[player] for player in was.winners),
        was_in=was.won_in,
        would=tuple(names[player] for player in would.winners),
        would_in=would.won_in,
        rounds=len(match.rounds),
    )


def _verdict(ruling: Ruling) -> WhatIfRuling:
    finish = ruling.evidence if isinstance(ruling.evidence, Finish) else None
    return WhatIfRuling(ruling.sentence, ruling.draws, finish)


def sorted_draws(ruling: Ruling) -> list[tuple[int, int]]:
    """Who draws how many, in the order of the seats."""
    return sorted((draws.seat, draws.cards) for draws in ruling.draws)


def _more(case: Case, would: RulingByOtherRules) -> tuple[MoreCards, ...]:
    more: Counter[str] = Counter()
    for draws in would.ruling.draws if would.ruling is not None else ():
        more[_names(case.before, (draws.seat,))] += draws.cards
    for draws in case.ruling.draws:
        more[_names(case.before, (draws.seat,))] -= draws.cards
    return tuple(MoreCards(name, cards) for name, cards in sorted(more.items()) if cards)


def _added_up(differences: Iterable[Difference]) -> tuple[MoreCards, ...]:
    total: Counter[str] = Counter()
    for difference in differences:
        for more in difference.draws:
            total[more.name] += more.cards
    return tuple(MoreCards(name, cards) for name, cards in sorted(total.items()) if cards)


def _names(table: Table, seats: Iterable[int]) -> str:
    names = {seat.number: seat.name for seat in table.game.seats}
    return ", ".join(names[seat] for seat in seats if seat in names)
