"""What if: by the same rules everything is judged as it was, and by others what would differ."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.past.review.cases import Cases, cases_of
from companion.past.review.rejudging import dealer_by, judged_again, rejudged
from companion.past.review.what_if import Difference, WhatIf, race_if, what_if
from companion.past.review.what_if_settings import (
    AS_THEY_SAT,
    HOUSE,
    TIMING,
    Wish,
    WrongWish,
    read_wish,
)
from companion.referee import commands as c
from companion.referee.events import Event
from companion.referee.model.cards import Card
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import MILLISECOND, SECOND, Timing
from companion.referee.model.table import Race, Table
from companion.referee.sentences import unpacked
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening
from tests.kit.night import facts_of
from tests.simulation.ghost.door import BareTable
from tests.simulation.ghost.plays.match import play_match
from tests.simulation.ghost.sheet import EXPRESS, FAST_AND_FURIOUS

MS = MILLISECOND
MATCHES = int(os.environ.get("WHAT_IF_MATCHES", "6"))
"""So many ghost matches of each edition are judged again; the soak judges more."""

_lines = msgspec.json.Decoder(Event, dec_hook=unpacked)


def played(evening: Evening, timing: Timing | None = None) -> Cases:
    """What was judged in an evening."""
    table = Table() if timing is None else Table(timing=timing)
    return cases_of(facts_of(evening.events, table))


def asked(cases: Cases, **said: Any) -> WhatIf:
    return what_if([cases], read_wish(said))


def as_it_was(cases: Cases) -> Wish:
    """Ask by name for what was played anyway, which is no question."""
    house = {name: getattr(cases.match.house, name) for name in HOUSE}
    timing = {f"{name}_ms": getattr(Timing(), name) / MS for name in TIMING}
    return read_wish({"house": house, "timing": timing, "scoring": cases.match.scoring})


def only(found: WhatIf) -> Difference:
    (difference,) = found.differences
    return difference


@pytest.mark.parametrize("edition", [FAST_AND_FURIOUS.key, EXPRESS.key])
def test_by_the_same_rules_every_ruling_of_a_ghost_match_comes_out_again(edition: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(MATCHES):
        door = BareTable(seed)
        play_match(seed, edition, door=door, compares=False)
        cases = cases_of(facts_of(map(_lines.decode, door.journal)))
        for case in cases.cases:
            was = replace(case.ruling, overruled=None)
            again = judged_again(case, Wish(), cases.pushes).ruling
            seen["read otherwise"] += again != was and not case.replaced
            assert rejudged(case, Wish(), cases.pushes).ruling == was, f"seed {seed}: {was}"
            seen[case.kind] += 1
        for deal in cases.deals:
            assert dealer_by(deal, Wish()) == deal.dealer
            seen["dealer"] += 1
        nothing = what_if([cases], Wish())
        assert (nothing.differences, nothing.winners) == ((), ()), f"seed {seed}"
        assert nothing.rulings == sum(not case.replaced for case in cases.cases)
        same = what_if([cases], as_it_was(cases))
        assert (same.differences, same.winners) == ((), ()), f"seed {seed}, asked for by name"
    assert seen.pop("read otherwise") <= seen.total() / 100, "what was settled may be read less"
    kinds = {"catch", "reverse", "challenge", "out", "score", "deal", "dealer"}
    races = {"race", "slap_off", "picked"} if edition == FAST_AND_FURIOUS.key else set()
    assert seen.keys() == kinds | races


def race(*afters: int, held: int = 80, **more: Any) -> Evening:
    """Ana lays, and the others slap so many milliseconds later; few hands need a tap to say so."""
    evening = Evening(len(afters) + 1, **more).start()
    evening.wait(20 * SECOND)
    slap(evening, *afters, held=held)
    if len(afters) < 3:
        evening.do(c.DeclareRace(ANA))
    evening.wait(2 * SECOND)
    return evening


def slap(evening: Evening, *afters: int, held: int = 80) -> int:
    """Let the hands of Ben and whoever follows land, and tell from when they are counted."""
    began = evening.now
    hands = [(after, seat, "press") for seat, after in enumerate(afters, start=2)]
    hands += [(after + held, seat, "let go") for after, seat, _ in hands]
    for after, seat, what in sorted(hands):
        evening.wait(began + after * MS - evening.now)
        if what == "press":
            evening.press(seat)
        else:
            evening.let_go(seat, began + afters[seat - 2] * MS)
    return began


def latest(evening: Evening) -> Race:
    return evening.round.races[-1]


def light_up(evening: Evening) -> int:
    """Begin a slap-off, wait for its light, and tell when it came."""
    evening.do(c.SlapOff())
    light = latest(evening).slap_off
    assert light is not None
    evening.wait(light.light_at - evening.now)
    return light.light_at


def test_a_clear_race_is_a_dead_heat_where_switches_are_trusted_less() -> None:
    cases = played(race(300, 340, 380))
    found = only(asked(cases, timing={"switch_tolerance_ms": 60}))
    assert (found.was.code, found.would.code[:9]) == ("race_last", "dead_heat")
    assert found.would.parts["names"] == (CLEO, DAN)
    assert [(more.name, more.cards) for more in found.draws] == [("Dan", -4)]
    assert (found.match, found.round, found.kind, found.change) == (1, 1, "race", "verdict")
    assert asked(cases, timing={"switch_tolerance_ms": 39}).differences == ()


def test_a_least_gap_makes_no_order_of_what_is_closer() -> None:
    cases = played(race(300, 340))
    assert only(asked(cases, timing={"least_gap_ms": 50})).would.code[:9] == "dead_heat"
    assert asked(cases, timing={"least_gap_ms": 30}).differences == ()


def test_a_tie_that_is_none_leaves_its_slap_off_nothing_to_decide() -> None:
    evening = race(300, 330, timing=Timing(switch_tolerance=40 * MS))
    light = light_up(evening)
    evening.wait(200 * MS)
    evening.tap(CLEO, light + 50 * MS)
    evening.tap(BEN, light + 150 * MS)
    evening.wait(SECOND)
    cases = played(evening, Timing(switch_tolerance=40 * MS))
    tie, off = asked(cases, timing={"switch_tolerance_ms": 1}).differences
    assert (tie.was.code[:9], tie.would.code) == ("dead_heat", "race_last")
    assert (off.was.code, off.would.code) == ("race_last", "what_if_not_needed")
    total = asked(cases, timing={"switch_tolerance_ms": 1}).draws
    assert [(more.name, more.cards) for more in total] == [("Ben", -4), ("Cleo", 4)]


def test_a_slap_off_is_judged_again_with_its_own_hands() -> None:
    evening = race(300, 300)
    light = light_up(evening)
    evening.wait(300 * MS)
    evening.tap(CLEO, light + 100 * MS)
    evening.tap(BEN, light + 150 * MS)
    evening.wait(SECOND)
    found = only(asked(played(evening), timing={"switch_tolerance_ms": 60}))
    assert (found.kind, found.was.code, found.would.code[:9]) == (
        "slap_off",
        "race_last",
        "dead_heat",
    )


def test_a_tie_with_more_hands_in_it_is_another_one_for_the_referee() -> None:
    evening = race(300, 340, 340)
    evening.do(c.PickLast((CLEO,)))
    wider = asked(played(evening), timing={"switch_tolerance_ms": 50})
    tie, pick = wider.differences
    assert tie.would.parts["names"] == (BEN, CLEO, DAN)
    assert (pick.kind, pick.would.code) == ("picked", "what_if_other_tie")


@pytest.mark.parametrize(
    ("held", "code"),
    [
        pytest.param(200, None, id="every hand was down when the last one came"),
        pytest.param(30, "what_if_open", id="hands that were let go at once"),
    ],
)
def test_hands_that_had_to_stay_down(held: int, code: str | None) -> None:
    cases = played(race(300, 360, held=held))
    found = asked(cases, house={"hands_stay_down": True})
    if code is None:
        assert found.differences == ()
    else:
        assert (only(found).would.code, only(found).change) == (code, "open")
        assert only(found).would.parts["names"] == (BEN, CLEO), "both had let go when it was ruled"


def test_hands_that_need_not_have_stayed_down() -> None:
    """Ben slapped first, let go, and had to slap again after Cleo; a tap would have done."""
    evening = Evening(house={"hands_stay_down": True}).start()
    evening.wait(20 * SECOND)
    at = evening.tap(BEN)
    evening.wait(200 * MS)
    evening.press(CLEO)
    evening.wait(400 * MS)
    evening.press(BEN, at + 600 * MS)
    evening.do(c.DeclareRace(ANA))
    evening.wait(3 * SECOND)
    found = only(asked(played(evening), house={"hands_stay_down": False}))
    assert (found.was.parts["name"], found.would.parts["name"]) == ((BEN,), (CLEO,))


def test_a_shorter_limit_makes_a_late_hand_a_missing_one() -> None:
    evening = Evening(4).start()
    evening.wait(20 * SECOND)
    evening.do(c.DeclareRace(ANA))
    slap(evening, 300, 400, 4_000)
    evening.wait(2 * SECOND)
    cases = played(evening)
    (case,) = cases.cases
    both = race_if(cases, case, read_wish({"timing": {"race_limit_ms": 2_500}}))
    assert (both.was.sentence.code, both.would.sentence.code) == ("race_last", "race_missing")
    assert both.change is None, "Dan draws in both, if for another reason"


def test_a_longer_limit_would_still_have_waited() -> None:
    evening = Evening(4).start()
    evening.wait(20 * SECOND)
    slap(evening, 300, 400)
    evening.do(c.DeclareRace(ANA))
    evening.wait(12 * SECOND)
    found = only(asked(played(evening), timing={"race_limit_ms": 20_000}))
    assert (found.was.code, found.would.code) == ("race_missing", "what_if_open")
    assert found.would.parts["names"] == (DAN,)


def test_several_who_never_slapped_may_all_draw() -> None:
    evening = Evening(4).start()
    evening.wait(20 * SECOND)
    evening.do(c.DeclareRace(ANA))
    slap(evening, 300)
    evening.wait(12 * SECOND)
    found = only(asked(played(evening), house={"no_slap": "all_draw"}))
    assert (found.was.code, found.would.code) == ("race_no_slaps", "race_missing")
    assert [(more.name, more.cards) for more in found.draws] == [("Cleo", 4), ("Dan", 4)]


def test_hands_that_the_tap_came_too_late_for_are_none_of_the_race() -> None:
    evening = Evening(3).start()
    evening.wait(40 * SECOND)
    slap(evening, 300, 400)
    evening.wait(20 * SECOND)
    evening.do(c.DeclareRace(ANA))
    evening.wait(SECOND)
    cases = played(evening)
    found = only(asked(cases, timing={"look_back_ms": 12_000}))
    assert (found.change, found.would.parts["names"]) == ("open", (BEN, CLEO))
    assert asked(cases, timing={"look_back_ms": 25_000}).differences == ()


def test_hammering_is_what_the_durations_say() -> None:
    """Dan touched his button three times before; in a shorter time that is none of it."""
    evening = Evening(4).start()
    evening.wait(20 * SECOND)
    for _ in range(3):
        evening.tap(DAN)
        evening.wait(700 * MS)
    slap(evening, 300, 400, 350)
    evening.wait(2 * SECOND)
    cases = played(evening)
    found = only(asked(cases, timing={"hammer_span_ms": 200}))
    assert (found.was.code, found.would.code) == ("race_hammered", "race_last")
    assert (found.was.parts["name"], found.would.parts["name"]) == ((DAN,), (CLEO,))


def test_hands_too_far_apart_for_a_bunch_show_no_race() -> None:
    cases = played(race(300, 600, 900))
    found = only(asked(cases, timing={"bunch_ms": 400}))
    assert (found.change, found.would.code) == ("verdict", "what_if_no_race")
    assert [(more.name, more.cards) for more in found.draws] == [("Dan", -4)]


def test_waiting_longer_for_what_is_on_its_way_changes_nothing() -> None:
    cases = played(race(300, 340, 380))
    assert asked(cases, timing={"settle_ms": 5_000}).differences == ()
    assert asked(cases, timing={"settle_ms": 0}).differences == ()


def test_a_touch_on_a_screen_is_as_uncertain_as_one_says() -> None:
    evening = Evening().start()
    evening.wait(20 * SECOND)
    evening.tap(BEN)
    evening.wait(40 * MS)
    evening.do(c.PressSeat(CLEO), after=0)
    evening.do(c.DeclareRace(ANA))
    evening.wait(SECOND)
    cases = played(evening)
    found = only(asked(cases, timing={"tablet_uncertainty_ms": 5}))
    assert (found.was.code[:9], found.would.code) == ("dead_heat", "race_last")


def test_a_head_start_makes_somebody_else_the_last() -> None:
    cases = played(race(300, 340, 380))
    found = only(asked(cases, handicaps={"Dan": 60}))
    assert found.would.parts["name"] == (CLEO,)
    assert [(more.name, more.cards) for more in found.draws] == [("Cleo", 4), ("Dan", -4)]
    (case,) = cases.cases
    both = race_if(cases, case, read_wish({"handicaps": {"Dan": 60}}))
    assert both.was.finish is not None
    assert both.would.finish is not None
    assert [place.seat for place in both.would.finish.places] == [BEN, DAN, CLEO]
    assert [place.seat for place in both.was.finish.places] == [BEN, CLEO, DAN]


def test_a_head_start_that_was_given_can_be_taken_away() -> None:
    evening = Evening(3)
    evening.do(c.SetHandicap(CLEO, 100))
    evening.start()
    evening.wait(20 * SECOND)
    slap(evening, 300, 350)
    evening.do(c.DeclareRace(ANA))
    evening.wait(SECOND)
    found = only(asked(played(evening), handicaps={"Cleo": 0}))
    assert (found.was.parts["name"], found.would.parts["name"]) == ((BEN,), (CLEO,))


def one_card_left(call: int | None, catch: int, apart: int = 500, **house: Any) -> Evening:
    """Ben lays his last card but one, calls and is caught so many milliseconds later."""
    evening = Evening(house=house, way="refereed").refereed()
    evening.hands(ben=2)
    evening.wait(5 * SECOND)
    evening.play("red-7")
    at = evening.now
    presses = [(catch, CLEO), (catch + apart, CLEO), *([(call, BEN)] if call is not None else [])]
    for after, seat in sorted(presses):
        evening.wait(at + after * MS - evening.now)
        evening.tap(seat)
    evening.wait(2 * SECOND)
    return evening


def test_a_wrong_catch_costs_what_the_house_says() -> None:
    cases = played(one_card_left(100, 400))
    found = only(asked(cases, house={"wrong_catch_draws": 2}))
    assert (found.rule, found.kind) == ("R13", "catch")
    assert [(more.name, more.cards) for more in found.draws] == [("Cleo", 2)]
    (case,) = cases.cases
    alone = race_if(cases, case, read_wish({"house": {"wrong_catch_draws": 2}}))
    assert (alone.change, alone.was.finish) == ("verdict", None)


def test_a_catch_of_somebody_who_is_not_on_one_card_costs_as_much() -> None:
    evening = Evening(way="refereed").refereed()
    evening.do(c.Catch(BEN, by=CLEO))
    evening.wait(SECOND)
    found = only(asked(played(evening), house={"wrong_catch_draws": 3}))
    assert (found.kind, found.was.code) == ("catch", "catch_not_on_one")
    assert [(more.name, more.cards) for more in found.draws] == [("Cleo", 3)]


def test_call_and_catch_together_go_to_whom_the_house_says() -> None:
    cases = played(one_card_left(100, 100))
    found = only(asked(cases, house={"tie_goes_to": "catcher"}))
    assert (found.was.code, found.would.code) == ("called_in_time", "caught")
    late = played(one_card_left(130, 100))
    kept = only(asked(late, timing={"switch_tolerance_ms": 50}))
    assert (kept.was.code, kept.would.code) == ("caught", "called_in_time")


def test_two_presses_too_far_apart_are_no_catch() -> None:
    cases = played(one_card_left(None, 400, apart=900))
    found = only(asked(cases, timing={"catch_most_ms": 600}))
    assert (found.was.code, found.would.code) == ("caught", "what_if_no_catch")
    assert [(more.name, more.cards) for more in found.draws] == [("Ben", -2)]


def test_how_far_back_a_call_counts_in_free_play() -> None:
    evening = Evening().start()
    evening.wait(20 * SECOND)
    evening.tap(BEN)
    evening.wait(4 * SECOND)
    evening.tap(CLEO)
    evening.wait(2 * SECOND)
    evening.do(c.Catch(BEN, by=CLEO))
    evening.wait(SECOND)
    found = only(asked(played(evening), timing={"call_reach_ms": 3_000}))
    assert (found.was.code, found.would.code) == ("called_before", "caught")


def test_a_reverse_between_two_is_told_where_the_round_would_have_turned() -> None:
    evening = Evening(2, way="refereed").refereed()
    evening.play("red-reverse")
    found = only(asked(played(evening), house={"reverse_skips_for_two": True}))
    assert (found.change, found.was.code, found.would.code) == ("course", "reversed", "skipped")


def test_a_rightful_challenge_without_its_turn_is_told() -> None:
    evening = Evening(way="refereed").refereed()
    evening.play("wild-draw blue")
    evening.do(c.Challenge(guilty=True))
    found = only(asked(played(evening), house={"guilty_gives_turn_back": False}))
    assert (found.change, found.would.code) == ("course", "what_if_no_turn_back")
    assert found.would.parts["name"] == (CLEO,)


def test_a_street_race_as_the_last_card_is_told() -> None:
    evening = Evening(way="refereed").refereed()
    evening.hands(ben=1)
    evening.play("street-race blue")
    found = only(asked(played(evening), house={"race_on_last_card": True}))
    assert (found.change, found.would.code) == ("course", "what_if_raced")


def test_a_tie_for_the_deal_is_told() -> None:
    evening = Evening(2)
    evening.do(c.StartMatch())
    evening.do(c.DrawForDeal({ANA: Card("red-5"), BEN: Card("blue-5")}))
    found = only(asked(played(evening), house={"deal_tie": "first_seat"}))
    assert (found.change, found.was.code, found.would.code) == ("course", "deal_tie", "deals")


def scored(evening: Evening, out: int, **points: int) -> None:
    evening.do(c.GoOut(out))
    for name, left in points.items():
        evening.do(c.EnterPoints(("ana", "ben", "cleo").index(name) + 1, left))
    evening.do(c.ScoreRound())


def test_another_dealer_is_told_for_every_round_that_he_would_have_dealt() -> None:
    evening = Evening().start()
    scored(evening, CLEO, ana=10, ben=10)
    evening.do(c.Deal())
    found = only(asked(played(evening), house={"next_dealer": "winner"}))
    assert (found.rule, found.round, found.ruling) == ("R20", 2, None)
    assert (found.was.parts["name"], found.would.parts["name"]) == ((BEN,), (CLEO,))


def test_another_scoring_may_have_another_winner() -> None:
    evening = Evening().start()
    scored(evening, CLEO, ana=100, ben=200)
    evening.do(c.Deal())
    scored(evening, BEN, ana=400, cleo=60)
    evening.do(c.Deal())
    scored(evening, BEN, ana=10, cleo=40)
    found = asked(played(evening), scoring="alternative")
    (other,) = found.winners
    assert (other.was, other.was_in) == (("Ben",), 3)
    assert (other.would, other.would_in, other.rounds) == (("Cleo",), 2, 3)
    assert found.differences == ()


def test_equal_lowest_tallies_share_or_play_on() -> None:
    evening = Evening(scoring="alternative").start()
    scored(evening, BEN, ana=0, cleo=500)
    (other,) = asked(played(evening), house={"lowest_tie": "play_on"}).winners
    assert (other.was, other.was_in) == (("Ana", "Ben"), 1)
    assert (other.would, other.would_in) == ((), None)


def test_only_one_round_can_be_asked_for() -> None:
    evening = race(300, 340)
    evening.do(c.Drawn(evening.round.debts[0].number))
    scored(evening, BEN, ana=10, cleo=20)
    evening.do(c.Deal())
    cases = played(evening)
    wish = read_wish({"timing": {"switch_tolerance_ms": 60}})
    assert len(what_if([cases], wish, 1).differences) == 1
    assert what_if([cases], wish, 2).differences == ()


def test_what_the_referee_overruled_would_have_stood_either_way() -> None:
    evening = race(300, 340)
    evening.do(c.Overrule(evening.ruling.number, (BEN,), 2))
    found = asked(played(evening), timing={"switch_tolerance_ms": 60})
    assert only(found).overruled is not None
    assert (only(found).draws, found.draws) == ((), ())


def test_what_was_taken_back_is_not_judged_again() -> None:
    evening = race(300, 340)
    evening.do(c.Undo())
    assert played(evening).cases == ()
    evening.do(c.Redo())
    assert len(played(evening).cases) == 1


@pytest.mark.parametrize(
    ("said", "words"),
    [
        pytest.param({"house": {"no_such": 1}}, "House rules to judge by are", id="no such rule"),
        pytest.param({"house": {"most_players": 4}}, "House rules", id="who sat there, sat there"),
        pytest.param({"house": {"target": 100}}, "House rules", id="it was won when it was"),
        pytest.param({"house": {"no_slap": "dance"}}, "No house rule says", id="no such choice"),
        pytest.param({"house": {"wrong_catch_draws": 99}}, "No house rule", id="far too many"),
        pytest.param({"timing": {"hold_ms": 5}}, "Durations to judge by", id="no such duration"),
        pytest.param({"timing": {"slap_off_most_ms": 5}}, "Durations to", id="a dark that is past"),
        pytest.param({"timing": {"race_limit_ms": -1}}, "at least 0", id="before it began"),
        pytest.param({"timing": {"race_limit_ms": 1e9}}, "at most", id="for ever"),
        pytest.param({"handicaps": {"Ana": 9_999}}, "at most 2000", id="a head start for a snail"),
        pytest.param({"handicaps": {str(n): 1 for n in range(99)}}, "So many", id="a crowd"),
        pytest.param({"scoring": "golf"}, "cannot be judged by", id="another game"),
        pytest.param({"colour": "red"}, "cannot be judged by", id="something else"),
        pytest.param({"timing": {"race_limit_ms": "long"}}, "cannot be judged", id="no number"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(said: dict[str, Any], words: str) -> None:
    with pytest.raises(WrongWish, match=words):
        read_wish(said)


def test_every_house_rule_and_every_duration_can_be_asked_for() -> None:
    assert set(HOUSE) == set(HouseRules.__struct_fields__) - set(AS_THEY_SAT)
    assert set(Timing.__struct_fields__) - set(TIMING) == {"slap_off_least", "slap_off_most"}
