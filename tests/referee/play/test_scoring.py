"""R16 to R19: hands left, both scorings, winning, playing on, and changing one's mind."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.edition import EXPRESS, FAST_AND_FURIOUS
from companion.referee.model.table import Left
from companion.referee.rules.scoring import history, points_of, standing
from companion.view import view
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening


def hand(**cards: int) -> dict[Card, int]:
    return {Card(name.replace("_", "-")): copies for name, copies in cards.items()}


def play_round(table: Evening, out: int, **points: int) -> None:
    """Deal if needed, let somebody go out, and count the others by bare totals."""
    if table.match.round is None:
        table.do(c.Deal())
    names = {"ana": ANA, "ben": BEN, "cleo": CLEO, "dan": DAN}
    table.do(c.GoOut(out))
    for name, total in points.items():
        table.do(c.EnterPoints(names[name], total))
    table.do(c.ScoreRound())


@pytest.mark.rule("R16")
@pytest.mark.parametrize(
    ("cards", "points"),
    [
        pytest.param(hand(red_0=1), 0, id="a zero is worth nothing"),
        pytest.param(hand(red_9=1, blue_1=1), 10, id="numbers by their face"),
        pytest.param(hand(red_draw=1, red_reverse=1, red_skip=1), 60, id="symbols are 20"),
        pytest.param(hand(wild=1, wild_draw=1), 100, id="wilds are 50"),
        pytest.param({}, 0, id="nothing left"),
    ],
)
def test_points_for_cards_left(cards: dict[Card, int], points: int) -> None:
    assert points_of(cards, FAST_AND_FURIOUS) == points
    assert points_of(cards, EXPRESS) == points


@pytest.mark.rule("R16")
def test_a_street_race_card_left_is_worth_50() -> None:
    assert points_of(hand(street_race=2), FAST_AND_FURIOUS) == 100


@pytest.mark.rule("R17")
def test_whoever_went_out_scores_every_other_hand() -> None:
    table = Evening().start()
    table.do(c.GoOut(BEN))
    table.do(c.EnterHand(ANA, hand(red_9=1, wild=1)))
    table.do(c.EnterHand(CLEO, hand(red_0=1, blue_skip=1)))
    table.do(c.ScoreRound())
    assert standing(table.match).classic == {1: 0, 2: 79, 3: 0}
    assert table.said == "Ben scores 79. Total: 79."


@pytest.mark.rule("R17")
@pytest.mark.rule("R19")
def test_both_scorings_are_always_computed_from_the_same_hands() -> None:
    for scoring in ("classic", "alternative"):
        table = Evening(scoring=scoring).start()
        play_round(table, BEN, ana=30, cleo=12)
        play_round(table, ANA, ben=5, cleo=7)
        assert standing(table.match).classic == {1: 12, 2: 42, 3: 0}
        assert standing(table.match).alternative == {1: 30, 2: 5, 3: 19}


@pytest.mark.rule("R18")
@pytest.mark.parametrize(
    ("edition", "just_short", "rest"),
    [
        pytest.param("fast-and-furious", 499, 1, id="500 in Fast & Furious"),
        pytest.param("express", 249, 1, id="250 in Express"),
    ],
)
def test_the_first_to_reach_the_target_wins(edition: str, just_short: int, rest: int) -> None:
    table = Evening(2, edition=edition).start()
    play_round(table, ANA, ben=just_short)
    assert standing(table.match).winners == ()
    play_round(table, ANA, ben=rest)
    assert standing(table.match).winners == (1,)
    assert standing(table.match).won_in == 2
    assert (table.ruling.rule, table.said) == ("R18", "Ana won the match.")
    assert str(table.refused(c.Deal())) == "The match is won. Play on, or start a rematch."


@pytest.mark.rule("R19")
def test_the_lowest_tally_wins_when_anyone_reaches_the_target() -> None:
    table = Evening(scoring="alternative").start()
    play_round(table, BEN, ana=499, cleo=40)
    assert standing(table.match).winners == ()
    play_round(table, ANA, ben=41, cleo=460)
    assert standing(table.match).winners == (2,)
    assert table.said == "Ben won the match."


@pytest.mark.rule("R19")
@pytest.mark.parametrize(
    ("house", "winners"),
    [
        pytest.param("share", (2, 3), id="a tie for the lowest shares the win"),
        pytest.param("play_on", (), id="by house rule another round decides"),
    ],
)
def test_a_tie_for_the_lowest(house: str, winners: tuple[int, ...]) -> None:
    table = Evening(scoring="alternative", house={"lowest_tie": house}).start()
    play_round(table, BEN, ana=250, cleo=10)
    play_round(table, CLEO, ana=250, ben=10)
    assert standing(table.match).winners == winners
    if winners:
        assert table.ruling.house == ("lowest_tie",)
    else:
        play_round(table, CLEO, ana=0, ben=10)
        assert standing(table.match).winners == (3,)


def test_a_table_may_play_on_and_the_winner_stays() -> None:
    table = Evening(2).start()
    assert table.refused(c.PlayOn()).sentence.code == "not_won"
    play_round(table, ANA, ben=600)
    table.do(c.PlayOn())
    assert table.refused(c.PlayOn()).sentence.code == "not_won"
    play_round(table, BEN, ana=700)
    assert standing(table.match).winners == (1,)
    assert standing(table.match).classic == {1: 600, 2: 700}


def test_hands_are_checked_against_the_deck_across_all_hands() -> None:
    table = Evening().start()
    table.do(c.GoOut(BEN))
    five = table.refused(c.EnterHand(ANA, hand(street_race=5)))
    assert str(five) == "Fast & Furious has only 4 of Street Race."
    table.do(c.EnterHand(ANA, hand(street_race=3)))
    two_more = table.refused(c.EnterHand(CLEO, hand(street_race=2)))
    assert two_more.sentence.code == "too_many_copies"
    table.do(c.EnterHand(ANA, hand(street_race=2, red_1=0)))
    table.do(c.EnterHand(CLEO, hand(street_race=2)))
    assert table.round.left[ANA].cards == {"street-race": 2}


def test_hands_that_cannot_be_are_refused() -> None:
    table = Evening(edition="express").start()
    assert table.refused(c.EnterHand(ANA, {})).sentence.code == "nobody_out"
    assert table.refused(c.ScoreRound()).sentence.code == "nobody_out"
    table.do(c.GoOut(BEN))
    winner = table.refused(c.EnterHand(BEN, hand(red_1=1)))
    assert str(winner) == "Ben went out and has no hand to count."
    assert table.refused(c.EnterPoints(BEN, 3)).sentence.code == "hand_of_winner"
    assert table.refused(c.EnterHand(9, {})).sentence.code == "unknown_seat"
    race = table.refused(c.EnterHand(ANA, hand(street_race=1)))
    assert str(race) == "Express has no Street Race."
    missing = table.refused(c.ScoreRound())
    assert str(missing) == "Hands still to be entered: Ana, Cleo."
    assert table.refused(c.ClearHand(ANA)).sentence.code == "no_hand_entered"


def test_an_entered_hand_can_be_cleared_and_entered_again() -> None:
    table = Evening(2).start()
    table.do(c.GoOut(BEN))
    table.do(c.EnterHand(ANA, hand(red_1=1)))
    table.do(c.ClearHand(ANA))
    assert table.round.left == {}
    table.do(c.EnterPoints(ANA, 17))
    assert table.round.left[ANA].cards is None, "a bare total is marked as unchecked"
    table.do(c.ScoreRound())
    assert standing(table.match).classic[2] == 17


def test_in_refereed_play_a_count_that_differs_is_asked_about() -> None:
    table = Evening(2, way="refereed").refereed()
    table.hands(ben=1, ana=2)
    table.play("red-1")
    differs = table.refused(c.EnterHand(ANA, hand(red_2=1)))
    assert str(differs) == "Ana should have 2 in hand, not 1. Use 1 anyway?"
    assert differs.insist
    played = table.refused(c.EnterHand(ANA, hand(red_5=2)))
    assert str(played) == "Ana can't hold that red 5: all of them are somewhere else."
    table.do(c.EnterHand(ANA, hand(red_2=1), confirm=True))
    table.do(c.ScoreRound())
    assert standing(table.match).classic[2] == 2


def test_an_earlier_round_can_be_edited_and_all_totals_follow() -> None:
    table = Evening().start()
    play_round(table, BEN, ana=30, cleo=12)
    play_round(table, ANA, ben=5, cleo=7)
    table.do(c.EditRound(1, hands={1: hand(wild=1)}))
    assert standing(table.match).classic == {1: 12, 2: 62, 3: 0}
    assert table.match.rounds[0].edited
    table.do(c.EditRound(1, out=1, points={2: 20}))
    assert standing(table.match).classic == {1: 44, 2: 0, 3: 0}
    assert [s.classic[1] for s in history(table.match)] == [0, 32, 44]
    table.do(c.Undo())
    table.do(c.Undo())
    assert standing(table.match).classic == {1: 12, 2: 42, 3: 0}


def test_an_edit_can_make_a_winner() -> None:
    table = Evening(2).start()
    play_round(table, BEN, ana=30)
    table.do(c.EditRound(1, points={1: 530}))
    assert standing(table.match).winners == (2,)
    assert table.said == "Ben won the match."


def test_edits_that_cannot_be_are_refused() -> None:
    table = Evening().start()
    play_round(table, BEN, ana=30, cleo=12)
    assert table.refused(c.EditRound(2)).sentence.code == "no_such_round"
    assert table.refused(c.EditRound(1, out=9)).sentence.code == "not_in_that_round"
    assert table.refused(c.EditRound(1, points={9: 1})).sentence.code == "not_in_that_round"
    assert table.refused(c.EditRound(1, points={2: 1})).sentence.code == "hand_of_winner"
    assert str(table.refused(c.EditRound(1, out=1))) == "Hands still to be entered: Ben."
    too_many = c.EditRound(1, hands={1: hand(wild=3), 3: hand(wild=2)})
    assert table.refused(too_many).sentence.code == "too_many_copies"


def test_cards_of_an_earlier_round_are_doubted_as_in_counting() -> None:
    """Next round somebody finds that Ana's cards were typed in wrong."""
    table = Evening(2, way="refereed").refereed()
    table.hands(ben=1, ana=2)
    table.play("red-1")
    table.do(c.EnterHand(ANA, hand(red_2=1, red_3=1)))
    table.do(c.ScoreRound())
    differs = c.EditRound(1, hands={1: hand(red_2=1)})
    asked = table.refused(differs)
    assert str(asked) == "Ana should have 2 in hand, not 1. Use 1 anyway?"
    assert asked.insist
    played = table.refused(c.EditRound(1, hands={1: hand(red_5=2)}))
    assert str(played) == "Ana can't hold that red 5: all of them are somewhere else."
    table.do(replace(differs, confirm=True))
    assert table.match.rounds[0].hands[1] == Left(2, hand(red_2=1))
    assert table.refused(c.EditRound(1, hands={1: hand(red_5=2)})).sentence.code == (
        "card_was_played"
    ), "what was seen in the round is still known after an edit"
    table.do(c.EditRound(1, points={1: 60}))
    assert table.match.rounds[0].hands[1] == Left(60), "nothing can check a bare total"


def test_an_empty_hand_or_more_cards_than_the_deck_has_are_doubted_in_an_earlier_round() -> None:
    table = Evening().start()
    play_round(table, BEN, ana=30, cleo=12)
    empty = table.refused(c.EditRound(1, hands={1: {}}))
    assert (empty.sentence.code, empty.insist) == ("hand_empty", True)
    whole_deck = dict(table.match.edition.deck)
    too_many = table.refused(c.EditRound(1, hands={1: whole_deck}))
    assert (too_many.sentence.code, too_many.insist) == ("hands_exceed_deck", True)


def test_whoever_did_not_go_out_after_all_may_have_held_any_cards() -> None:
    table = Evening(2, way="refereed").refereed()
    table.hands(ben=1, ana=2)
    table.play("red-1")
    table.do(c.EnterHand(ANA, hand(red_2=1, red_3=1)))
    table.do(c.ScoreRound())
    table.do(c.EditRound(1, out=1, hands={2: hand(blue_9=1, wild=1)}))
    assert standing(table.match).classic == {1: 59, 2: 0}


def test_a_late_player_starts_at_nothing_or_at_the_highest_tally() -> None:
    table = Evening(2).start()
    play_round(table, BEN, ana=30)
    play_round(table, ANA, ben=50)
    table.do(c.Sit("Cleo", CLEO))
    now = standing(table.match)
    assert (now.classic[3], now.alternative[3]) == (0, 50)
    play_round(table, CLEO, ana=1, ben=2)
    now = standing(table.match)
    assert (now.classic[3], now.alternative[3]) == (3, 50)
    table.do(c.EditRound(1, points={1: 80}))
    assert standing(table.match).alternative[3] == 50, "where they began was fixed then"


@pytest.mark.rule("R19")
@pytest.mark.parametrize(
    ("rule", "start"),
    [
        pytest.param("highest", 51, id="beside the highest"),
        pytest.param("average", 41, id="in the middle, halves rounded up"),
        pytest.param("zero", 0, id="at nothing"),
    ],
)
def test_where_a_late_player_begins_is_a_house_rule(rule: str, start: int) -> None:
    table = Evening(2, scoring="alternative", house={"late_start": rule}).start()
    play_round(table, BEN, ana=30)
    play_round(table, ANA, ben=51)
    table.do(c.Sit("Cleo", CLEO))
    table.do(c.Sit("Dan", DAN))
    now = standing(table.match)
    assert (now.alternative[3], now.alternative[4]) == (start, start)
    assert (now.classic[3], now.classic[4]) == (0, 0)
    table.do(c.EditRound(2, points={2: 200}))
    assert standing(table.match).alternative[3] == start


@pytest.mark.rule("R19")
def test_whoever_stands_up_and_sits_down_again_between_rounds_keeps_everything() -> None:
    """Ana only went to fetch the crisps, and Ben took her chair."""
    table = Evening(scoring="alternative").start()
    play_round(table, BEN, ana=30, cleo=200)
    before = standing(table.match)
    table.do(c.Stand(ANA))
    table.do(c.Swap(BEN, ANA))
    table.do(c.Sit("Ana", BEN))
    assert standing(table.match) == before
    table.do(c.EditRound(1, points={1: 40}))
    assert standing(table.match).alternative[1] == 40, "an edit moves what is their own"
    play_round(table, ANA, ben=1, cleo=1)
    assert standing(table.match).alternative == {1: 41, 2: 0, 3: 201}


@pytest.mark.rule("R19")
def test_whoever_missed_a_round_begins_late_but_never_better_than_before() -> None:
    table = Evening(scoring="alternative", house={"late_start": "zero"}).start()
    play_round(table, BEN, ana=100, cleo=20)
    table.do(c.Stand(ANA))
    play_round(table, BEN, cleo=20)
    table.do(c.Sit("Ana", ANA))
    assert standing(table.match).alternative[1] == 100


def test_where_nobody_is_left_of_the_match_a_late_player_begins_at_nothing() -> None:
    table = Evening(2, scoring="alternative").start()
    play_round(table, BEN, ana=100)
    table.do(c.Stand(ANA))
    table.do(c.Stand(BEN))
    table.do(c.Sit("Cleo", CLEO))
    assert standing(table.match).alternative[3] == 0


@pytest.mark.rule("R18")
@pytest.mark.parametrize(
    ("target", "rounds"),
    [
        pytest.param(None, 5, id="to 500, as the sheet has it"),
        pytest.param(50, 1, id="a short one"),
        pytest.param(300, 3, id="to 300"),
    ],
)
def test_the_target_can_be_another_one(target: int | None, rounds: int) -> None:
    table = Evening(2, house={"target": target}).start()
    played = 0
    while not standing(table.match).winners:
        play_round(table, BEN, ana=100)
        played += 1
    assert played == rounds
    shown = view(table.table).match
    assert shown is not None
    assert shown.target == (target or 500)


def test_a_player_who_leaves_keeps_the_points_but_cannot_win() -> None:
    table = Evening(scoring="alternative").start()
    play_round(table, BEN, ana=100, cleo=200)
    table.do(c.Stand(BEN))
    play_round(table, ANA, cleo=400)
    now = standing(table.match)
    assert now.alternative == {1: 100, 2: 0, 3: 600}
    assert now.winners == (1,)


def test_a_player_who_comes_back_goes_on_as_the_same_player() -> None:
    table = Evening().start()
    play_round(table, BEN, ana=100, cleo=200)
    table.do(c.Stand(BEN))
    play_round(table, ANA, cleo=50)
    table.do(c.Sit("Ben", DAN))
    now = standing(table.match)
    assert [entrant.player for entrant in table.match.entrants] == [1, 2, 3]
    assert (now.classic[2], now.alternative[2]) == (300, 250)
    assert all(entrant.present for entrant in table.match.entrants)


def test_a_rematch_starts_anew_with_the_same_players_and_rules() -> None:
    table = Evening(2, scoring="alternative", house={"next_dealer": "winner"}).start()
    play_round(table, BEN, ana=100)
    table.do(c.Rematch())
    assert table.match.number == 2
    assert table.match.rounds == ()
    assert table.match.house.next_dealer == "winner"
    assert table.match.scoring == "alternative"


@pytest.mark.parametrize(("next_dealer", "deals"), [("left", CLEO), ("winner", ANA)])
def test_the_deal_passes_on_over_a_rematch(next_dealer: str, deals: int) -> None:
    table = Evening(house={"next_dealer": next_dealer}).start(dealer=BEN)
    play_round(table, ANA, ben=100, cleo=20)
    table.do(c.Rematch())
    table.do(c.Deal())
    assert table.round.dealer == deals


def test_a_rematch_before_anybody_dealt_draws_for_the_deal() -> None:
    table = Evening()
    table.do(c.StartMatch())
    table.do(c.Rematch())
    assert str(table.refused(c.Deal())) == "Draw for the deal first, or choose the dealer."


def test_a_round_is_not_scored_while_a_race_is_open() -> None:
    table = Evening(2, house={"race_on_last_card": True}, way="refereed").refereed()
    table.hands(ben=1)
    table.play("street-race")
    assert table.owed(ANA) == 4
    three = Evening(3, house={"race_on_last_card": True}, way="refereed").refereed()
    three.hands(ben=1)
    three.play("street-race")
    assert three.refused(c.ScoreRound()).sentence.code == "race_undecided"


def out_with(card: str | None = None) -> Evening:
    """A free round of three that Ben has ended."""
    table = Evening().start()
    table.do(c.GoOut(BEN, None if card is None else Card(card)))
    return table


@pytest.mark.rule("R16")
@pytest.mark.parametrize(
    ("cards", "code"),
    [
        pytest.param(hand(), "hand_empty", id="only Ben is out"),
        pytest.param(hand(red_7=0), "hand_empty", id="no red 7 is no card either"),
        pytest.param(hand(red_0=1), "card_was_played", id="Ben's last card lies on the pile"),
        pytest.param(
            {card: n for card, n in FAST_AND_FURIOUS.deck.items() if card != "red-0"},
            "hands_exceed_deck",
            id="one card has to be with Cleo",
        ),
    ],
)
def test_free_play_doubts_a_hand_that_the_deck_rules_out(cards: dict[Card, int], code: str) -> None:
    table = out_with("red-0")
    refusal = table.refused(c.EnterHand(ANA, cards))
    assert (refusal.sentence.code, refusal.insist) == (code, True)
    table.do(c.EnterHand(ANA, cards, confirm=True))
    assert table.round.left[ANA].points == points_of(cards, FAST_AND_FURIOUS)


@pytest.mark.rule("R16")
def test_free_play_believes_every_hand_that_can_be() -> None:
    table = out_with()
    rest = dict(FAST_AND_FURIOUS.deck)
    del rest[Card("red-0")], rest[Card("blue-0")]
    table.do(c.EnterHand(CLEO, hand(red_0=1)))
    table.do(c.EnterHand(ANA, rest))
    assert sum((table.round.left[ANA].cards or {}).values()) == 110


@pytest.mark.rule("R18")
@pytest.mark.parametrize(
    ("edit", "winners", "playing_on"),
    [
        pytest.param({CLEO: 100}, (), False, id="nobody has won, as it turns out"),
        pytest.param({CLEO: 470}, (BEN,), True, id="Ben has won all the same"),
    ],
)
def test_whoever_wins_after_an_edit_has_taken_the_win_away_has_the_moment(
    edit: dict[int, int], winners: tuple[int, ...], playing_on: bool
) -> None:
    table = Evening().start()
    play_round(table, BEN, ana=50, cleo=460)
    table.do(c.PlayOn())
    table.do(c.EditRound(1, points=edit))
    assert (standing(table.match).winners, table.match.playing_on) == (winners, playing_on)
    play_round(table, ANA, ben=300, cleo=300)
    assert view(table.table).phase == ("between" if playing_on else "won")
    assert [r.outcome for r in table.match.rulings].count("won") == (1 if playing_on else 2)


@pytest.mark.rule("R18")
def test_an_edit_that_makes_somebody_else_win_is_their_moment() -> None:
    table = Evening().start()
    play_round(table, BEN, ana=50, cleo=460)
    table.do(c.PlayOn())
    table.do(c.EditRound(1, out=ANA, points={BEN: 60}))
    assert (standing(table.match).winners, view(table.table).phase) == ((ANA,), "won")
