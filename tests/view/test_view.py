"""What a screen shows of the table, for tables put together by hand."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from companion.referee.model.cards import Card
from companion.referee.model.edition import EXPRESS, FAST_AND_FURIOUS
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import MILLISECOND, Press
from companion.referee.model.questions import Choice, Question
from companion.referee.model.rulings import Ruling
from companion.referee.model.table import (
    Calls,
    Claim,
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
    Turn,
    Window,
)
from companion.referee.sentences import packed, say, speaking, spoken, unpacked
from companion.view import View, view
from companion.view.next_step import ENGLISH

ANA, BEN, CAM = Seat(1, 11, "Ana", 4), Seat(2, 12, "Ben", 5), Seat(5, 13, "Cam")
THREE = (ANA, BEN, CAM)


def table(match: Match | None = None, **changes) -> Table:
    game = Game(seats=THREE, match=match, matches=1)
    return replace(Table(version=7, game=game, players=13), **changes)


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


def called(shown: View) -> dict[int, str]:
    players = shown.match.players if shown.match else ()
    return {one.player: one.name for one in players} | {s.player: s.name for s in shown.seats}


def text(shown: View) -> str:
    return spoken(shown.next, called(shown)).text


def question(number: int = 4, kind="who_laid", **changes) -> Question:
    asked = Question(
        number,
        kind,
        about="race",
        sentence=say("ask_who_laid", names=(11, 12)),
        at=50,
        choices=(
            Choice("1", say("choice_name", name=(11,))),
            Choice("2", say("choice_name", name=(12,))),
        ),
    )
    return replace(asked, **changes)


CAUGHT = Claim(2, Press(1, 5, 0))
"""Ana says that Ben has not called, and nobody has looked at the times yet."""


def seat(shown: View, number: int):
    return next(seat for seat in shown.seats if seat.number == number)


def test_an_empty_table_invites_to_sit_down():
    shown = view(Table())
    assert (shown.phase, shown.next.code, shown.seats) == ("seating", "next.sit", ())
    assert text(shown) == "Press your button to sit down."


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
    assert (shown.awaiting_button, text(shown)) == (
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
            match(refereed(chooser=2)), "play", "next.colour", id="Ben starts with a colour"
        ),
        pytest.param(
            match(refereed(chooser=1)),
            "play",
            "next.turn_colour",
            id="Ana has not named the colour, and Ben plays on",
        ),
        pytest.param(
            match(round_(debts=(Debt(3, 2, 4, 2),))),
            "play",
            "next.free_race",
            id="Ben owes four, which nobody ticked off",
        ),
        pytest.param(
            match(refereed(debts=(Debt(3, 2, 4, 2),))), "play", "next.turn", id="Ben owes and plays"
        ),
        pytest.param(
            match(round_(claims=(CAUGHT,))),
            "play",
            "next.catch",
            id="Ana says that Ben did not call",
        ),
        pytest.param(
            match(round_(claims=(replace(CAUGHT, outcome="caught"),))),
            "play",
            "next.free_race",
            id="Ben was caught",
        ),
        pytest.param(
            match(round_(claims=(CAUGHT,), questions=(question(kind="called_in_time"),))),
            "play",
            "next.question",
            id="whether Ben called in time is asked",
        ),
        pytest.param(
            match(refereed(questions=(question(),))), "play", "next.question", id="who laid it?"
        ),
        pytest.param(
            match(refereed(top=None, questions=(question(),))),
            "first_card",
            "next.turn_up",
            id="nothing is asked before the first card lies there",
        ),
        pytest.param(match(round_(out=1)), "hands", "next.hands", id="Ana went out"),
        pytest.param(
            match(round_(out=1, debts=(Debt(3, 2, 2, 2),))),
            "hands",
            "next.hands_owed",
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


def test_cards_owed_hide_nobody_whose_hand_is_to_be_counted():
    shown = view(table(match(round_(out=1, debts=(Debt(3, 2, 2, 2),)))))
    assert text(shown) == "Ana went out. Ben draws 2; then count the cards of Ben, Cam."


def test_whose_colour_is_open_stands_beside_whose_turn_it_is():
    shown = view(table(match(refereed(chooser=1))))
    assert text(shown) == "It’s Ben’s turn. Ana still has to name the colour."


def test_nobody_is_told_to_hold_a_button():
    assert not [text for text in ENGLISH.values() if "hold" in text]


def test_a_won_match_names_its_winner_until_the_table_plays_on():
    scored = ScoredRound(1, 12, {11: Left(300), 13: Left(210)})
    won = view(table(match(rounds=(scored,))))
    assert won.phase == "won"
    assert text(won).startswith("Ben won the match.")
    assert won.match is not None
    assert won.match.winners == (12,)
    assert view(table(match(rounds=(scored,), playing_on=True))).phase == "between"


def test_the_table_shows_whose_turn_it_is_and_how_many_cards_each_holds():
    shown = view(table(match(refereed(hands={1: 7, 2: 1, 5: 9}, calls=Calls(Window(8, 2))))))
    assert [(s.number, s.turn, s.dealer, s.hand, s.on_one) for s in shown.seats] == [
        (1, False, True, 7, False),
        (2, True, False, 1, True),
        (5, False, False, 9, False),
    ]


def test_in_free_play_no_hand_is_counted_and_nobody_is_known_to_be_on_one():
    shown = view(table(match(round_(claims=(CAUGHT,)))))
    assert {s.hand for s in shown.seats} == {None}
    assert not any(s.on_one for s in shown.seats)
    assert shown.uno is not None
    assert (shown.uno.seat, shown.uno.catch) == (2, CAUGHT.catch)


def test_who_may_be_caught_is_shown_until_somebody_says_so():
    call = Press(2, 4, 0)
    window = Calls(Window(8, 2, call))
    shown = view(table(match(refereed(calls=window))))
    assert shown.uno is not None
    assert (shown.uno.seat, shown.uno.call, shown.uno.catch) == (2, call, None)
    looked_at = refereed(calls=window, claims=(replace(CAUGHT, call=call),))
    caught = view(table(match(looked_at)))
    assert caught.uno is not None
    assert (caught.uno.call, caught.uno.catch) == (call, CAUGHT.catch)
    judged = refereed(calls=window, claims=(replace(CAUGHT, outcome="called"),))
    answered = view(table(match(judged)))
    assert answered.uno is not None
    assert answered.uno.catch is None


def test_the_second_press_of_a_catch_is_asked_for_at_its_own_seat():
    shown = view(table(match(refereed(calls=Calls(Window(8, 2), again={5: 99})))))
    assert [s.press_again for s in shown.seats] == [False, False, True]


@pytest.mark.parametrize(
    "called",
    [
        pytest.param(round_(calls=Calls(called={5: 3})), id="on record"),
        pytest.param(refereed(calls=Calls(Window(8, 5, Press(5, 3, 0)))), id="in the window"),
    ],
)
def test_a_call_shows_at_its_seat(called):
    assert [s.called for s in view(table(match(called))).seats] == [False, False, True]


def ms(milliseconds: int) -> int:
    return milliseconds * MILLISECOND


def running_race(**changes) -> Race:
    """Ana laid it, Cam has slapped, Ben not yet."""
    race = Race(
        anchor=ms(1000),
        how="card",
        racers=(2, 5),
        state="running",
        deadline=ms(11_000),
        record=6,
        named_at=ms(900),
        layer=1,
        slaps=(Press(5, ms(1000), 10),),
    )
    return replace(race, **changes)


def shown_race(race: Race) -> View:
    return view(table(match(round_(races=(race,)))))


def slaps(shown: View) -> list[tuple[int, int | None]]:
    """Each slap with its milliseconds."""
    assert shown.race is not None
    return [(s.seat, None if s.after is None else s.after // MILLISECOND) for s in shown.race.slaps]


def test_a_running_race_shows_who_has_slapped_and_who_has_not():
    shown = shown_race(running_race())
    assert slaps(shown) == [(5, 0)]
    assert [(s.number, s.racing, s.slapped) for s in shown.seats] == [
        (1, False, False),
        (2, True, False),
        (5, False, True),
    ]
    assert text(shown) == "Slap! Still to come: Ben."
    both = running_race(slaps=(Press(5, ms(1000), 10), Press(2, ms(1139), 10)))
    assert slaps(shown_race(both)) == [(5, 0), (2, 139)]
    assert shown_race(both).next.code == "next.all_slapped"


def test_times_are_counted_from_the_first_hand_as_it_counts():
    ahead = running_race(
        slaps=(Press(2, ms(1100), 0), Press(5, ms(1050), 0)), handicaps={2: ms(80)}
    )
    shown = shown_race(ahead)
    assert slaps(shown) == [(2, 0), (5, 30)]
    assert shown.race is not None
    assert [s.handicap for s in shown.race.slaps] == [ms(80), 0]


def test_a_hammering_hand_has_no_time_where_it_came_before_the_first_at_rest():
    shown = shown_race(
        running_race(slaps=(Press(5, ms(1000), 0), Press(2, ms(990), 0)), hammered=(2,))
    )
    assert slaps(shown) == [(5, 0), (2, None)]
    assert shown.race is not None
    assert [(s.hammered, s.early) for s in shown.race.slaps] == [(False, False), (True, False)]


def test_a_racer_with_a_broken_button_is_not_waited_for():
    broken = table(match(round_(races=(running_race(unusable=(2,)),))))
    shown = view(broken)
    assert not seat(shown, 2).racing
    assert shown.next.code == "next.all_slapped"
    on_a_phone = view(broken, phones={12})
    assert seat(on_a_phone, 2).racing
    assert text(on_a_phone) == "Slap! Still to come: Ben."


def test_while_nobody_knows_who_laid_it_nobody_who_may_have_is_told_to_slap():
    seen = running_race(
        record=None, named_at=None, how="hands", state="proposed", layer=None, layers=(1, 2)
    )
    assert not any(s.racing for s in shown_race(replace(seen, state="running")).seats)
    shown = shown_race(replace(seen, racers=(1, 2, 5)))
    assert not any(s.racing for s in shown.seats)
    assert shown.next.code == "next.free_race"
    asked = match(round_(races=(seen,), questions=(question(seats=(1, 2)),)))
    assert view(table(asked)).next.code == "next.question"


def test_a_race_that_the_table_only_believes_to_see_is_a_question():
    proposed = running_race(state="proposed", record=None, how="hands")
    shown = shown_race(proposed)
    assert text(shown).startswith("Was that a Street Race by Ana?")
    assert not any(s.racing or s.slapped for s in shown.seats)


@pytest.mark.parametrize(
    ("changes", "code", "names"),
    [
        pytest.param({"outcome": "dead_heat"}, "next.undecided", "Ben, Cam", id="too close"),
        pytest.param({"outcome": "nobody_slapped"}, "next.no_slaps", "Ben, Cam", id="no slap"),
        pytest.param({"outcome": "no_order"}, "next.no_order", "Ben, Cam", id="only hammering"),
        pytest.param({"outcome": "false_starts"}, "next.no_order", "Ben, Cam", id="both too early"),
        pytest.param(
            {"outcome": "unusable", "unusable": (2,)}, "next.unusable", "Ben", id="a broken button"
        ),
    ],
)
def test_an_undecided_race_says_what_can_be_done(changes, code, names):
    shown = shown_race(running_race(state="undecided", tied=(2, 5), **changes))
    assert (shown.next.code, spoken(shown.next, called(shown)).parts) == (code, {"names": names})
    assert not any(s.racing for s in shown.seats)


def test_a_slap_off_waits_for_the_tied_and_counts_from_its_light():
    tie = running_race(state="undecided", tied=(2, 5), outcome="dead_heat")
    light = SlapOffLight((2, 5), ms(100), ms(200), ms(300))
    dark = shown_race(replace(tie, state="slap_off", slap_off=light, slaps=()))
    assert [s.racing for s in dark.seats] == [False, True, True]
    assert dark.next.code == "next.slap_off"
    early = replace(tie, state="slap_off", slap_off=light, slaps=(Press(5, ms(190), 0),))
    again = shown_race(early)
    assert again.race is not None
    assert again.race.slap_off is not None
    assert slaps(again) == [(5, None)]
    assert [(s.seat, s.early) for s in again.race.slap_off.slaps] == [(5, True)]
    assert [s.racing for s in again.seats] == [False, True, False]
    honest = shown_race(replace(early, slaps=(Press(5, ms(230), 0),), handicaps={5: ms(50)}))
    assert slaps(honest) == [(5, 0)], "a head start makes nobody early"


def test_after_a_slap_off_the_slaps_of_the_race_itself_count_from_their_own_first_hand():
    light = SlapOffLight((2, 5), ms(5000), ms(7000), ms(17_000), lit=True)
    tied = (Press(2, ms(1000), 0), Press(5, ms(1001), 0))
    shown = shown_race(running_race(state="undecided", slaps=tied, slap_off=light))
    assert slaps(shown) == [(2, 0), (5, 1)]
    assert shown.race is not None
    assert shown.race.slap_off is not None
    assert shown.race.slap_off.slaps == ()


def test_the_latest_race_that_counts_is_shown():
    first = running_race(state="ruled", ruling=8)
    second = running_race(anchor=ms(9000), record=7, state="void")
    assert shown_race(second).race is None
    shown = view(table(match(round_(races=(first, second)))))
    assert shown.race is not None
    assert shown.race.ruling == 8
    third = view(table(match(round_(races=(first, replace(second, state="running"))))))
    assert third.race is not None
    assert third.race.anchor == ms(9000)


def test_a_question_is_shown_with_its_answers_and_at_the_seats_that_it_is_about():
    shown = view(table(match(round_(questions=(question(seats=(1, 5), until=90),)))))
    (asked,) = shown.questions
    assert (asked.number, asked.kind, asked.at, asked.until) == (4, "who_laid", 50, 90)
    assert [choice.key for choice in asked.choices] == ["1", "2"]
    assert asked.seats == (1, 5)
    assert [s.asked for s in shown.seats] == [True, False, True]
    assert spoken(shown.next, called(shown)).parts == {
        "names": "Ana, Ben",
        "question": "Who laid the Street Race: Ana, Ben?",
        "question_code": "ask_who_laid",
    }
    assert text(shown) == "Who laid the Street Race: Ana, Ben?"


@pytest.mark.parametrize("kind", ["who_was_last", "called_in_time", "caught_in_time"])
def test_whoever_may_have_to_draw_is_not_asked_about_it_alone(kind):
    shown = view(table(match(round_(questions=(question(kind=kind, seats=(2,)),)))))
    assert shown.questions[0].seats == ()
    assert not any(s.asked for s in shown.seats)


def test_on_the_wire_a_question_always_has_its_seats_and_its_end():
    shown = view(table(match(round_(questions=(question(),)))))
    (asked,) = msgspec.json.decode(msgspec.json.encode(shown, enc_hook=speaking({})))["questions"]
    assert (asked["seats"], asked["until"]) == ([], None)


def test_a_button_is_usable_unless_it_is_missing_or_set_aside():
    shown = view(table(aside={5: "chatter"}))
    assert [(s.number, s.usable) for s in shown.seats] == [(1, True), (2, False), (5, False)]


@pytest.mark.parametrize(
    ("started", "missing"),
    [
        pytest.param(match(dealer=None), (2, 5), id="before the deal"),
        pytest.param(match(), (2, 5), id="the dealer may deal"),
        pytest.param(match(refereed(top=None)), (2, 5), id="the first card is turned up"),
        pytest.param(match(round_()), (), id="everybody plays already"),
        pytest.param(
            match(rounds=(ScoredRound(1, 13, {11: Left(7)}),), dealer_chosen=False),
            (),
            id="a round was played without",
        ),
        pytest.param(None, (), id="people still sit down"),
    ],
)
def test_who_cannot_press_anything_is_named_when_the_match_begins(started, missing):
    broken = table(started, aside={5: "stuck"})
    assert view(broken).without_button == missing
    assert view(broken, phones={12, 13}).without_button == ()


def test_the_latest_turns_are_shown_with_the_numbers_to_change_them():
    turns = tuple(Turn(n, n, 2, 7, Card("red-5") if n % 2 else None) for n in range(1, 21))
    shown = view(table(match(refereed(turns=turns)))).round
    assert shown is not None
    assert [turn.number for turn in shown.turns] == list(range(9, 21))
    assert [turn.card for turn in shown.turns[-2:]] == ["red-5", None]


def test_the_last_of_a_race_is_marked_until_the_cards_are_drawn():
    ruled = running_race(state="ruled", ruling=8)
    owing = view(table(match(round_(races=(ruled,), debts=(Debt(9, 2, 4, 8),)))))
    assert (seat(owing, 2).last, seat(owing, 2).owes) == (True, 4)
    assert not seat(view(table(match(round_(races=(ruled,))))), 2).last
    other = view(table(match(round_(races=(ruled,), debts=(Debt(9, 2, 2, 7),)))))
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
        Entrant(seat.player, seat.name, (Stint(1, start=10) if seat is CAM else Stint(0),))
        for seat in THREE
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
    rulings = tuple(Ruling(n, "R12", "last", say("nobody_slapped"), n) for n in range(1, 21))
    shown = view(table(match(round_(), rulings=rulings)))
    assert [ruling.number for ruling in shown.rulings] == list(range(20, 8, -1))


def test_undo_and_redo_say_what_they_would_do():
    label, again = say("step_sit", name=(11,)), say("step_rematch")
    steps = view(table(past=Step(label, 1, Game()), future=Step(again, 1, Game())))
    assert steps.undo == label
    assert steps.redo == again
    assert view(table()).undo is None


def test_what_a_hand_has_shown_since_the_last_step_is_taken_back_before_it():
    label = say("step_deal", number=1)
    called = match(round_(calls=Calls(called={5: 30})))
    before, after = Step(label, 20, Game()), Step(label, 40, Game())
    pressed = view(table(called, past=before)).undo
    assert pressed is not None
    assert (pressed.code, pressed.parts) == ("step_press", {"name": (13,)})
    assert view(table(called, past=after)).undo == label


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
        pytest.param(table(match(round_(races=(running_race(),)))), id="in a race"),
        pytest.param(table(match(round_(out=1, left={2: Left(20), 5: Left(5)}))), id="counting"),
    ],
)
def test_the_view_survives_the_way_over_the_wire(state):
    shown = view(state)
    plain = msgspec.json.decode(msgspec.json.encode(shown, enc_hook=packed))
    assert msgspec.convert(plain, View, dec_hook=unpacked, str_keys=True) == shown


def test_between_rounds_the_table_names_who_deals_next():
    rounds = (ScoredRound(1, 13, {11: Left(7), 12: Left(1)}),)
    shown = view(table(match(rounds=rounds, dealer=2, dealer_chosen=False)))
    assert [s.number for s in shown.seats if s.dealer] == [5]
    assert shown.next.parts["dealer"] == CAM.who
    winner_deals = HouseRules(next_dealer="winner")
    again = view(table(match(rounds=rounds, dealer=1, dealer_chosen=False, house=winner_deals)))
    assert again.next.parts["dealer"] == CAM.who


def test_when_everybody_has_left_the_table_asks_them_back():
    empty = table(match(rounds=(ScoredRound(1, 13, {11: Left(7)}),), dealer_chosen=False))
    empty = replace(empty, game=replace(empty.game, seats=()))
    shown = view(empty)
    assert (shown.phase, shown.next.code) == ("between", "next.sit")
