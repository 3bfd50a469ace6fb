"""Whole matches through the page, as fingers would play them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

WATCH_THE_LIGHT = """() => {
  window.lights = [];
  new MutationObserver(() => {
    const label = document.querySelector("[role=img][aria-label^='The light']")?.ariaLabel;
    if (label && window.lights.at(-1) !== label) window.lights.push(label);
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


def test_a_match_in_free_play_with_real_slaps(referee):
    referee.says("Press your button to sit down")
    referee.seat_down("Ana", "Ben", "Cam")
    referee.tap("Start the match")
    referee.tap("Draw for it")
    for seat, number in ((1, "4"), (2, "9"), (3, "skip")):
        referee.page.locator(f".draw-numbers [data-seat='{seat}'] [data-face='{number}']").click()
    referee.ruled("Ben drew the highest number and deals.")
    referee.tap_like("start round 1")
    referee.says("if you lay a Street Race, keep your hands off")

    referee.lay_race("Ana")
    expect(referee.page.get_by_role("heading", name="Street Race by Ana")).to_be_visible()
    referee.push(3)
    expect(referee.page.locator(".lane[data-seat='3'].landed")).to_be_visible()
    referee.push(2)
    verdict = referee.page.locator(".verdict")
    expect(verdict).to_have_text(re.compile(r"Ben draws 4.*last by [\d.]+ ms"))
    expect(referee.page.locator(".lane.last")).to_contain_text("Ben")
    referee.tap("Ben has drawn ✓")
    expect(verdict).to_have_count(0)

    referee.page.wait_for_timeout(800)  # the same hand a moment later would be a second slap
    referee.push(3)
    expect(referee.seat("Cam").locator(".uno")).to_be_visible()
    referee.push(1)
    referee.tap_like("Caught!")
    referee.pick("Cam")
    referee.ruled("Cam had called UNO")
    referee.tap_like("Caught!")
    referee.page.get_by_text("Who caught them? (optional)").click()
    referee.page.locator("dialog .caught-by .who", has_text="Ana").click()
    referee.page.locator("dialog .who", has_text="Ben").first.click()
    referee.ruled("Ben did not call UNO and draws 2.")
    referee.settled()
    referee.tap_like("Ben Draws 2")

    referee.tap_like("Went out")
    referee.page.locator("dialog .with-card", has_text="Red Draw Two").click()
    referee.pick("Ana")
    referee.pick("Ben")
    referee.ruled("Ana has gone out with Draw Two: Ben draws 2, and they count.")
    for card in ("red-5", "red-5", "wild", "blue-9"):
        referee.card(card)
    expect(referee.page.locator(".running")).to_have_text("4 cards, 69 points")
    expect(referee.page.locator(".card-grid [data-card='red-5']")).to_be_disabled()
    referee.tap_like("Ben’s hand is done")
    referee.total("Cam", 131)
    expect(referee.page.locator(".result")).to_contain_text("unchecked")
    referee.tap("Score the round")
    expect(referee.page.locator(".seat.leader .total")).to_have_text("200")

    referee.tap_like("start round 2")
    referee.lay_race("Ben")
    referee.push(3)
    expect(referee.page.locator(".lane[data-seat='3'].landed")).to_be_visible()
    referee.push(1)
    expect(verdict).to_have_text(re.compile(r"Ana draws 4.*last by [\d.]+ ms"))
    referee.tap("Ana has drawn ✓")
    referee.tap_like("Went out")
    referee.pick("Ana")
    for _ in range(4):
        referee.card("street-race")
    expect(referee.page.locator(".card-grid [data-card='street-race']")).to_be_disabled()
    referee.card("wild")
    referee.card("wild")
    referee.tap_like("Ben’s hand is done")
    expect(referee.page.get_by_role("tab", name="Ben 300")).to_be_visible()
    referee.card("blue-0")
    referee.tap_like("Cam’s hand is done")
    expect(referee.page.locator(".result")).to_contain_text("Ana wins the match with this round.")
    referee.tap("Score the round")

    expect(referee.page.locator(".winner")).to_have_text("Ana wins!")
    referee.tap("Rematch")
    referee.says("shuffles and deals 7 cards to everyone")
    assert referee.served.table["match"]["number"] == 2


def test_a_refereed_express_match_to_its_winner(referee):
    for name in ("Ana", "Ben"):
        referee.page.get_by_label("Name of a new player").fill(name)
        referee.tap("Sit down")
        expect(referee.seat(name)).to_be_visible()
    referee.choose("Express")
    referee.choose("Refereed")
    referee.start("Ana")
    referee.says("Turn up the first card")
    referee.card("red-5")
    referee.says("Ben’s turn")
    turns = ("red-0", "red-1", "red-2", "red-3", "red-4", "red-6", "red-7")
    for card, following in zip(turns, ("Ana", "Ben") * 4, strict=False):
        referee.card(card)
        referee.says(f"{following}’s turn")
    strip = referee.page.locator(".uno-strip")
    expect(strip).to_contain_text("Ben has one card left.")
    strip.get_by_role("button", name="Called UNO").click()
    expect(referee.seat("Ben").locator(".uno")).to_be_visible()
    referee.card("red-8")
    expect(strip).to_contain_text("Ana has one card left.")
    strip.get_by_role("button", name="Caught!").click()
    referee.ruled("Ana did not call UNO and draws 2.")
    referee.card("red-9")
    referee.ruled("Ben has gone out.")

    referee.card("blue-9")
    referee.tap_like("Ana’s hand is done")
    question = referee.page.locator("dialog")
    expect(question).to_contain_text("Ana should have 3 in hand, not 1.")
    question.get_by_role("button", name="Take it back").click()
    referee.card("wild")
    referee.card("blue-0")
    referee.tap_like("Ana’s hand is done")
    referee.tap("Score the round")
    expect(referee.page.locator(".seat.leader")).to_contain_text("Ben")
    expect(referee.page.locator(".seat.leader .total")).to_have_text("59")

    referee.tap_like("start round 2")
    referee.card("green-5")
    referee.says("Ana’s turn")
    for number in range(4):
        referee.tap("Drew one card")
        referee.says("Ben’s turn")
        referee.card(f"green-{number}")
        referee.says("Ana’s turn")
    strip.get_by_role("button", name="Called UNO").click()
    expect(referee.seat("Ben").locator(".uno")).to_be_visible()
    referee.tap("Drew one card")
    referee.card("green-4")
    referee.ruled("Ben has gone out.")
    for card in ("wild", "wild", "wild-draw", "wild-draw"):
        referee.card(card)
    for colour in ("blue", "red", "yellow"):
        referee.card(f"{colour}-0")
        referee.card(f"{colour}-1")
    expect(referee.page.locator(".running")).to_have_text("10 cards, 203 points")
    referee.tap_like("Ana’s hand is done")
    referee.tap("Score the round")
    expect(referee.page.locator(".winner")).to_have_text("Ben wins!")
    referee.tap("Play on")
    referee.says("Ana shuffles and deals 5 cards")


def test_alternative_scoring_to_its_winner_and_a_change_of_an_old_round(referee):
    referee.seat_down("Ana", "Ben", "Cam")
    referee.choose("Alternative")
    referee.start("Ana")
    for number, (out, rest) in enumerate(
        (("Ana", {"Ben": 120, "Cam": 320}), ("Ben", {"Ana": 90, "Cam": 150})), 1
    ):
        referee.tap_like("Went out")
        referee.pick(out)
        for name, points in rest.items():
            referee.total(name, points)
        referee.tap("Score the round")
        referee.tap_like(f"start round {number + 1}")
    referee.tap_like("Undo Round 3 dealt")
    in_danger = referee.page.locator(".seat.danger")
    expect(in_danger).to_contain_text("Cam")
    expect(in_danger.locator(".total")).to_have_text("470")

    referee.tap("Scores")
    referee.page.get_by_role("row", name="1 out").get_by_role("button", name="Edit").click()
    referee.tap_like("Cam’s hand in round 1")
    referee.page.locator(".typed input").fill("350")
    referee.tap("Use this total")
    referee.tap("Save the change")
    expect(referee.page.locator(".winner")).to_have_text("Ana wins!")
    expect(referee.page.locator(".seat.leader .total")).to_have_text("90")
    referee.tap("Scores")
    expect(referee.page.locator("dialog .sheet")).to_contain_text("edited")
    referee.close_dialog()
    referee.tap_like("Undo Round 1 changed")
    expect(referee.page.locator(".winner")).to_have_count(0)
    expect(in_danger.locator(".total")).to_have_text("470")


@pytest.fixture
def refereed(referee):
    """Three at a refereed Fast & Furious table, with a red 5 on top and Ben to play."""
    referee.seat_down("Ana", "Ben", "Cam")
    referee.choose("Refereed")
    referee.start("Ana")
    referee.card("red-5")
    referee.says("Ben’s turn")
    return referee


def test_an_illegal_card_is_explained_and_recorded_only_on_the_referees_word(refereed):
    refereed.card("blue-7")
    question = refereed.page.locator("dialog")
    expect(question).to_contain_text("R5")
    expect(question).to_contain_text("can't play a blue 7 on a red 5")
    refereed.tap("Take it back")
    refereed.says("Ben’s turn")
    refereed.card("blue-7")
    refereed.tap("Record it anyway")
    refereed.says("Cam’s turn")
    refereed.ruled("because the referee says so")


@pytest.mark.parametrize(
    ("answer", "ruling", "turn"),
    [
        pytest.param("Guilty", "The challenge was right: Ben draws 4.", "Cam", id="guilty"),
        pytest.param("Innocent", "Cam draws 6.", "Ana", id="innocent"),
    ],
)
def test_a_wild_draw_four_is_challenged(refereed, answer, ruling, turn):
    refereed.card("wild-draw")
    refereed.colour("green")
    expect(refereed.page.locator(".challenge")).to_contain_text("Does Cam challenge Ben?")
    refereed.tap_like(answer)
    refereed.ruled(ruling)
    refereed.says(f"{turn}’s turn")


def test_drawing_and_drawing_and_laying_are_one_tap_each(refereed):
    refereed.tap("Drew one card")
    refereed.says("Cam’s turn")
    expect(refereed.seat("Ben").locator(".hand")).to_contain_text("8")
    refereed.tap("Drew and played it")
    refereed.card("red-9")
    refereed.says("Ana’s turn")
    expect(refereed.seat("Cam").locator(".hand")).to_contain_text("7")


def test_the_colour_of_a_wild_follows_its_play_and_holds_nothing_up(refereed):
    refereed.card("wild")
    refereed.says("Ben still has to name the colour")
    colours = refereed.page.get_by_role("group", name="Colours")
    expect(colours).to_contain_text("Ben, which colour?")
    refereed.colour("yellow")
    refereed.says("Cam’s turn")
    expect(refereed.page.locator(".in-play")).to_contain_text("Yellow")
    refereed.colour("green")
    expect(refereed.page.locator(".in-play")).to_contain_text("Green")
    refereed.card("green-3")
    expect(colours).to_have_count(0)
    refereed.says("Ana’s turn")


def test_a_street_race_begins_with_its_card_and_the_cards_go_on_meanwhile(refereed):
    refereed.card("street-race")
    expect(refereed.page.get_by_role("heading", name="Street Race by Ben")).to_be_visible()
    refereed.colour("blue")
    refereed.tap("Back to the game")
    refereed.card("blue-7")
    refereed.says("Slap!")
    refereed.push(1)
    refereed.page.wait_for_timeout(100)
    refereed.push(3)
    expect(refereed.page.locator(".verdict")).to_contain_text("Cam draws 4")
    expect(refereed.page.locator(".lane[data-seat='1'] .lane-time")).to_have_text("1st")
    expect(refereed.page.locator(".lane[data-seat='3'] .lane-time")).to_contain_text("+")


def test_a_wrong_card_is_changed_in_the_row_of_plays_and_what_no_longer_fits_is_asked(refereed):
    refereed.card("red-7")
    refereed.says("Cam’s turn")
    refereed.card("blue-7")
    refereed.says("Ana’s turn")
    refereed.tap_like("Ben: Red 7")
    expect(refereed.page.get_by_role("heading", name="Change this? Ben: Red 7")).to_be_visible()
    refereed.page.locator("dialog [data-card='red-9']").click()
    expect(refereed.page.locator("dialog")).to_have_count(0)
    expect(refereed.page.get_by_role("button", name="Ben: Red 9")).to_be_visible()
    refereed.asks("Cam played blue 7, which no longer fits.")
    refereed.answer("It was played")
    expect(refereed.page.locator(".answers")).to_have_count(0)
    refereed.tap_like("Cam: Blue 7")
    refereed.page.locator("dialog").get_by_role("button", name="Drew one card").click()
    expect(refereed.page.get_by_role("button", name="Cam: drew a card")).to_be_visible()
    expect(refereed.seat("Cam").locator(".hand")).to_contain_text("8")
    refereed.tap_like("Cam: drew a card")
    refereed.tap("Remove this turn")
    expect(refereed.page.locator(".play")).to_have_count(1)
    refereed.says("Cam’s turn")


def test_what_the_companion_believes_can_be_set_right(refereed):
    refereed.tap("Fix something")
    refereed.choose("Ana")
    refereed.choose("to the right")
    refereed.tap("Save")
    refereed.says("Ana’s turn")
    expect(refereed.page.get_by_role("img", name="to the right")).to_be_visible()


class TestTooCloseToTell:
    @pytest.fixture
    def config(self) -> str:
        """Wide enough for two keys of a slow machine."""
        return "[timing]\nrace_limit_ms = 300000\nswitch_tolerance_ms = 1000\n"

    def test_a_dead_heat_goes_to_a_slap_off(self, referee):
        referee.seat_down("Ana", "Ben", "Cam")
        referee.start("Ana")
        referee.lay_race("Ana")
        referee.push_together(2, 3)
        referee.says("Too close to call: Ben, Cam.")
        referee.page.evaluate(WATCH_THE_LIGHT)
        referee.tap("Slap-off")
        expect(referee.page.get_by_role("img", name="The light is on")).to_be_visible()
        assert referee.page.evaluate("window.lights") == ["The light is off", "The light is on"]
        referee.push(2)
        expect(referee.page.locator(".off-seats .landed")).to_contain_text("Ben")
        referee.page.wait_for_timeout(1200)
        referee.push(3)
        expect(referee.page.locator(".verdict")).to_contain_text("Cam draws 4")

    def test_the_referee_picks_who_was_last_and_overrules_it_again(self, referee):
        referee.seat_down("Ana", "Ben", "Cam")
        referee.start("Ana")
        referee.lay_race("Ana")
        referee.push_together(2, 3)
        referee.page.locator(".undecided-choices .who", has_text="Ben").click()
        referee.ruled("The referee’s pick")
        referee.tap("Back to the game")
        referee.page.locator(".ruling-open").click()
        referee.page.locator("dialog").get_by_role("button", name="Overrule").first.click()
        referee.tap("Nobody draws")
        referee.ruled("The referee overrules: nobody draws.")
        expect(referee.page.locator(".owed")).to_have_count(0)
