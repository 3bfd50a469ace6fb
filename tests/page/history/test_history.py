"""Past nights in a browser: found again, opened, unfolded, and taken away."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.referee import commands as c
from tests.kit.served import Served, eventually
from tests.page.evenings import Evenings
from tests.page.every_screen.test_accessibility import AXE, PHONE, TABLET, check
from tests.page.fingers import Fingers
from tests.page.moments import LONGEST

pytestmark = pytest.mark.xdist_group("history")


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Three matches of Ana and Ben, the first two with Cam, the last by other rules."""
    served = Served(tmp_path_factory.mktemp("nights"))
    served.pair()
    for name in ("Ana", "Ben", "Cam"):
        done(served, "sit", name=name)
    done(served, "start_match")
    done(served, "choose_dealer", seat=1)
    done(served, "deal")
    race(served)
    done(served, "catch", seat=3, by=1)
    eventually(lambda: served.table["rulings"][0]["rule"] == "R13")
    score(served, 1, {2: 30, 3: 40})
    done(served, "deal")
    score(served, 2, {1: 20, 3: 480})
    done(served, "close_match")
    done(served, "start_match")
    done(served, "close_match")
    done(served, "stand", seat=3)
    done(served, "set_up", edition="express", scoring="alternative")
    done(served, "start_match")
    done(served, "close_match")
    yield served
    served.stop()


def done(served: Served, kind: str, **fields: Any) -> None:
    answer = served.do(kind, **fields)
    assert answer.status == 200, (kind, answer.body)


def race(served: Served) -> None:
    """Ana lays a Street Race; on a slow machine two taps may be too close to call."""
    done(served, "declare_race", layer=1)
    for seat in (3, 2):
        done(served, "press_seat", seat=seat)

    def settled() -> Any:
        table = served.table
        if table["race"]["state"] == "undecided":
            done(served, "pick_last", seats=[2])
        return table["debts"]

    for debt in eventually(settled):
        done(served, "drawn", debt=debt["number"])


def score(served: Served, out: int, points: dict[int, int]) -> None:
    done(served, "go_out", seat=out)
    for seat, left in points.items():
        done(served, "enter_points", seat=seat, points=left)
    done(served, "score_round")


@pytest.fixture
def look(nights: Served, screens: Callable[..., Fingers]) -> Callable[..., Page]:
    """Opens the page of past nights, as somebody who only looks."""

    def open_page(address: str = "/history", **how: Any) -> Page:
        page = screens(nights, **how).page
        page.goto(nights.address + address)
        expect(page.locator(".view-link").first).to_be_visible()
        return page

    return open_page


def shown(page: Page) -> list[int]:
    return [int(one.get_attribute("data-match") or 0) for one in page.locator(".match-card").all()]


def test_a_player_is_tapped_and_stands_in_the_address(look, nights):
    page = look()
    assert shown(page) == [3, 2, 1]
    page.get_by_role("button", name="Cam 2").click()
    expect(page).to_have_url(f"{nights.address}/history?player=Cam")
    expect(page.locator(".match-card")).to_have_count(2)
    expect(page.get_by_role("status")).to_have_text("2 matches of 3")
    facts = page.locator(".who-box")
    expect(facts.locator("dd")).to_have_text(["1", "0", "0%", "0"])
    expect(facts).to_contain_text("Most often with Ana and Ben")
    page.get_by_role("link", name="Show all").click()
    expect(page.locator(".match-card")).to_have_count(3)
    page.go_back()
    expect(page.locator(".match-card")).to_have_count(2)
    expect(page.get_by_role("button", name="Cam 2")).to_have_attribute("aria-pressed", "true")


def test_figures_are_told_of_tonight_this_month_and_all_time(look, nights):
    page = look("/history?view=figures")
    ever = page.get_by_role("button", name="All time")
    expect(ever).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Tonight").click()
    expect(page).to_have_url(f"{nights.address}/history?from=1&view=figures")
    expect(page.get_by_role("button", name="This month")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-picture]").first).to_be_visible()
    ever.click()
    expect(page).to_have_url(f"{nights.address}/history?view=figures")


def test_a_score_sheet_prints_on_one_page(look):
    page = look("/history?match=1")
    expect(page.locator(".sheet tfoot")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(page.locator(".match-nav")).to_be_hidden()
    expect(page.locator(".sheet tfoot")).to_be_visible()
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 1


def test_a_long_match_of_ten_prints_on_one_page(tmp_path, screens):
    evenings = Evenings(tmp_path / "data", 3)
    evenings.sit(*LONGEST)
    evenings.play(c.SetUp(edition="fast-and-furious", scoring="alternative"), rounds=40)
    evenings.close()
    served = Served(tmp_path)
    try:
        page = screens(served).page
        page.goto(f"{served.address}/history?match=1")
        expect(page.locator(".sheet tfoot")).to_be_visible()
        assert page.locator(".sheet tbody tr").count() > 10
        assert page.pdf(format="A4").count(b"/Type /Page\n") == 1
    finally:
        served.stop()


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("player=Ana&player=Ben", [3, 2, 1]),
        ("player=Ana&player=Ben&group=1", [3]),
        ("player=Cam&player=Ana&player=Ben&group=1", [2, 1]),
        ("edition=express&scoring=alternative", [3]),
        ("from=2&to=3&scoring=classic", [2]),
    ],
)
def test_the_page_chooses_what_the_table_chooses(look, nights, query, numbers):
    page = look(f"/history?{query}")
    expect(page.locator(".match-card")).to_have_count(len(numbers))
    assert shown(page) == numbers
    answer = nights.get(f"/api/matches?{query}")
    assert [match["number"] for match in answer.json["matches"]] == numbers


def test_players_and_groups_tell_who_has_won_how_often(look, nights):
    page = look()
    page.get_by_role("link", name="Players", exact=True).click()
    row = page.get_by_role("row", name=re.compile("^Ben"))
    expect(row.get_by_role("cell")).to_contain_text(["1", "1", "100%", "1"])
    page.get_by_role("link", name="Groups", exact=True).click()
    first = page.locator(".group-card").first
    expect(first.get_by_role("heading")).to_have_text("Ana, Ben, and Cam")
    expect(first.locator(".win-list li")).to_contain_text(["Ben", "Ana", "Cam"])
    first.get_by_role("link", name="Their matches").click()
    expect(page.locator(".group-card")).to_have_count(0)
    expect(page.locator(".who-box h2")).to_have_text("Ana, Ben, and Cam: 1 match")
    assert shown(page) == [2, 1]
    expect(page.get_by_role("button", name="Nobody else")).to_have_attribute("aria-pressed", "true")


def test_nobody_has_played_a_match_that_was_started_by_mistake(look, nights):
    page = look("/history?view=groups")
    expect(page.locator(".group-card")).to_have_count(1)
    page.locator(".view-link[href*=figures]").click()
    expect(page.locator("[data-total=matches] dd")).to_have_text("1")
    page.locator(".view-link").first.click()
    for name in ("Ana", "Ben", "Nobody else"):
        page.get_by_role("button", name=name).click()
    expect(page.locator(".who-box h2")).to_have_text("Ana and Ben: 0 matches")
    assert shown(page) == [3]


def test_a_round_has_as_many_races_as_the_figures_count(look, nights):
    page = look("/history?match=1")
    pills = page.locator(".round-counts span", has_text="race")
    expect(pills).to_have_text(["1 race"])
    assert nights.get("/api/statistics?to=1").json["races"] == 1


def test_a_match_after_midnight_has_one_date_everywhere(screens, nights):
    listed = thousand()[-1:]
    listed[0]["started"] = "2026-11-17T00:40:00"
    page = screens(nights).page
    page.route("**/api/matches?brief=1", lambda route: route.fulfill(json={"matches": listed}))
    page.goto(f"{nights.address}/history")
    for way, where in (
        (".view-link[href*=players]", ".people-sheet td:last-child"),
        (".view-link[href*=groups]", ".group-card .hint"),
        (".view-link >> nth=0", ".night-head h2"),
        (".match-card", ".match-top .hint"),
    ):
        page.locator(way).click()
        expect(page.locator(where).first).to_contain_text(re.compile("16 Nov|November 16|Nov 16"))


@pytest.mark.parametrize(("width", "country"), [(320, "en-GB"), (320, "de-DE"), (360, "fr-FR")])
def test_a_small_phone_shows_all_of_it(look, nights, width, country):
    page = look("/history", width=width, height=700, country=country)

    def fits(ready: str) -> None:
        expect(page.locator(ready).first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, ready

    for view, ready in (
        ("players", ".people-sheet"),
        ("groups", ".group-card"),
        ("figures", ".picture"),
        ("what_if", ".wish"),
    ):
        page.locator(f".view-link[href*='view={view}']").click()
        fits(ready)
    page.locator(".view-link").first.click()
    fits(".match-card")
    page.locator(".match-card").last.click()
    fits(".round-box")
    page.goto(f"{nights.address}/rules")
    fits(".numbers")


def test_on_a_phone_everybody_has_all_figures_under_the_whole_name(look):
    page = look("/history?view=players", width=390, height=844)
    row = page.get_by_role("row", name=re.compile("^Ben"))
    expect(row.get_by_role("cell")).to_have_count(5)
    for cell in row.get_by_role("cell").all():
        box = cell.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390
    name = row.get_by_role("link")
    assert name.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert row.get_by_role("rowheader").evaluate("(one) => one.offsetHeight") < 60


def test_a_match_opens_unfolds_and_the_way_back_leads_to_where_one_was(look, nights):
    page = look("/history?player=Cam")
    page.locator(".match-card[data-match='1']").click()
    expect(page).to_have_url(f"{nights.address}/history?player=Cam&match=1")
    expect(page.get_by_role("heading", name="Match 1")).to_be_focused()
    first = page.locator(".round-box[data-round='1']")
    expect(first.locator("> summary")).to_contain_text("Ana went out +70")
    expect(first.locator(".told-ruling").first).not_to_be_visible()
    first.locator("> summary").click()
    rulings = first.locator(".told-ruling")
    expect(rulings.first).to_contain_text("Street Race by Ana · Cam → Ben")
    expect(rulings.filter(has_text="R13")).to_contain_text("Cam did not call UNO")
    expect(first.locator(".told-hands")).to_contain_text("40 left")
    expect(page.locator(".past-match .sheet")).to_contain_text("out")
    page.get_by_role("link", name="Match 2").click()
    expect(page.get_by_role("heading", name="Match 2")).to_be_focused()
    expect(page.locator(".rounds")).to_contain_text("No round was dealt.")
    page.go_back()
    page.go_back()
    expect(page).to_have_url(f"{nights.address}/history?player=Cam")
    assert shown(page) == [2, 1]
    page.go_forward()
    expect(page.get_by_role("heading", name="Match 1")).to_be_visible()


def test_what_nobody_played_says_so_and_offers_everything(look):
    page = look("/history?player=Zoe")
    expect(page.locator(".nothing")).to_contain_text("No match fits your choice.")
    page.locator(".nothing").get_by_role("link", name="Show all").click()
    expect(page.locator(".match-card")).to_have_count(3)
    page = look("/history?match=99")
    expect(page.locator(".nothing")).to_contain_text("There is no match 99 at this table.")


def test_what_is_chosen_is_taken_away(look):
    page = look("/history?player=Cam")
    page.locator(".match-card").first.wait_for()
    files = {}
    for name in ("Scores (CSV)", "Races (CSV)", "Everything (JSON)"):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        file = download.value
        files[file.suggested_filename] = file.path().read_text()
    assert files["matches.csv"].count("\n") == 7
    assert files["races.csv"].splitlines()[1].startswith("1,1,")
    assert [match["number"] for match in json.loads(files["matches.json"])["matches"]] == [1, 2]


def the_referee(nights: Served, screens: Callable[..., Fingers]) -> Fingers:
    """A screen of the referee's, whose requests nobody counts."""
    fingers = screens(nights)
    fingers.open(f"{nights.address}/?code={nights.code}")
    return fingers


def test_only_the_referee_is_offered_to_forget(look, nights, screens):
    page = look("/history?match=1")
    expect(page.locator(".tools").last).to_be_visible()
    expect(page.locator(".forget")).to_have_count(0)
    referee = the_referee(nights, screens)
    referee.page.goto(f"{nights.address}/history?match=1")
    expect(referee.page.locator(".forget")).to_be_visible()
    referee.page.goto(f"{nights.address}/history?player=Cam")
    expect(referee.page.locator(".forget")).to_be_visible()


def test_a_thousand_matches_are_drawn_as_one_gets_to_them(screens, nights):
    fingers = screens(nights)
    fingers.forgive("404")  # these matches are only on the list
    page = fingers.page
    page.route("**/api/matches?brief=1", lambda route: route.fulfill(json={"matches": thousand()}))
    page.goto(nights.address + "/history")
    expect(page.locator(".reading-head")).to_contain_text("1000 matches · 250 nights")
    drawn = page.locator(".match-card").count()
    assert 0 < drawn < 200
    page.get_by_role(
        "button", name=re.compile("Show .* earlier matches")
    ).scroll_into_view_if_needed()
    page.wait_for_function(f"() => document.querySelectorAll('.match-card').length > {drawn}")
    page.locator(".match-card").last.click()
    expect(page.locator(".nothing, .past-match")).to_be_visible()
    page.go_back()
    page.wait_for_function(f"() => document.querySelectorAll('.match-card').length > {drawn}")
    assert page.evaluate("scrollY") > 1000
    page.get_by_role("button", name="P3 100").click()
    expect(page.get_by_role("status")).to_have_text("100 matches of 1000")


def thousand() -> list[dict[str, Any]]:
    return [
        {
            "number": number,
            "started": (
                datetime(2026, 1, 1, 20, tzinfo=UTC) + timedelta(days=(number - 1) // 4)
            ).isoformat(),
            "ended": "",
            "edition": "express",
            "edition_name": "Express",
            "scoring": "classic",
            "rounds": 5,
            "players": [
                {"name": name, "points": 100, "rounds": 2} for name in ("Ana", f"P{number % 10}")
            ],
            "winners": ["Ana"],
        }
        for number in range(1000, 0, -1)
    ]


def test_the_keyboard_is_enough(look, nights):
    page = look()
    page.locator(".match-card").first.wait_for()
    page.get_by_role("button", name="Cam 2").focus()
    page.keyboard.press("Space")
    expect(page.locator(".match-card")).to_have_count(2)
    page.locator(".match-card[data-match='1']").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Match 1")).to_be_focused()
    page.locator(".round-box > summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".told-ruling").first).to_be_visible()
    page.get_by_role("link", name="All matches").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{nights.address}/history?player=Cam")


def test_a_table_that_does_not_answer_is_asked_again(nights, screens):
    fingers = screens(nights)
    fingers.forgive("503", "Failed to load")
    page = fingers.page
    page.route("**/api/matches?brief=1", lambda route: route.fulfill(status=503, json={}))
    page.goto(nights.address + "/history")
    expect(page.get_by_role("alert")).to_contain_text("The table doesn’t answer")
    page.unroute("**/api/matches?brief=1")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".match-card")).to_have_count(3)


@pytest.mark.parametrize("country", ["es-ES", "fr-FR", "de-DE", "pt-BR"])
def test_every_language_has_all_words_of_it(look, country):
    page = look("/history?player=Cam&player=Ana", country=country)
    page.locator(".match-card").last.click()
    page.locator(".round-box > summary").first.click()
    expect(page.locator(".told-ruling").first).to_be_visible()
    for view in ("players", "groups", "figures"):
        page.locator(f".view-link[href*='view={view}']").click()
        expect(page.locator(f".view-link[href*='view={view}']")).to_have_attribute(
            "aria-current", "page"
        )


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_everybody_can_read_past_nights(nights, screens):
    fingers = the_referee(nights, screens)
    for address, ready in (
        ("", ".night-head"),
        ("?player=Ana&player=Ben", ".who-box"),
        ("?view=groups", ".group-card"),
        ("?view=players", ".people-sheet"),
        ("?match=1", ".round-box"),
    ):
        fingers.page.goto(f"{nights.address}/history{address}")
        expect(fingers.page.locator(ready).first).to_be_visible()
        for fold in fingers.page.locator(".round-box > summary").all():
            fold.click()
        check(fingers, TABLET, PHONE)
