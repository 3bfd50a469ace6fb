"""The board follows the table by itself, and nobody can touch anything on it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.layout import NAMES, covered, cut
from tests.page.test_accessibility import AXE, PHONE, TABLET, TELEVISION, check


@pytest.fixture
def board(screen):
    return screen("/board", width=1920, height=1080)


def test_the_board_invites_everyone_while_people_sit_down(board, served):
    expect(board.page.locator(".next")).to_have_text("Press your button to sit down.")
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
    expect(board.page.locator(".next")).to_contain_text("Start the match")
    assert board.page.locator("button, input, a").count() == 0


def test_the_board_follows_a_race_from_the_first_hand_to_the_drawn_cards(night, board, push, lay):
    page = board.page
    expect(page.locator("[data-scene=play]")).to_be_visible()
    expect(page.locator(".ring-seat")).to_have_count(3)
    lay(1)
    expect(page.get_by_role("heading", name="Street Race by Ana")).to_be_visible()
    expect(page.locator(".lane.landed")).to_have_count(0)
    push(3)
    expect(page.locator(".lane[data-seat='3'].landed")).to_be_visible()
    push(2)
    expect(page.locator(".board-verdict")).to_have_text(re.compile(r"Ben draws 4, by [\d.]+ ms\."))
    expect(page.locator(".lane.last")).to_contain_text("Ben")
    expect(page.locator(".margins")).to_contain_text("would be a dead heat")
    night.do("drawn", debt=night.table["debts"][0]["number"])
    expect(page.locator("[data-scene=play]")).to_be_visible()
    expect(page.locator(".board-ruling")).to_contain_text("Ben draws 4")


def test_the_board_shows_debts_counted_hands_and_the_winner(night, board):
    page = board.page
    night.do("catch", seat=3, by=1)
    expect(page.locator(".ring-seat[data-seat='3']")).to_contain_text("Draws 2")
    night.do("drawn", debt=night.table["debts"][0]["number"])
    night.do("go_out", seat=1)
    expect(page.locator(".counting li")).to_have_count(3)
    night.do("enter_hand", seat=2, cards={"wild": 2, "red-5": 1})
    expect(page.locator(".counting li[data-seat='2']")).to_contain_text("105")
    expect(page.locator(".counting li[data-seat='2'] .card")).to_have_count(2)
    expect(page.locator(".counting li[data-seat='3']")).to_contain_text("…")
    night.do("enter_points", seat=3, points=500)
    expect(page.locator(".counting")).to_contain_text("Ana takes 605 points.")
    night.do("score_round")
    expect(page.locator(".board-winner h2")).to_have_text("Ana wins!")
    expect(page.locator(".bar-line.leader .bar-total")).to_have_text("605")


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
    expect(page.locator(".ring-seat.turn")).to_contain_text("Ben")
    served.do("play", card="red-7")
    expect(page.locator(".board-uno")).to_have_text(re.compile("Ben is on one card!"))
    expect(page.locator(".ring-seat[data-seat='2'] .hand")).to_have_text("1")
    served.do("call", seat=2)
    expect(page.locator(".board-uno")).to_have_text(re.compile("Ben has called UNO."))
    served.do("play", card="red-8")
    expect(page.locator(".board-uno")).to_have_count(0)


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
    in_danger = page.locator(".bar-line.danger")
    expect(in_danger).to_contain_text("Ben")
    expect(in_danger).to_contain_text("In danger: 50 to the limit")
    expect(page.locator(".bar-line.leader")).to_contain_text("Ana")
    assert in_danger.locator(".runner").evaluate("one => one.style.left") == "80%"
    expect(page.locator(".chart .line")).to_have_count(2)


def test_the_referees_code_is_on_the_board_only_after_the_referee_asked(board, tablet, served):
    referee = tablet()
    expect(board.page.locator(".referee-code")).to_have_count(0)
    assert served.get("/api/pairing").status == 403
    referee.tap("Menu")
    referee.tap("Show the referee’s code on the board")
    expect(referee.page.locator(".menu-note")).to_have_text("The board shows it for 60 seconds.")
    expect(board.page.locator(".referee-code")).to_contain_text(served.code)
    image = board.page.locator(".referee-code img")
    image.evaluate("image => image.decode()")


def test_a_board_says_when_it_is_out_of_date(board, served):
    expect(board.page.locator(".board")).to_have_attribute("data-link", "live")
    board.page.locator(".join img").evaluate("image => image.decode()")
    board.forgive("WebSocket", "ERR_CONNECTION")
    served.stop()
    expect(board.page.locator(".board-stale")).to_be_visible()


@pytest.mark.parametrize("players", [2, 4, 7, 10])
@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
def test_everything_fits_on_the_board(screen, served, players, width, height):
    served.pair()
    for name in NAMES[:players]:
        served.do("sit", name=name)
    page = screen("/board", width=width, height=height).page
    all_seated(page, players)
    assert outside(page) == []
    assert covered(page, ".chair .code-picture, .chair .name") == []
    served.do("start_match")
    expect(page.locator(".next")).to_contain_text("Everyone draws")
    assert outside(page) == []
    assert covered(page, ".ring-seat, .ring-big, .board-score, .board-head") == []
    served.do("choose_dealer", seat=1)
    expect(page.locator(".ring-seat")).to_have_count(players)
    expect(page.locator(".next")).to_contain_text("shuffles and deals")
    assert outside(page) == []
    assert covered(page, ".ring-seat, .ring-big, .board-score, .board-head") == []
    served.do("deal")
    expect(page.locator(".ring-big")).to_have_text("Round 1")
    assert outside(page) == []
    served.do("set_handicap", seat=2, milliseconds=2000)
    served.do("declare_race", layer=1)
    if players > 2:
        expect(page.locator(".lane")).to_have_count(players - 1)
        assert outside(page) == []
        for seat in range(2, players + 1):
            served.do("press_seat", seat=seat)
        expect(page.locator(".board-verdict")).to_be_visible()
        assert outside(page) == []
        assert covered(page, ".board-verdict, .board-head, .lane-time, .lane-name, .track") == []
        served.do("cancel_race")
    served.do("go_out", seat=1)
    for seat in range(2, players + 1):
        served.do("enter_points", seat=seat, points=seat)
    expect(page.locator(".counting li")).to_have_count(players)
    assert outside(page) == []
    assert cut(page, ".counting .name") == []
    served.do("score_round")
    expect(page.locator("[data-scene=between]")).to_be_visible()
    assert outside(page) == []


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
        said = re.compile(r"Dead heat between .*: too close to call \(± [\d.]+ ms\)\.")
        expect(board.page.locator(".board-verdict")).to_have_text(said)
        expect(board.page.locator(".margins")).to_have_text(re.compile(r": a dead heat\."))

    def test_who_never_slapped_is_not_called_too_close(self, night, board):
        night.do("declare_race", layer=1)
        expect(board.page.locator(".next")).to_have_text(
            "Ben, Cam never slapped. The referee picks who draws, or a slap-off decides."
        )
        expect(board.page.locator(".lane", has_text="no slap")).to_have_count(2)
        expect(board.page.locator(".margins")).to_have_count(0)


def all_seated(page, players):
    """Wait until everyone is shown with a code; once cards are dealt the table gives none away."""
    expect(page.locator(".chair")).to_have_count(players)
    for image in page.locator(".chair img").all():
        image.evaluate("image => image.decode()")


OUTSIDE = """() => [...document.querySelectorAll(".board *")].filter((one) => {
    const box = one.getBoundingClientRect();
    const seen = box.width > 0 && !one.closest("svg, .hidden-text, .runner");
    return seen && (box.left < -1 || box.top < -1
        || box.right > innerWidth + 1 || box.bottom > innerHeight + 1);
}).map((one) => one.className)"""


def outside(page):
    """What is cut off by the edge of the screen."""
    page.wait_for_timeout(300)
    return page.evaluate(OUTSIDE)


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_the_board_can_be_read_by_everybody(screen, night, push, lay):
    board = screen("/board", width=1920, height=1080)
    expect(board.page.locator("[data-scene=play]")).to_be_visible()
    check(board, TELEVISION, TABLET, PHONE)
    lay(1)
    push(3)
    push(2)
    expect(board.page.locator(".board-verdict")).to_be_visible()
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
