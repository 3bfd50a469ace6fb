"""What a screen shows of the table, for tables put together by hand."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from companion.referee.edition import EXPRESS, FAST_AND_FURIOUS
from companion.referee.house import HouseRules
from companion.referee.presses import MILLISECOND, Press
from companion.referee.rulings import Finish, Ruling
from companion.referee.sentences import Sentence
from companion.referee.table import (
    Debt,
    Entrant,
    Game,
    Left,
    Match,
    Race,
    Round,
    ScoredRound,
    Seat,
    SlapOffLight,
    Step,
    Stint,
    Table,
    Window,
)
from companion.view import View, view

ANA, BEN, CAM = Seat(1, 11, "Ana", 4), Seat(2, 12, "Ben", 5), Seat(5, 13, "Cam")
THREE = (ANA, BEN, CAM)


def table(match: Match | None = None, **changes) -> Table:
    game = Game(seats=THREE, match=match, players=13, matches=1)
    return replace(Table(version=7, game=game), **changes)


def match(round_: Round | None = None, **changes) -> Match:
    entrants = tuple(Entrant(seat.player, seat.name, (Stint(0),)) for seat in THREE)
    started = Match(1, FAST_AND_FURIOUS, "classic", "free", HouseRules(), entrants, dealer=1)
    return replace(started, **{"dealer_chosen": True, "round": round_, **changes})


def round_(**changes) -> Round:
    return replace(Round(1, (1, 2, 5), dealer=1, way="free"), **changes)


def refereed(**changes) -> Round:
    hands = {1: 7, 2: 7, 5: 7}
    return replace(
        round_(way="refereed", hands=hands, turn=2, top="red-5", colour="red"), **changes
    )


def seat(shown: View, number: int):
    return next(seat for seat in shown.seats if seat.number == number)


def test_an_empty_table_invites_to_sit_down():
    shown = view(Table())
    assert (shown.phase, shown.next.code, shown.seats) == ("seating", "next.sit", ())
    assert shown.next.text == "Press your button to sit down."


@pytest.mark.parametrize(
    ("players", "code"),
    [
        pytest.param((ANA,), "next.one_more", id="one alone waits for another"),
        pytest.param((ANA, BEN), "next.start", id="two can start"),
    ],
)
def test_who_sits_decides_whether_the_match_can_start(players, code):
    assert view(Table(game=Game(seats=players))).next.code == code


def test_a_seat_that_awaits_a_button_is_asked_for_it_by_name():
    shown = view(table(awaiting_button=5))
    assert (shown.awaiting_button, shown.next.text) == (
        5,
        "Press the button that Cam should have.",
    )


def test_a_seat_tells_whether_its_player_has_paired_a_phone():
    ben = seat(view(table()), 2).player
    assert [one.phone for one in view(table()).seats] == [False, False, False]
    assert [one.phone for one in view(table(), phones={ben, 99}).seats] == [False, True, False]


def test_a_broken_button_is_named_at_its_seat():
    shown = view(table(aside={5: "stuck"}))
    assert (seat(shown, 1).aside, seat(shown, 2).aside, seat(shown, 5).aside) == (
        None,
        "stuck",
        None,
    )


@pytest.mark.parametrize(
    ("started", "phase", "code"),
    [
        pytest.param(match(dealer=None), "deal", "next.draw_for_deal", id="nobody deals yet"),
        pytest.param(
            match(dealer=None, deal_tied=(1, 5)), "deal", "next.draw_again", id="two drew a nine"
        ),
        pytest.param(match(), "between", "next.deal", id="the dealer may deal"),
        pytest.param(match(round_()), "play", "next.free_race", id="free play with a Street Race"),
        pytest.param(
            match(round_(), edition=EXPRESS), "play", "next.free", id="free play without one"
        ),
        pytest.param(
            match(refereed(top=None)), "first_card", "next.turn_up", id="no card is turned up yet"
        ),
        pytest.param(match(refereed()), "play", "next.turn", id="Ben is next"),
        pytest.param(
            match(refereed(chooser=1)), "play", "next.colour", id="Ana has not named the colour"
        ),
        pytest.param(
            match(round_(debts=(Debt(3, 2, 4, 2),))), "play", "next.draw_debts", id="Ben owes four"
        ),
        pytest.param(
            match(round_(window=Window(2, 0, catch=Press(1, 5, 0)))),
            "play",
            "next.catch",
            id="Ana says that Ben did not call",
        ),
        pytest.param(match(round_(out=1)), "hands", "next.hands", id="Ana went out"),
        pytest.param(
            match(round_(out=1, debts=(Debt(3, 2, 2, 2),))),
            "hands",
            "next.draw_debts",
            id="Ana went out with a Draw Two, which Ben draws first",
        ),
        pytest.param(
            match(round_(out=1, left={2: Left(20), 5: Left(5)})),
            "hands",
            "next.score",
            id="both hands are counted",
        ),
    ],
)
def test_every_state_says_what_to_do_next(started, phase, code):
    shown = view(table(started))
    assert (shown.phase, shown.next.code) == (phase, code)


def test_a_won_match_names_its_winner_until_the_table_plays_on():
    scored = ScoredRound(1, 12, {11: Left(300), 13: Left(210)})
    won = view(table(match(rounds=(scored,))))
    assert won.phase == "won"
    assert won.next.text.startswith("Ben won the match.")
    assert won.match is not None
    assert won.match.winners == (12,)
    assert view(table(match(rounds=(scored,), playing_on=True))).phase == "between"


def test_the_table_shows_whose_turn_it_is_and_how_many_cards_each_holds():
    shown = view(table(match(refereed(hands={1: 7, 2: 1, 5: 9}, window=Window(2, 0)))))
    assert [(s.number, s.turn, s.dealer, s.hand, s.on_one) for s in shown.seats] == [
        (1, False, True, 7, False),
        (2, True, False, 1, True),
        (5, False, False, 9, False),
    ]


def test_in_free_play_no_hand_is_counted_and_nobody_is_known_to_be_on_one():
    shown = view(table(match(round_(window=Window(2, 0, catch=Press(1, 5, 0))))))
    assert {s.hand for s in shown.seats} == {None}
    assert not any(s.on_one for s in shown.seats)
    assert shown.uno is not None
    assert shown.uno.seat == 2


@pytest.mark.parametrize(
    "called",
    [
        pytest.param(round_(calls={5: Press(5, 3, 0)}), id="on record"),
        pytest.param(refereed(window=Window(5, 0, call=Press(5, 3, 0))), id="in the window"),
    ],
)
def test_a_call_shows_at_its_seat(called):
    assert [s.called for s in view(table(match(called))).seats] == [False, False, True]


def running_race(**changes) -> Race:
    race = Race(
        layer=1,
        declared_at=1000 * MILLISECOND,
        since=500 * MILLISECOND,
        deadline=11_000 * MILLISECOND,
        racers=(2, 5),
        how="hold",
        presses=(
            Press(1, 1000 * MILLISECOND, 0),
            Press(5, 1200 * MILLISECOND, 0),
            Press(5, 1100 * MILLISECOND, 10),
            Press(2, 400 * MILLISECOND, 0),
        ),
    )
    return replace(race, **changes)


def test_a_running_race_shows_first_presses_since_it_may_look_back():
    shown = view(table(match(round_(race=running_race()))))
    assert shown.race is not None
    assert [(s.seat, s.after, s.uncertainty) for s in shown.race.slaps] == [
        (5, 100 * MILLISECOND, 10)
    ]
    assert [(s.number, s.racing, s.slapped) for s in shown.seats] == [
        (1, False, False),
        (2, True, False),
        (5, False, True),
    ]
    assert shown.next.text == "Slap! Still to come: Ben."


def test_where_hands_stay_down_a_released_button_has_not_slapped():
    let_go = (Press(5, 1100 * MILLISECOND, 0, released_at=1150 * MILLISECOND),)
    house = HouseRules(hands_stay_down=True)
    shown = view(table(match(round_(race=running_race(presses=let_go)), house=house)))
    assert seat(shown, 5).racing


def test_a_racer_with_a_broken_button_is_not_waited_for():
    shown = view(table(match(round_(race=running_race(aside=(2,))))))
    assert not seat(shown, 2).racing
    assert shown.next.code == "next.all_slapped"


def test_a_dead_heat_names_the_tied_and_a_slap_off_waits_for_them():
    undecided = running_race(state="undecided", tied=(2, 5))
    shown = view(table(match(round_(race=undecided))))
    assert shown.next.text.startswith("Too close to tell: Ben, Cam.")
    assert not any(s.racing for s in shown.seats)

    never = Finish(1, 0, (), last=(2, 5), margin=None, doubt=None, no_slap=True)
    missing = view(table(match(round_(race=replace(undecided, finish=never)))))
    assert missing.next.code == "next.no_slaps"
    assert missing.next.text.startswith("Ben, Cam never slapped.")

    light = SlapOffLight((2, 5), 100, 200, 300, presses=(Press(5, 190, 0),))
    again = view(table(match(round_(race=replace(undecided, state="slap_off", slap_off=light)))))
    assert again.race is not None
    assert again.race.slap_off is not None
    assert [(s.seat, s.after) for s in again.race.slap_off.slaps] == [(5, -10)]
    assert [s.racing for s in again.seats] == [False, True, False]
    assert again.next.code == "next.slap_off"


def test_the_last_of_a_race_is_marked_until_the_cards_are_drawn():
    ruled = running_race(state="ruled", ruling=8)
    owing = view(table(match(round_(race=ruled, debts=(Debt(9, 2, 4, 8),)))))
    assert (seat(owing, 2).last, seat(owing, 2).owes) == (True, 4)
    assert not seat(view(table(match(round_(race=ruled)))), 2).last
    other = view(table(match(round_(race=ruled, debts=(Debt(9, 2, 2, 7),)))))
    assert (seat(other, 2).last, seat(other, 2).owes) == (False, 2)


def test_both_scorings_are_previewed_once_every_hand_is_in():
    scored = ScoredRound(1, 11, {12: Left(10), 13: Left(30)})
    counted = round_(number=2, out=1, left={2: Left(20), 5: Left(5)})
    half = view(table(match(replace(counted, left={2: Left(20)}), rounds=(scored,)))).round
    assert half is not None
    assert (half.preview, half.missing_hands) == (None, (5,))
    whole = view(table(match(counted, rounds=(scored,)))).round
    assert whole is not None
    assert whole.preview is not None
    assert whole.preview.classic == {11: 25, 12: 0, 13: 0}
    assert whole.preview.alternative == {11: 0, 12: 20, 13: 5}
    assert whole.preview.classic_totals == {11: 65, 12: 0, 13: 0}
    assert whole.preview.alternative_totals == {11: 0, 12: 30, 13: 35}


def test_the_score_sheet_has_both_totals_after_every_round():
    rounds = (
        ScoredRound(1, 11, {12: Left(10), 13: Left(30)}),
        ScoredRound(2, 12, {11: Left(7), 13: Left(1)}, edited=True),
    )
    sheet = view(table(match(rounds=rounds))).match
    assert sheet is not None
    assert [(r.number, r.classic, r.alternative, r.edited) for r in sheet.rounds] == [
        (1, {11: 40, 12: 0, 13: 0}, {11: 0, 12: 10, 13: 30}, False),
        (2, {11: 40, 12: 8, 13: 0}, {11: 7, 12: 10, 13: 31}, True),
    ]
    assert sheet.leaders == (11,)
    assert [(p.player, p.seat, p.classic, p.alternative) for p in sheet.players] == [
        (11, 1, 40, 7),
        (12, 2, 8, 10),
        (13, 5, 0, 31),
    ]


def test_one_who_joined_late_has_no_line_in_earlier_rounds():
    rounds = (ScoredRound(1, 11, {12: Left(10)}), ScoredRound(2, 12, {11: Left(7), 13: Left(1)}))
    entrants = tuple(
        Entrant(seat.player, seat.name, (Stint(1 if seat is CAM else 0),)) for seat in THREE
    )
    sheet = view(table(match(rounds=rounds, entrants=entrants))).match
    assert sheet is not None
    assert 13 not in sheet.rounds[0].alternative
    assert sheet.rounds[1].alternative[13] == 11


def test_who_left_stays_on_the_sheet_and_leads_no_more():
    rounds = (ScoredRound(1, 14, {11: Left(10), 12: Left(20), 13: Left(3)}),)
    entrants = (*match().entrants, Entrant(14, "Dee", (Stint(0, 1),)))
    sheet = view(table(match(rounds=rounds, entrants=entrants))).match
    assert sheet is not None
    assert [(p.name, p.seat, p.present) for p in sheet.players if p.player == 14] == [
        ("Dee", None, False)
    ]
    assert 14 not in sheet.leaders


def test_the_latest_rulings_come_first_and_only_twelve_of_them():
    rulings = tuple(Ruling(n, "R12", Sentence("said", f"ruling {n}"), n) for n in range(1, 21))
    shown = view(table(match(round_(), rulings=rulings)))
    assert [ruling.number for ruling in shown.rulings] == list(range(20, 8, -1))


def test_undo_and_redo_say_what_they_would_do():
    label = Sentence("step.sit", "Ana sits down")
    steps = view(table(past=Step(label, Game()), future=Step(replace(label, text="again"), Game())))
    assert steps.undo == label
    assert steps.redo is not None
    assert steps.redo.text == "again"
    assert view(table()).undo is None


def test_every_edition_brings_its_cards_for_the_grid():
    shown = view(Table())
    assert [(e.key, e.size, e.target, e.race) for e in shown.editions] == [
        ("fast-and-furious", 112, 500, True),
        ("express", 56, 250, False),
    ]
    assert all(sum(card.copies for card in e.cards) == e.size for e in shown.editions)
    skip = next(card for card in shown.editions[0].cards if card.card == "blue-skip")
    assert (skip.title, skip.face, skip.colour, skip.points) == ("Skip", "skip", "blue", 20)


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(Table(), id="empty"),
        pytest.param(table(match(round_(race=running_race()))), id="in a race"),
        pytest.param(table(match(round_(out=1, left={2: Left(20), 5: Left(5)}))), id="counting"),
    ],
)
def test_the_view_survives_the_way_over_the_wire(state):
    shown = view(state)
    assert msgspec.json.decode(msgspec.json.encode(shown), type=View) == shown


def test_between_rounds_the_table_names_who_deals_next():
    rounds = (ScoredRound(1, 13, {11: Left(7), 12: Left(1)}),)
    shown = view(table(match(rounds=rounds, dealer=2, dealer_chosen=False)))
    assert [s.number for s in shown.seats if s.dealer] == [5]
    assert shown.next.parts["dealer"] == "Cam"
    winner_deals = HouseRules(next_dealer="winner")
    again = view(table(match(rounds=rounds, dealer=1, dealer_chosen=False, house=winner_deals)))
    assert again.next.parts["dealer"] == "Cam"


def test_when_everybody_has_left_the_table_asks_them_back():
    empty = table(match(rounds=(ScoredRound(1, 13, {11: Left(7)}),), dealer_chosen=False))
    empty = replace(empty, game=replace(empty.game, seats=()))
    shown = view(empty)
    assert (shown.phase, shown.next.code) == ("between", "next.sit")
