"""Who draws for a Street Race, and how it is said (R12)."""

from __future__ import annotations

from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.finish import doubt_of_last
from companion.referee.presses import MILLISECOND
from companion.referee.rulings import Draws, Finish
from companion.referee.sentences import Sentence, say


def last_hand_draws(draft: Draft, finish: Finish) -> None:
    """R12. The last hand of a Street Race draws.

    Those who never slapped are behind everyone who did. When the last cannot be told apart,
    nobody draws until a slap-off or the referee has decided.
    """
    used = _house_rules(draft, finish)
    cards = draft.edition.race_draws
    until = max((p.press.at for p in finish.places if p.press is not None), default=draft.now.at)
    if len(finish.last) == 1 or (finish.no_slap and draft.house.no_slap == "all_draw"):
        sentence = _verdict(draft, finish, cards)
        draws = tuple(Draws(seat, cards) for seat in finish.last)
        ruling = draft.rule(
            "R12", sentence, seats=finish.last, draws=draws, house=used, evidence=finish
        )
        draft.add(e.RaceSettled("ruled", until, finish, (), ruling))
        return
    sentence = _open_question(draft, finish)
    ruling = draft.rule("R12", sentence, seats=finish.last, house=used, evidence=finish)
    draft.add(e.RaceSettled("undecided", until, finish, finish.last, ruling))


def _house_rules(draft: Draft, finish: Finish) -> tuple[str, ...]:
    """Name the house rules that made this finish what it is."""
    used = {
        "hands_stay_down": draft.house.hands_stay_down,
        "handicap": any(place.handicap for place in finish.places),
        "no_slap": finish.no_slap and len(finish.last) > 1,
    }
    return tuple(name for name, was_used in used.items() if was_used)


def _verdict(draft: Draft, finish: Finish, cards: int) -> Sentence:
    name = draft.names(finish.last)
    if finish.early:
        return say("race_early", name=name, cards=cards)
    if finish.no_slap and len(finish.places) > 1:
        return say("race_missing", name=name, cards=cards)
    if finish.margin is None:
        return say("race_alone", name=name, cards=cards)
    ms = finish.margin / MILLISECOND
    margin = f"{ms:.3g}" if ms < 100 else str(round(ms))
    if finish.by_handicap:
        others = _with_head_start(draft, finish)
        return say("race_last_handicap", name=name, cards=cards, margin=margin, others=others)
    return say("race_last", name=name, cards=cards, margin=margin)


def _open_question(draft: Draft, finish: Finish) -> Sentence:
    names = draft.names(finish.last)
    if finish.no_slap:
        return say("race_no_slaps", names=names)
    within = doubt_of_last(finish, draft.timing)
    if within is None:
        return say("dead_heat", names=names)
    ms = within / MILLISECOND
    doubt = f"{ms:.2g}" if ms < 10 else str(round(ms))
    if finish.by_handicap:
        others = _with_head_start(draft, finish)
        return say("dead_heat_handicap", names=names, others=others, doubt=doubt)
    return say("dead_heat_within", names=names, doubt=doubt)


def _with_head_start(draft: Draft, finish: Finish) -> str:
    return draft.names(tuple(place.seat for place in finish.places if place.handicap))
