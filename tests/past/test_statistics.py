"""What is told of a night: hands, shaves, rivals and catches, through all that may happen to it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from sqlite3 import Connection
from types import SimpleNamespace

import pytest
from flask import Flask
from msgspec.structs import replace

from companion.past.briefs import MatchFilter, read_briefs
from companion.past.facts import CallHighlight
from companion.past.highlights import CatchHighlight, Highlights, RaceHighlight, SlapHighlight
from companion.past.past import EVERY_MATCH
from companion.past.statistics.answers import answer
from companion.past.statistics.racing import Beaten, ClosestRace, Hand, Rivals, Slaps
from companion.past.statistics.registry import STATISTICS
from companion.past.statistics.scoring import Comeback, Points, Rate, Winner
from companion.past.statistics.statistic import PersonFigure, Statistic, counts
from companion.past.tables.match_rows import rows_of
from companion.past.tables.past_file import MATCH_TABLES, insert_rows
from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.night import ANA, BEN, CLEO, FAST, Night, until
from web.api.past.reference import reference

SLAP_OFF = {"timing": {**FAST["timing"], "slap_off_least_ms": 50, "slap_off_most_ms": 60}}


@pytest.fixture
def quick(tmp_path):
    """A table on which races are short, and may follow each other closely."""
    with Night(tmp_path, **SLAP_OFF) as night:
        yield night


def told(night: Night, wanted: MatchFilter = EVERY_MATCH) -> SimpleNamespace:
    return SimpleNamespace(**night.past.statistics(wanted))


def told_of(night: Night, highlights: Highlights) -> SimpleNamespace:
    """What would be told of a match in which nothing but this has happened."""

    def asked(tables: Connection) -> dict[str, object]:
        record = night.past.match(1)
        assert record is not None
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
            tables.backup(copy)
            for table in MATCH_TABLES:
                copy.execute(f"DELETE FROM {table} WHERE match = 1")
            insert_rows(copy, 1, rows_of(record.sheet, highlights))
            listed = read_briefs(copy, night.past.model.names(), -1)[1]
            return answer(copy, [listed])

    return SimpleNamespace(**night.past.model.ask(asked))


def race(night: Night, *, order: tuple[int, ...] = (CLEO, BEN), apart: int = 30) -> None:
    """Ana lays, and the others slap in this order, so many milliseconds apart."""
    night.slap(*order, apart=apart)


def pay(night: Night) -> None:
    for debt in night.round.debts:
        night.do(c.Drawn(debt.number))


def test_a_race_is_told_with_its_hands_and_its_margin(quick):
    quick.deal()
    race(quick)
    night = told(quick)
    assert (night.races, night.dead_heats) == (1, 0)
    assert night.shave == ClosestRace("Ben", "Cleo", 30 * MILLISECOND, 1, 1, quick.race.ruling)
    assert night.hands == (
        Hand("Cleo", 1, first=1, last=0, behind=0, safe=1, slaps=None),
        Hand("Ben", 1, first=0, last=1, behind=30 * MILLISECOND, safe=0, slaps=None),
    )
    assert night.beaten == (Beaten("Ben", "Cleo", 1),)
    assert night.people == ("Ana", "Ben", "Cleo")


def test_only_a_light_tells_how_fast_somebody_is(quick):
    quick.deal()
    race(quick, apart=0)
    quick.do(c.SlapOff())
    light = quick.race.slap_off.light_at
    until(lambda: quick.worker.now() > light + 130 * MILLISECOND)
    lit = light - quick.worker.clock.offset
    quick.press(CLEO, lit + 100 * MILLISECOND)
    quick.press(BEN, lit + 130 * MILLISECOND)
    until(lambda: quick.race.state == "ruled")
    night = told(quick)
    assert (night.races, night.dead_heats) == (1, 1)
    hands = {hand.name: hand for hand in night.hands}
    assert (hands["Cleo"].slaps, hands["Ben"].slaps) == (once(100), once(130))
    assert (hands["Cleo"].behind, hands["Ben"].behind) == (0, 0)
    assert (hands["Cleo"].last, hands["Ben"].last) == (0, 1)
    assert night.shave is not None
    assert night.shave.ruling == quick.race.ruling


def test_whoever_races_alone_is_last_and_never_first(quick):
    for seat, name in ((ANA, "Ana"), (BEN, "Ben")):
        quick.do(c.Sit(name, seat, seat))
    for command in (c.StartMatch(), c.ChooseDealer(ANA), c.Deal()):
        quick.do(command)
    race(quick, order=(BEN,))
    (ben,) = told(quick).hands
    assert (ben.races, ben.first, ben.last) == (1, 0, 1)


def once(ms: int) -> Slaps:
    """The times of somebody who has slapped once."""
    time = ms * MILLISECOND
    return Slaps(1, time, time, time, time, (*[0] * (ms // 20), 1), (time,))


def test_who_fights_for_the_last_place_again_and_again_are_rivals(quick):
    quick.deal()
    for order in ((CLEO, BEN), (BEN, CLEO), (CLEO, BEN)):
        race(quick, order=order)
        pay(quick)
    assert told(quick).rivals == (Rivals(("Ben", "Cleo"), 3, (2, 1)),)


def test_a_dead_heat_that_the_referee_decides_is_one_race(quick):
    quick.deal()
    race(quick, apart=0)
    assert quick.race.state == "undecided"
    assert told(quick).dead_heats == 1
    quick.do(c.PickLast((BEN,)))
    night = told(quick)
    assert (night.races, night.dead_heats, night.shave) == (1, 1, None)
    assert {hand.name: (hand.first, hand.last) for hand in night.hands} == {
        "Ben": (0, 1),
        "Cleo": (0, 0),
    }
    assert night.beaten == (Beaten("Ben", "Cleo", 1),)


@pytest.mark.parametrize(
    "away",
    [
        pytest.param(c.CancelRace(), id="cancelled"),
        pytest.param(c.Undo(), id="undone"),
    ],
)
def test_a_race_that_does_not_count_is_not_told(quick, away):
    quick.deal()
    race(quick)
    assert told(quick).races == 1
    quick.do(away)
    assert told(quick).races == 0


def test_an_overruled_race_is_not_told_and_a_redone_one_is(quick):
    quick.deal()
    race(quick)
    quick.do(c.Overrule(quick.race.ruling))
    assert told(quick).races == 0
    quick.do(c.Undo())
    assert told(quick).races == 1
    quick.do(c.Redo())
    assert told(quick).races == 0


def test_another_layer_changes_who_raced(quick):
    quick.deal()
    race(quick)
    quick.do(c.ChangeLayer(BEN))
    until(lambda: quick.race.ruling is not None)
    assert {hand.name for hand in told(quick).hands} == {"Ana", "Cleo"}


def test_a_race_that_is_judged_again_is_told_once_and_by_its_last_ruling(quick):
    quick.deal()
    race(quick)
    quick.do(c.ChangeLayer(BEN))
    until(lambda: quick.race.ruling is not None)
    night = told(quick)
    assert night.races == 1
    (moment,) = quick.past.highlights(1).races
    assert moment.ruling == quick.race.ruling


def test_catches_are_told_for_both_sides(quick):
    quick.deal()
    quick.do(c.Catch(BEN, by=ANA))
    until(lambda: quick.round.debts)
    pay(quick)
    quick.do(c.Call(CLEO))
    quick.do(c.Catch(CLEO, by=BEN))
    until(lambda: len(quick.past.highlights(1).catches) == 2)
    figures = {
        one.name: (one.calls, one.caught, one.missed, one.forgot, one.saved)
        for one in told(quick).calls
    }
    assert figures == {"Ana": (0, 1, 0, 0, 0), "Ben": (0, 0, 1, 1, 0), "Cleo": (1, 0, 0, 0, 1)}


def test_the_push_of_a_catch_is_no_call(quick):
    quick.deal()
    quick.tap(ANA)
    quick.settle()
    until(lambda: calls(quick) == {"Ana": 1})
    quick.do(c.Catch(BEN, by=ANA))
    until(lambda: quick.round.debts)
    assert calls(quick) == {"Ana": 0, "Ben": 0}


def test_pushing_again_and_again_is_one_call(quick):
    quick.deal()
    pushes = [CallHighlight(1, BEN, late * SECOND) for late in (0, 2, 4, 8)]
    pushes += [CallHighlight(2, BEN, 9 * SECOND), CallHighlight(1, CLEO, 1 * SECOND)]
    night = told_of(quick, Highlights(calls=tuple(pushes)))
    assert {one.name: one.calls for one in night.calls} == {"Ben": 3, "Cleo": 1}


def test_a_call_that_is_withdrawn_or_undone_is_none(quick):
    quick.deal()
    quick.do(c.Call(BEN))
    quick.do(c.Call(BEN))
    assert calls(quick) == {"Ben": 1}
    quick.do(c.WithdrawCall(BEN))
    assert calls(quick) == {}
    quick.do(c.Undo())
    assert calls(quick) == {"Ben": 1}
    for _ in range(2):
        quick.do(c.Undo())
    assert calls(quick) == {}


def test_hands_that_were_a_race_after_all_have_not_called(tmp_path):
    """Nobody says so at first, and the table takes them for calls."""
    late = {"timing": {**FAST["timing"], "look_back_ms": 30_000}}
    with Night(tmp_path, **late) as night:
        night.deal()
        for seat in (BEN, CLEO):
            night.tap(seat)
        until(lambda: calls(night) == {"Ben": 1, "Cleo": 1})
        night.do(c.DeclareRace(ANA))
        until(lambda: night.race.ruling is not None)
        assert calls(night) == {}


def test_a_push_that_is_taken_back_was_no_call(quick):
    quick.deal()
    quick.tap(BEN)
    quick.settle()
    until(lambda: calls(quick) == {"Ben": 1})
    quick.do(c.Undo())
    assert calls(quick) == {}
    quick.do(c.Redo())
    assert calls(quick) == {"Ben": 1}


def calls(night: Night) -> dict[str, int]:
    return {one.name: one.calls for one in told(night).calls}


def test_a_player_who_changed_places_keeps_the_own_moments(quick):
    quick.deal()
    race(quick)
    pay(quick)
    quick.score_round()
    quick.do(c.Swap(BEN, CLEO))
    quick.do(c.Deal())
    race(quick, order=(CLEO, BEN))
    hands = {hand.name: (hand.first, hand.last) for hand in told(quick).hands}
    assert hands == {"Cleo": (1, 1), "Ben": (1, 1)}


def test_figures_after_a_restart_are_the_same(quick):
    quick.deal()
    race(quick)
    pay(quick)
    quick.score_round(BEN, 400)
    before = told(quick)
    quick.do(c.Rematch())
    quick.do(c.ChooseDealer(ANA))
    quick.do(c.Deal())
    race(quick, apart=20)
    both = told(quick)
    assert (both.matches, both.races, both.rounds) == ((1,), 2, 1)
    assert both.shave is not None
    assert both.shave.match == 2
    quick.reopen()
    assert told(quick) == both
    assert told(quick, MatchFilter(until=1)) == before


def test_a_hand_that_never_came_is_nobodys_rival(quick):
    quick.deal()
    hands = (SlapHighlight(2, 0), SlapHighlight(3, None))
    never = RaceHighlight(5, 1, "hands", 9, 1, hands, (3,), None, "never_slapped", of=9)
    again = replace(never, ruling=8, start=19, of=19)
    alone = RaceHighlight(6, 1, "tablet", 10, 1, (SlapHighlight(2, 0),), (2,), None, of=10)
    moments = Highlights((never, again, alone), (CatchHighlight(7, 1, 3, None, caught=True),))
    night = told_of(quick, moments)
    assert (night.rivals, night.shave) == ((), None)
    assert [hand.name for hand in night.hands] == ["Ben", "Cleo"]
    cleo = night.hands[1]
    assert (cleo.races, cleo.last, cleo.behind, cleo.slaps) == (2, 2, None, None)
    assert night.beaten == (Beaten("Cleo", "Ben", 2),)
    assert night.calls[0].forgot == 1


def test_a_head_start_moves_a_place_and_not_the_time_of_a_hand(quick):
    quick.deal()
    slaps = (SlapHighlight(2, 90, handicap=60), SlapHighlight(3, 100))
    moments = Highlights((RaceHighlight(5, 1, "slap_off", 9, 1, slaps, (3,), 10, of=9),))
    hands = {hand.name: hand for hand in told_of(quick, moments).hands}
    assert hands["Ben"].slaps is not None
    assert hands["Cleo"].slaps is not None
    assert (hands["Ben"].slaps.best, hands["Cleo"].slaps.best) == (150, 100)
    assert (hands["Ben"].first, hands["Cleo"].last) == (1, 1)


def test_whoever_hammers_is_never_first_and_has_no_time(quick):
    quick.deal()
    slaps = (SlapHighlight(2, 0), SlapHighlight(3, 40), SlapHighlight(1, None, hammered=True))
    hammered = RaceHighlight(5, 1, "hands", 9, 4, slaps, (1,), None, of=9)
    night = told_of(quick, Highlights((hammered,)))
    hands = {hand.name: hand for hand in night.hands}
    assert [hands[name].first for name in ("Ana", "Ben", "Cleo")] == [0, 1, 0]
    assert (hands["Ana"].behind, hands["Ana"].last) == (None, 1)
    assert Beaten("Ana", "Cleo", 1) in night.beaten
    none = replace(hammered, outcome="no_order", last=(1, 2, 3), tied=(1, 2, 3))
    assert told_of(quick, Highlights((none,))).beaten == ()


def test_with_a_button_that_did_not_work_nobody_was_surely_first(quick):
    quick.deal()
    slaps = (SlapHighlight(2, 0), SlapHighlight(1, 40))
    asked = RaceHighlight(5, 1, "hands", 9, 4, slaps, (1, 3), 40, "unusable", of=9, unusable=(3,))
    picked = replace(asked, outcome="picked", last=(3,))
    night = told_of(quick, Highlights((picked,)))
    hands = {hand.name: (hand.races, hand.first, hand.last) for hand in night.hands}
    assert hands == {"Ana": (1, 0, 0), "Ben": (1, 0, 0), "Cleo": (1, 0, 1)}
    assert (night.beaten, night.shave) == ((Beaten("Ana", "Ben", 1),), None)


def test_a_match_that_was_started_by_mistake_counts_for_nobody(quick):
    quick.deal()
    quick.score_round(BEN, 400)
    quick.do(c.Rematch())
    night = told(quick)
    assert (night.matches, night.rounds) == ((1,), 1)
    assert told(quick, MatchFilter(since=2)).people == ()


def test_a_dead_heat_and_its_slap_off_are_one_race_that_the_second_decides(quick):
    quick.deal()
    hands = (SlapHighlight(2, 0), SlapHighlight(3, 1))
    heat = RaceHighlight(
        5, 1, "hands", 9, 1, hands, (2, 3), 1, "dead_heat", tied=(2, 3), heat=True, of=9
    )
    jumped = (SlapHighlight(3, None, early=True), SlapHighlight(2, 4))
    early = RaceHighlight(6, 1, "slap_off", 70, 1, jumped, (3,), 9, "false_start", of=9)
    night = told_of(quick, Highlights((heat, early)))
    assert (night.races, night.dead_heats, night.shave) == (1, 1, None)
    told = {hand.name: (hand.races, hand.first, hand.last) for hand in night.hands}
    assert told == {"Ben": (1, 0, 0), "Cleo": (1, 0, 1)}
    assert night.beaten == (Beaten("Cleo", "Ben", 1),)


ANA_SCORES, BEN_SCORES = (ANA, {BEN: 30, CLEO: 40}), (BEN, {ANA: 200, CLEO: 120})


def test_points_wins_and_comebacks_are_told_from_the_sheet(quick):
    quick.deal()
    for number, (out, points) in enumerate((ANA_SCORES, BEN_SCORES, BEN_SCORES)):
        if number:
            quick.do(c.Deal())
        quick.do(c.GoOut(out))
        for seat, left in points.items():
            quick.do(c.EnterPoints(seat, left))
        quick.do(c.ScoreRound())
    night = told(quick)
    assert night.winners == (Winner("Ben", 1, 2, 1), Winner("Ana", 0, 1, 0))
    assert night.comebacks == (Comeback("Ben", 1, "classic", 70, 2, (-70, 250, 570)),)
    ben = next(one for one in night.points if one.name == "Ben")
    assert ben == Points("Ben", 3, 2, 30, 640, 320, 30, (0, 0, 0, 1), (*[0] * 32, 2))
    assert night.rates == tuple(
        Rate(name, "fast-and-furious", "Fast & Furious", "classic", 1, won)
        for name, won in (("Ben", 1), ("Ana", 0), ("Cleo", 0))
    )
    assert told(quick, MatchFilter(scoring="alternative")).rates == ()


def test_the_same_question_is_answered_from_memory_until_something_is_added(quick):
    quick.deal()
    quick.score_round()
    first = quick.past.statistics(EVERY_MATCH)
    assert quick.past.statistics(EVERY_MATCH) is first
    assert quick.past.statistics(MatchFilter(players=("Nobody",)))["matches"] == ()
    assert quick.past.statistics(EVERY_MATCH) is first
    quick.do(c.Deal())
    quick.score_round()
    assert told(quick).rounds == first["rounds"] + 1


TOY = Statistic(
    "guests",
    ("SELECT name, count(*) FROM people GROUP BY name ORDER BY count(*) DESC, name",),
    counts,
    tuple[PersonFigure, ...],
    "bars",
)
"""How many matches somebody has played: a statistic that is nothing but declared."""


def test_a_new_statistic_is_declared_and_goes_out_with_the_others(quick, monkeypatch):
    monkeypatch.setattr("companion.past.statistics.answers.STATISTICS", (*STATISTICS, TOY))
    quick.deal()
    quick.score_round()
    app = Flask("table")
    app.register_blueprint(reference(quick.worker, quick.past))
    answer = app.test_client().get("/api/statistics").get_json()
    assert answer["guests"] == [{"name": name, "value": 1} for name in ("Ana", "Ben", "Cleo")]
    assert answer["pictures"] == {"guests": "bars"}
    assert answer["rounds"] == 1
