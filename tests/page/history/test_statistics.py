"""The figures of past nights in a browser: what is drawn and told is what the table counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import floor
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from companion.referee import commands as c
from tests.kit.served import Served
from tests.page.evenings import Evenings
from tests.page.every_screen.test_accessibility import AXE, PHONE, TABLET, TOO_WIDE, check
from tests.page.fingers import Fingers

pytestmark = pytest.mark.xdist_group("statistics")

LONG = "W" * 24
REGULARS = ("Ana", "Ben", LONG, "")
RULES = (
    c.SetUp("fast-and-furious", "classic"),
    c.SetUp("express", "classic"),
    c.SetUp("fast-and-furious", "alternative"),
)
FIGURES = "/history?view=figures"
PICTURES = ["slaps", "last", "catches", "rivals", "points", "wins", "comebacks"]
TABLE = """(picture) => [...picture.querySelectorAll("tbody tr")].map((row) =>
    [...row.children].map((cell) => cell.textContent.trim()))"""


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Eighteen matches of four, one of whom has no name; two of Ana and Ben; and one not begun."""
    folder = tmp_path_factory.mktemp("figures")
    evenings = Evenings(folder / "data", seed=5)
    evenings.sit(*REGULARS)
    for number in range(18):
        evenings.play(RULES[number % 3], rounds=9, races=3)
    evenings.sit("Ana", "Ben")
    for rules in RULES[:2]:
        evenings.play(rules, rounds=3)
    evenings.play(RULES[0], rounds=0)
    evenings.close()
    served = Served(folder)
    yield served
    served.stop()


@pytest.fixture
def look(nights: Served, screens: Callable[..., Fingers]) -> Callable[..., Page]:
    """Opens the figures, as somebody who only looks."""

    def open_page(query: str = "", **how: Any) -> Page:
        page = screens(nights, **how).page
        page.goto(nights.address + FIGURES + query)
        expect(page.locator(".totals")).to_be_visible()
        return page

    return open_page


def told(served: Served, query: str = "") -> Any:
    return served.get(f"/api/statistics?{query}").json


def total(page: Page, what: str) -> str:
    return page.locator(f"[data-total={what}] dd").inner_text()


def table(page: Page, picture: str) -> list[list[str]]:
    rows: list[list[str]] = page.locator(f"[data-picture={picture}]").evaluate(TABLE)
    return rows


def ms(nanoseconds: int) -> str:
    time = nanoseconds / 1e6
    return f"{time:.1f} ms" if time < 100 else f"{int(time + 0.5)} ms"


def tenths(value: float) -> str:
    return f"{floor(10 * value + 0.5) / 10:.1f}"


def percent(part: int, whole: int) -> str:
    return f"{floor(100 * part / whole + 0.5)}%"


def signed(points: int) -> str:
    return f"{points:+}".replace("-", "\N{MINUS SIGN}") if points else "0"


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("", id="everything"),
        pytest.param("edition=fast-and-furious&scoring=alternative", id="one kind of match"),
        pytest.param("from=2&to=2", id="a match without races"),
    ],
)
def test_every_table_says_what_the_table_counts(look, nights, query):
    page, night = look(f"&{query}"), told(nights, query)
    expected = {
        "slaps": [
            [hand["name"], str(hand["slaps"]["count"])]
            + [ms(hand["slaps"][part]) for part in ("best", "lower", "median", "upper")]
            for hand in night["hands"]
            if hand["slaps"]
        ],
        "last": [
            [
                hand["name"],
                *(str(hand[part]) for part in ("races", "first", "last")),
                ms(hand["behind"]),
                str(hand["safe"]),
            ]
            for hand in night["hands"]
        ],
        "catches": [
            [one["name"]]
            + [str(one[part]) for part in ("calls", "caught", "missed", "forgot", "saved")]
            for one in night["calls"]
        ],
        "points": [
            [
                one["name"],
                str(one["rounds"]),
                str(one["out"]),
                tenths(one["won"] / one["rounds"]),
                "–" if one["best"] is None else str(one["best"]),
                tenths(one["left"] / one["rounds"]),
                str(one["worst"]),
            ]
            for one in night["points"]
        ],
        "comebacks": [
            [
                one["name"],
                *(str(one[part]) for part in ("match", "behind", "rounds")),
                " · ".join(map(signed, one["leads"])),
            ]
            for one in night["comebacks"]
        ],
        "wins": [
            [
                rate["name"],
                f"{rate['edition_name']}, {rate['scoring'].capitalize()}",
                str(rate["played"]),
                str(rate["won"]),
                "–" if rate["played"] < 5 else percent(rate["won"], rate["played"]),
            ]
            for rate in night["rates"]
        ],
    }
    there = {name for name, rows in expected.items() if rows}
    assert there >= ({"slaps", "last"} if night["races"] else {"points"})
    for name in expected:
        if name not in there:
            expect(page.locator(f"[data-picture={name}]")).to_have_count(0)
        else:
            assert sorted(table(page, name)) == sorted(expected[name]), name


def test_the_large_figures_are_those_of_the_table(look, nights):
    page, night = look(), told(nights)
    assert total(page, "matches") == str(len(night["matches"]))
    assert total(page, "rounds") == str(night["rounds"])
    assert total(page, "races") == str(night["races"])
    assert total(page, "heats") == str(night["dead_heats"])
    winner = max(night["winners"], key=lambda one: one["rounds"])
    first = max(night["hands"], key=lambda one: one["first"])
    shown = page.locator(".highlight")
    expect(shown.locator("strong")).to_have_text(
        [first["name"], ms(night["shave"]["margin"]), winner["name"]]
    )
    expect(shown.nth(0)).to_contain_text(f"{first['first']}× first in {first['races']} races")
    expect(shown.nth(1)).to_contain_text(f"{night['shave']['loser']} was last")
    expect(shown.nth(2)).to_contain_text(f"{winner['rounds']} rounds")


def test_who_loses_to_whom_is_told_for_every_pair(look, nights):
    page, night = look(), told(nights)
    lost = {(one["name"], one["by"]): one["times"] for one in night["beaten"]}
    cells = table(page, "rivals")
    assert [row[0] for row in cells] == night["people"]
    for name, *row in cells:
        for by, cell in zip(night["people"], row, strict=True):
            times, won = lost.get((name, by), 0), lost.get((by, name), 0)
            more = ", loses more often" if times > won else ""
            assert cell == ("" if name == by else f"{times} of {times + won}{more}")


def test_the_filter_changes_the_figures_and_the_way_back_brings_them_again(look, nights):
    page = look()
    everything = total(page, "rounds")
    page.get_by_role("button", name="Express").click()
    express = told(nights, "edition=express")
    expect(page.locator("[data-total=rounds] dd")).to_have_text(str(express["rounds"]))
    expect(page.locator("[data-total=races]")).to_have_count(0)
    expect(page.locator("[data-picture=slaps], [data-highlight=shave]")).to_have_count(0)
    page.go_back()
    expect(page.locator("[data-total=rounds] dd")).to_have_text(everything)
    expect(page.locator("[data-picture]")).to_have_count(len(PICTURES))


def test_the_closest_shave_leads_to_its_race(look, nights):
    page, shave = look(), told(nights)["shave"]
    page.get_by_role("link", name="Look at this race").click()
    expect(page.get_by_role("heading", name=f"Match {shave['match']}")).to_be_visible()
    assert parse_qs(urlsplit(page.url).query) == {
        "match": [str(shave["match"])],
        "race": [str(shave["ruling"])],
    }


def test_two_at_a_table_are_neither_the_fastest_nor_the_last(look):
    page = look("&player=Ana&player=Ben&group=1")
    expect(page.locator("[data-highlight]")).not_to_have_count(0)
    expect(page.locator("[data-highlight=first]")).to_have_count(0)
    expect(page.locator("[data-picture=rivals]")).to_have_count(0)
    expect(page.locator("[data-picture=last] .tells")).to_contain_text("only one hand races")


def test_where_nothing_was_played_there_is_nothing_to_tell(nights, screens):
    page = screens(nights).page
    page.goto(f"{nights.address}{FIGURES}&from=21&to=21")
    expect(page.locator(".statistics")).to_have_text("No stats yet: play a round first.")


def test_who_are_equally_good_are_named_together(nights, screens):
    night = told(nights)
    for hand in night["hands"][:2]:
        hand.update(first=500, last=400, races=900)
    page = screens(nights).page
    page.route("**/api/statistics*", lambda route: route.fulfill(json=night))
    page.goto(nights.address + FIGURES)
    both = ", ".join(hand["name"] for hand in night["hands"][:2])
    expect(page.locator("[data-highlight=first] strong")).to_have_text(both)
    expect(page.locator("[data-picture=last] .tells")).to_have_text(
        f"Most last places: {both}, 400 of 900 races each."
    )


def test_a_statistic_that_is_only_declared_is_drawn_too(nights, screens):
    night = told(nights)
    night["guests"] = [{"name": name, "value": 7} for name in night["people"]]
    night["pictures"] = {"guests": "bars"}
    page = screens(nights).page
    page.route("**/api/statistics*", lambda route: route.fulfill(json=night))
    page.goto(nights.address + FIGURES)
    expect(page.locator("[data-picture=guests] rect.part")).to_have_count(len(night["people"]))
    assert table(page, "guests")[0][-1] == "7"


def slaps(*times: int) -> dict[str, Any]:
    """Slaps of so many milliseconds, an odd number of them, as the table would sum them up."""
    found = sorted(time * 1_000_000 for time in times)
    steps = [min(time // 20_000_000, 99) for time in found]
    quarters = {
        name: found[part * (len(found) - 1) // 4]
        for name, part in (("best", 0), ("lower", 1), ("median", 2), ("upper", 3))
    }
    spread = [steps.count(at) for at in range(max(steps) + 1)]
    return {"count": len(found), "spread": spread, "times": found, **quarters}


def test_hands_that_slapped_seldom_come_after_those_that_are_compared(nights, screens):
    night = told(nights)
    for hand, times in zip(
        night["hands"],
        (
            (900, 976, 990),
            (700, 800, 900, 1100, 1156, 1200, 1300, 1400, 1500),
            (1900, 3000, 3278, 3400, 3500),
            (2600, 2700, 3900),
        ),
        strict=True,
    ):
        hand["slaps"] = slaps(*times)
    lucky, often, slow, _ = (hand["name"] or "Player 4" for hand in night["hands"])
    page = screens(nights).page
    page.route("**/api/statistics*", lambda route: route.fulfill(json=night))
    page.goto(nights.address + FIGURES)
    picture = page.locator("[data-picture=slaps]")
    expect(picture.locator(".tells")).to_have_text(
        f"{often} has the quickest hand: half of 9 slaps came within 1156 ms."
    )
    rows = picture.locator(".stat-row")
    expect(rows.locator(".figure strong")).to_have_text(["1156 ms", "3278 ms", "976 ms", "2700 ms"])
    expect(picture).to_contain_text("Hands are compared from 5 slaps on")
    for name, drawn in ((often, 1), (slow, 0), (lucky, 1)):
        row = picture.locator(f".stat-row[data-name='{name}']")
        expect(row.locator("line.median")).to_have_count(drawn)
    expect(rows.nth(1)).to_contain_text("+4 later")
    expect(rows.nth(3)).to_contain_text("+3 later")
    expect(rows.nth(3).locator(".best, .dot")).to_have_count(0)


def test_a_table_that_does_not_answer_is_asked_again(nights, screens):
    fingers = screens(nights)
    fingers.forgive("503", "Failed to load")
    page = fingers.page
    page.goto(nights.address + FIGURES)
    expect(page.locator(".totals")).to_be_visible()
    page.route("**/api/statistics*", lambda route: route.fulfill(status=503, json={}))
    page.get_by_role("button", name="Express").click()
    expect(page.get_by_role("alert")).to_contain_text("the table doesn’t answer")
    expect(page.locator(".totals")).to_have_count(0)
    page.unroute("**/api/statistics*")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("[data-total=rounds] dd")).to_have_text(
        str(told(nights, "edition=express")["rounds"])
    )


@pytest.mark.parametrize("country", ["es-ES", "fr-FR", "de-DE", "pt-BR"])
def test_every_language_has_all_words_on_a_phone_and_long_names_fit(look, country):
    page = look(country=country, width=390, height=844)
    for fold in page.locator(".picture .fold summary").all():
        fold.click()
    assert (
        page.locator("[data-picture]").evaluate_all(
            "(all) => all.map((one) => one.dataset.picture)"
        )
        == PICTURES
    )
    words = page.locator(".statistics").inner_text()
    assert not re.findall(r"statistics\.\w+|\{\w+\}|undefined|NaN|Player \d", words)
    assert page.evaluate(TOO_WIDE) <= 0


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_everybody_can_read_the_figures(nights, screens):
    fingers = screens(nights)
    fingers.page.goto(nights.address + FIGURES)
    expect(fingers.page.locator("[data-picture]")).to_have_count(len(PICTURES))
    for fold in fingers.page.locator(".picture .fold summary").all():
        fold.click()
    check(fingers, TABLET, PHONE)
