"""The board is a show of its own: it follows the table by itself, and nobody can touch it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.every_screen.test_accessibility import AXE, PHONE, TABLET, TELEVISION, check
from tests.page.layout import LASTING, NAMES, OVER


@pytest.fixture
def board(screen):
    return screen("/board", width=1920, height=1080)


def test_the_board_invites_everyone_while_people_sit_down(board, served):
    expect(board.page.locator("h1")).to_have_text("Join in")
    join = board.page.locator(".join")
    expect(join).to_contain_text(served.address.removeprefix("http://"))
    expect(join.locator("img")).to_have_js_property("complete", True)
    assert join.locator("img").evaluate("image => image.naturalWidth") > 0
    served.pair()
    served.do("sit", name="Ana", button=1)
    chair = board.page.locator(".chair", has_text="Ana")
    expect(chair).to_contain_text("Button 1")
    chair.locator("img").evaluate("image => image.decode()")
    served.do("sit", name="Ben")
    expect(board.page.locator(".chair")).to_have_count(2)
    assert board.page.locator("button, input, a").count() == 0


def test_the_board_follows_a_race_from_the_first_hand_to_the_drawn_cards(night, board, push, lay):
    page = board.page
    expect(page.locator("[data-scene=play]")).to_be_visible()
    expect(page.locator(".place-row")).to_have_count(3)
    lay(1)
    expect(page.get_by_role("heading", name="Street Race")).to_be_visible()
    expect(page.locator(".show-by")).to_have_text("laid by Ana")
    expect(page.locator(".lights.go")).to_be_visible()
    expect(page.locator(".live-lane.landed")).to_have_count(0)
    push(3)
    expect(page.locator(".live-lane[data-seat='3'].landed")).to_contain_text("1st")
    push(2)
    expect(page.locator(".verdict-line")).to_have_text("Ben draws 4")
    expect(page.get_by_role("status")).to_have_text(re.compile(r"Ben draws 4, by [\d.]+ ms\."))
    expect(page.locator(".verdict-why")).to_have_text(
        re.compile(r"last by [\d.]+ ms · laid by Ana")
    )
    expect(page.locator(".photo-lane").first).to_contain_text("Ben")
    expect(page.locator(".photo-lane.last")).to_contain_text("2nd")
    expect(page.locator(".margins")).to_contain_text("would be a dead heat")
    night.do("drawn", debt=night.table["debts"][0]["number"])
    expect(page.locator("[data-scene=play]")).to_be_visible()
    expect(page.locator(".show-latest")).to_contain_text("Ben draws 4")


def test_the_board_shows_debts_counted_hands_and_the_winner(night, board):
    page = board.page
    night.do("catch", seat=3, by=1)
    expect(page.locator(".verdict-line")).to_have_text("Cam draws 2")
    expect(page.locator(".place-row[data-seat='3']")).to_contain_text("Draws 2")
    night.do("drawn", debt=night.table["debts"][0]["number"])
    night.do("go_out", seat=1)
    expect(page.locator("h1")).to_have_text("Ana is out!")
    expect(page.locator(".counting li")).to_have_count(3)
    night.do("enter_hand", seat=2, cards={"wild": 2, "red-5": 1})
    expect(page.locator(".counting li[data-seat='2']")).to_contain_text("105")
    expect(page.locator(".counting li[data-seat='2'] .card")).to_have_count(2)
    expect(page.locator(".counting li[data-seat='3']")).to_contain_text("…")
    night.do("enter_points", seat=3, points=500)
    expect(page.locator(".counting")).to_contain_text("Ana takes 605 points.")
    night.do("score_round")
    expect(page.locator(".large-words")).to_have_text("Ana wins!")
    expect(page.locator(".winner-standing .leader")).to_contain_text("605")
    expect(page.locator(".awards")).to_contain_text("Sharpest eye1×Ana")


def test_a_call_and_who_is_out_have_the_screen_for_a_moment(screen, night):
    page = screen("/board", width=1920, height=1080, before=LASTING).page
    expect(page.locator("[data-scene=play] .place-row")).to_have_count(3)
    moment = page.locator(".moment-show")
    night.do("call", seat=1)
    expect(moment.locator("h1")).to_have_text("Ana: UNO!")
    page.wait_for_function(OVER)
    night.do("go_out", seat=2)
    expect(moment.locator("h1")).to_have_text("Ben is out!")
    page.wait_for_function(OVER)
    expect(page.locator(".counting li")).to_have_count(3)


def test_uno_and_the_turn_are_seen_in_refereed_play(board, served):
    served.pair()
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    served.do("set_up", way="refereed")
    all_seated(board.page, 2)
    for kind, fields in (
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
        ("deal", {}),
        ("turn_up", {"card": "red-5"}),
        ("correct", {"hands": {"2": 2}}),
    ):
        assert served.do(kind, **fields).status == 200
    page = board.page
    expect(page.locator("h1")).to_have_text("Ben plays")
    expect(page.locator(".place-row.turn")).to_contain_text("Ben")
    served.do("play", card="red-7")
    expect(page.locator("h1")).to_have_text("Ben has one card left!")
    expect(page.locator(".place-row[data-seat='2'] .hand")).to_contain_text("Cards: 1")
    served.do("call", seat=2)
    expect(page.locator("h1")).to_have_text("Ben called UNO!")
    expect(page.locator(".place-row[data-seat='2'] .uno")).to_be_visible()
    served.do("play", card="red-8")
    expect(page.locator("h1")).to_have_text("Ben plays")


def test_the_score_moves_along_the_track_and_in_the_other_scoring_towards_danger(board, served):
    served.pair()
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    served.do("set_up", scoring="alternative", edition="express")
    all_seated(board.page, 2)
    for kind, fields in (
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
        ("deal", {}),
        ("go_out", {"seat": 1}),
        ("enter_points", {"seat": 2, "points": 200}),
        ("score_round", {}),
    ):
        assert served.do(kind, **fields).status == 200
    page = board.page
    in_danger = page.locator(".place-row.danger")
    expect(in_danger).to_contain_text("Ben")
    expect(in_danger).to_contain_text("in danger")
    expect(page.locator(".place-row.leader")).to_contain_text("Ana")
    assert in_danger.evaluate("one => one.style.getPropertyValue('--at')") == "0.8"
    expect(page.locator(".chart .line")).to_have_count(2)
    expect(page.locator(".tonight")).to_contain_text("more points and Ben ends the match")


def test_between_rounds_the_board_tells_the_evening(night, board, push, lay):
    lay(1)
    push(3)
    push(2)
    expect(board.page.locator(".verdict-line")).to_be_visible()
    night.do("drawn", debt=night.table["debts"][0]["number"])
    night.do("go_out", seat=1)
    for seat in (2, 3):
        night.do("enter_points", seat=seat, points=40)
    night.do("score_round")
    tonight = board.page.locator(".tonight")
    expect(tonight).to_contain_text("points are all Ana needs")
    expect(tonight).to_contain_text("Cam just before Ben")
    expect(tonight).to_contain_text("Fastest hand")


def test_the_referees_code_is_on_the_board_only_after_the_referee_asked(board, tablet, served):
    referee = tablet()
    expect(board.page.locator(".referee-code")).to_have_count(0)
    assert served.get("/api/pairing").status == 403
    referee.tap("Menu")
    referee.tap("Show the referee’s code on the board")
    expect(referee.page.locator(".menu-note")).to_have_text("The board shows it for 60 seconds.")
    expect(board.page.locator(".referee-code")).to_contain_text(
        served.get("/api/pairing").json["code"]
    )
    image = board.page.locator(".referee-code img")
    image.evaluate("image => image.decode()")


def test_a_board_says_when_it_is_out_of_date(board, served):
    expect(board.page.locator(".show")).to_have_attribute("data-link", "live")
    board.page.locator(".join img").evaluate("image => image.decode()")
    board.forgive("WebSocket", "ERR_CONNECTION")
    served.stop()
    expect(board.page.locator(".show-stale")).to_be_visible()


@pytest.mark.parametrize(("players", "least"), [(1, 0.25), (4, 0.17), (10, 0.11)])
def test_the_code_of_a_seat_can_be_scanned_from_across_the_room(screen, served, players, least):
    served.pair()
    for name in NAMES[:players]:
        served.do("sit", name=name)
    page = screen("/board", width=1280, height=720).page
    all_seated(page, players)
    for image in page.locator(".chair img").all():
        assert image.bounding_box()["width"] >= least * 1280


class TestNoVerdictYet:
    @pytest.fixture
    def config(self) -> str:
        """Hands that come one after the other are too close, and nobody is waited for long."""
        return "[timing]\nswitch_tolerance_ms = 1000\nrace_limit_ms = 3000\n"

    def test_a_dead_heat_is_told_with_how_close_it_was(self, night, board):
        night.do("declare_race", layer=1)
        for seat in (2, 3):
            night.do("press_seat", seat=seat)
        expect(board.page.locator(".verdict-line")).to_have_text("Dead heat!")
        expect(board.page.locator(".verdict-why")).to_have_text("Ben, Cam")
        expect(board.page.locator(".margins")).to_have_text(re.compile(r": a dead heat\."))

    def test_who_never_slapped_is_not_called_too_close(self, night, board):
        night.do("declare_race", layer=1)
        expect(board.page.locator(".verdict-line")).to_have_text("Who was last?")
        expect(board.page.locator(".photo-lane", has_text="no slap")).to_have_count(2)
        expect(board.page.locator(".margins")).to_have_text("")


def all_seated(page, players):
    """Wait until everyone is shown with a code; once cards are dealt the table gives none away."""
    expect(page.locator(".chair")).to_have_count(players)
    for image in page.locator(".chair img").all():
        image.evaluate("image => image.decode()")


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_the_board_can_be_read_by_everybody(screen, night, push, lay):
    board = screen("/board", width=1920, height=1080)
    expect(board.page.locator("[data-scene=play]")).to_be_visible()
    check(board, TELEVISION, TABLET, PHONE)
    lay(1)
    push(3)
    push(2)
    expect(board.page.locator(".verdict-line")).to_be_visible()
    check(board, TELEVISION, TABLET, PHONE)
    night.do("drawn", debt=night.table["debts"][0]["number"])
    night.do("go_out", seat=1)
    for seat in (2, 3):
        night.do("enter_hand", seat=seat, cards={"wild": 1})
    expect(board.page.locator(".counting li.counted")).to_have_count(2)
    check(board, TELEVISION, TABLET, PHONE)
    night.do("score_round")
    expect(board.page.locator("[data-scene=between]")).to_be_visible()
    check(board, TELEVISION, TABLET, PHONE)
