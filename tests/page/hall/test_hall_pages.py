"""The hall's pages: the desk by its link, the list, the screen and the prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.hall.contract import CONTRACT, Here, Seated, SentRuling, TableState, said
from companion.hall.table.membership import join
from tests.hall.played_evening import LONGEST, play_evening
from tests.hall.served_hall import ServedHall, publish
from tests.hall.table.test_place import play_a_match
from tests.home.broker import PROGRAM
from tests.kit.served import Served
from tests.page.every_screen.test_accessibility import AXE, PHONE, TABLET, TELEVISION, check
from tests.page.fingers import Fingers

BROKEN_WORDS = """() => [...document.querySelectorAll("thead th, tbody td:first-child")]
  .flatMap((cell) => [...cell.firstChild.data.matchAll(/\\S+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(cell.firstChild, word.index);
    range.setEnd(cell.firstChild, word.index + word[0].length);
    return range.getClientRects().length > 1;
  }).map((word) => word[0]))"""
PEOPLE = ["Ana", "Ben, Chess club", "Cleo", "Wilhelmine Hohenstein", "Emil", "Finn", "Gus", "Hana"]

pytestmark = [
    pytest.mark.skipif(PROGRAM is None, reason="there is no mosquitto here"),
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that"),
    pytest.mark.xdist_group("hall pages"),
]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedHall]:
    hall = ServedHall(tmp_path_factory.mktemp("hall"))
    hall.pair()
    hall.command("sign_up", people=PEOPLE)
    yield hall
    hall.stop()


def test_the_link_of_the_terminal_opens_the_desk(hall, screens: Callable[..., Fingers]) -> None:
    desk = screens(hall)
    desk.page.goto(f"{hall.address}/desk?code={hall.code}")
    expect(desk.page.get_by_role("button", name="Draw", exact=True)).to_be_visible()
    assert "code" not in desk.page.url
    for tab in ("People", "Draw", "Tables", "Standing", "The evening"):
        desk.page.get_by_role("button", name=tab, exact=True).click()
        check(desk, TABLET, PHONE)


def test_a_wrong_link_asks_for_the_code(hall, screens: Callable[..., Fingers]) -> None:
    desk = screens(hall)
    desk.forgive("403")
    desk.page.goto(f"{hall.address}/desk?code=AAAA-AAAA")
    expect(desk.page.get_by_text("That is not this hall's code.")).to_be_visible()
    check(desk, TABLET, PHONE)


@pytest.mark.parametrize(
    ("path", "sizes"),
    [
        ("/join", (PHONE, TABLET)),
        ("/hall", (TELEVISION, TABLET)),
        ("/print/seats", (TABLET, PHONE)),
        ("/print/standing", (TABLET, PHONE)),
    ],
)
def test_everybody_can_read_a_page_of_the_hall(hall, screens, path, sizes) -> None:
    screen = screens(hall)
    screen.page.goto(hall.address + path)
    expect(screen.page.locator("h1").first).to_be_visible()
    check(screen, *sizes)


def test_the_desk_says_a_ruling_and_an_empty_battery_in_its_own_language(
    hall, screens, tmp_path
) -> None:
    join(tmp_path, f"127.0.0.1:{hall.port}", hall.desk()["table_code"], 7)
    ruling = SentRuling("R7", "caught", {"name": "Cleo", "cards": 2})
    state = TableState("play", (Seated("Ana"), Seated("Cleo", 40)), ruling=ruling)
    for topic, message in (("here", Here(CONTRACT, battery=9, weak=True)), ("state", state)):
        publish(tmp_path, f"hall/7/{topic}", said(message).decode())
    desk = screens(hall, country="de-DE")
    desk.page.goto(f"{hall.address}/desk?code={hall.code}")
    desk.page.get_by_role("button", name="Tische", exact=True).click()
    card = desk.page.locator(".block", has_text="Tisch 7")
    for sentence in ("Cleo hat nicht UNO gerufen und zieht 2.", "noch 9 %", "zu schwach"):
        expect(card).to_contain_text(sentence)


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedHall]:
    """An evening in its second round: two tables still play."""
    folder = tmp_path_factory.mktemp("busy")
    play_evening(folder / "hall", tables=12, playing=2)
    hall = ServedHall(folder)
    yield hall
    hall.stop()


@pytest.fixture
def knockout(tmp_path: Path) -> Iterator[ServedHall]:
    hall = ServedHall(tmp_path)
    hall.pair()
    hall.command("plan_evening", plan={"format": "knockout", "least": 3, "most": 4})
    yield hall
    hall.stop()


def test_the_desk_says_what_comes_next_and_a_phone_what_its_owner_waits_for(
    knockout: ServedHall, screens: Callable[..., Fingers]
) -> None:
    phone, desk = screens(knockout), screens(knockout)
    desk.page.goto(f"{knockout.address}/desk?code={knockout.code}")
    following = desk.page.locator(".hall-next")
    expect(following).to_have_text("Next: put people on the list.")
    phone.page.goto(f"{knockout.address}/join")
    phone.page.get_by_label("Your name").fill("Ivo")
    phone.page.get_by_role("button", name="Sign me up").click()
    own = phone.page.locator(".hall-own")
    expect(own).to_contain_text("Your table will appear here.")
    knockout.command("sign_up", people=PEOPLE[:7])
    expect(following).to_contain_text("Next: draw round 1.")
    following.click()
    expect(desk.page.get_by_role("button", name="Draw round 1")).to_be_visible()
    check(desk, TABLET, PHONE)
    assert knockout.command("draw_round", seed=1).status == 200
    expect(following).to_contain_text("Round 1, still playing: 2 of 2 tables.")
    for seating in knockout.evening()["rounds"][0]["tables"]:
        points = {str(one): (0 if one == 1 else 10 * one) for one in seating["people"]}
        knockout.command("write_result", round=1, table=seating["table"], points=points)
    expect(following).to_have_text("Next: draw round 2.")
    assert knockout.command("draw_round", seed=2).status == 200
    expect(own).to_contain_text("You’re not in this round.")
    (final,) = knockout.evening()["rounds"][1]["tables"]
    points = {str(one): one for one in final["people"]}
    knockout.command("write_result", round=2, table=final["table"], points=points)
    expect(following).to_contain_text("The standing is final.")


def test_a_knockout_with_a_bye_goes_on_and_its_clock_ends_with_the_last_result(
    knockout: ServedHall, screens: Callable[..., Fingers]
) -> None:
    desk = screens(knockout)
    knockout.command("sign_up", people=PEOPLE[:5])
    knockout.command("draw_round", seed=1)
    knockout.command("set_clock", what="start", minutes=9)
    desk.page.goto(f"{knockout.address}/desk?code={knockout.code}")
    clock = desk.page.locator(".round-clock")
    expect(clock).to_contain_text("8:5")
    (seating,) = knockout.evening()["rounds"][0]["tables"]
    points = {str(one): one for one in seating["people"]}
    knockout.command("write_result", round=1, table=1, points=points)
    expect(desk.page.locator(".hall-next")).to_contain_text("Next: draw round 2.")
    expect(clock).to_have_count(0)


def at_desk(hall: ServedHall, screens: Callable[..., Fingers], tab: str) -> Fingers:
    desk = screens(hall)
    desk.page.goto(f"{hall.address}/desk?code={hall.code}")
    desk.page.get_by_role("button", name=tab, exact=True).click()
    return desk


def test_a_number_of_the_standing_opens_down_to_the_rounds_of_a_table(busy, screens) -> None:
    desk = at_desk(busy, screens, "Standing")
    first = desk.page.locator(".hall-standing tbody .link").first
    name = first.inner_text()
    first.click()
    dialog = desk.page.get_by_role("dialog")
    expect(dialog.get_by_text("Opponents’ points")).to_be_visible()
    dialog.get_by_role("button", name="Open").first.click()
    sheet = dialog.locator(".hall-match table")
    expect(sheet.get_by_role("columnheader", name=name)).to_be_visible()
    expect(sheet.get_by_text("out").first).to_be_visible()
    check(desk, TABLET, PHONE)


def test_a_result_of_long_ago_is_found_by_the_name_of_somebody_at_the_table(large, screens) -> None:
    large.pair()
    numbers = {one["number"]: one["name"] for one in large.evening()["people"]}
    for seating in large.evening()["rounds"][0]["tables"][:2]:
        points = {str(one): 5 for one in seating["people"]}
        large.command("write_result", round=1, table=seating["table"], points=points)
    desk = at_desk(large, screens, "Tables")
    rows = desk.page.locator(".hall-list li")
    expect(rows).to_have_count(2)
    person = large.evening()["rounds"][0]["tables"][0]["people"][2]
    desk.page.get_by_label("Find somebody").fill(numbers[person].upper())
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Table 1")
    check(desk, TABLET, PHONE)


def test_a_correction_shows_what_it_changes_before_it_is_written(busy, screens) -> None:
    desk = at_desk(busy, screens, "Tables")
    row = desk.page.locator(".hall-list li", has_text="Round 1").first
    row.get_by_role("button", name="Correct").click()
    dialog = desk.page.get_by_role("dialog")
    for at, points in enumerate(("5", "600", "10", "20")):
        dialog.locator("input[type=number]").nth(at).fill(points)
    look = dialog.get_by_role("button", name="See what changes")
    expect(look).to_be_disabled()
    dialog.get_by_label("Why").fill("the sheet was read the wrong way round")
    look.click()
    expect(dialog.locator(".hall-changes")).to_contain_text("rank")
    check(desk, TABLET, PHONE)
    dialog.get_by_role("button", name="Save").first.click()
    expect(dialog).to_have_count(0)
    written = desk.page.locator(".hall-list li", has_text="the sheet was read")
    expect(written.get_by_role("button", name="Take back")).to_be_visible()


@pytest.fixture
def four(tmp_path: Path) -> Iterator[ServedHall]:
    """Four people at one table on paper; the last of them has left since the draw."""
    hall = ServedHall(tmp_path)
    hall.pair()
    hall.command("sign_up", people=["Ana", "Ben", "Cleo", "Dan"])
    hall.command("draw_round", seed=1)
    hall.command("leave", person=4)
    yield hall
    hall.stop()


def test_a_result_is_written_without_somebody_who_has_left(four, screens) -> None:
    desk = at_desk(four, screens, "Draw")
    expect(desk.page.locator(".hall-round del")).to_have_text(["Dan"])
    desk.page.get_by_role("button", name="Tables", exact=True).click()
    desk.page.get_by_role("button", name="Enter the result").click()
    dialog = desk.page.get_by_role("dialog")
    expect(dialog.get_by_label("Dan has left")).to_have_value("")
    dialog.get_by_label("Ana").fill("90")
    check(desk, TABLET, PHONE)
    dialog.get_by_label("Dan has left").fill("-1")
    expect(dialog.get_by_role("button", name="Save")).to_be_disabled()
    dialog.get_by_label("Dan has left").fill("")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    (result,) = four.desk()["results"]
    assert sorted(zip(result["people"], result["points"], strict=True)) == [
        ("Ana", 90),
        ("Ben", 0),
        ("Cleo", 0),
    ]


def test_not_to_wait_holds_for_one_draw_only(four, screens) -> None:
    desk = at_desk(four, screens, "Draw")
    hasty = desk.page.get_by_role("checkbox", name="Don’t wait")
    hasty.check()
    desk.page.get_by_role("button", name="Draw round 2").click()
    desk.page.get_by_role("button", name="Publish").click()
    expect(desk.page.get_by_role("button", name="Draw round 3")).to_be_visible()
    expect(hasty).not_to_be_checked()


def test_a_result_on_its_way_is_no_trouble_while_its_table_is_heard(
    four, screens, tmp_path
) -> None:
    table = tmp_path / "table"
    join(table, f"127.0.0.1:{four.port}", four.desk()["table_code"], 1)
    on_its_way = TableState("won", (Seated("Ana"),), unsent=1)
    publish(table, "hall/1/here", said(Here(CONTRACT)).decode())
    publish(table, "hall/1/state", said(on_its_way).decode())
    desk = at_desk(four, screens, "Tables")
    card = desk.page.locator("#table-1")
    expect(card).to_contain_text("Results on their way: 1")
    expect(desk.page.get_by_role("button", name="Needs a look: 0")).to_be_visible()
    publish(table, "hall/1/here", said(Here(CONTRACT, here=False)).decode())
    expect(desk.page.get_by_role("button", name="Needs a look: 1")).to_be_visible()
    expect(card).to_contain_text("Results on their way: 1")


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_nothing_at_the_desk_is_wider_than_its_place(busy, screens, size) -> None:
    """A long name of the list lay over the next block, and the standing ended outside."""
    desk = at_desk(busy, screens, "People")
    desk.page.set_viewport_size({"width": size[0], "height": size[1]})
    for tab, part in (("People", ".hall-people > *"), ("Standing", ".hall-wide")):
        desk.page.get_by_role("button", name=tab, exact=True).click()
        parts = desk.page.locator(part)
        expect(parts.first).to_be_visible()
        wide = parts.evaluate_all("all => all.filter((o) => o.scrollWidth > o.clientWidth).length")
        assert wide == 0, tab
    expect(desk.page.locator(".hall-standing tbody tr:visible")).to_have_count(48)


@pytest.fixture
def long_named(tmp_path: Path) -> Iterator[ServedHall]:
    hall = ServedHall(tmp_path)
    hall.pair()
    hall.command("sign_up", people=["W" * 40, "M" * 40, "Ana"])
    hall.command("draw_round", seed=1)
    hall.command("write_result", round=1, table=1, points={"1": 0, "2": 5, "3": 9})
    yield hall
    hall.stop()


def test_the_longest_word_that_can_be_a_name_is_broken_and_widens_no_page(
    long_named: ServedHall, screens: Callable[..., Fingers]
) -> None:
    desk = at_desk(long_named, screens, "Tables")
    expect(desk.page.locator(".hall-list li")).to_have_count(1)
    for tab in ("Tables", "Draw", "Standing", "People"):
        desk.page.get_by_role("button", name=tab, exact=True).click()
        check(desk, TABLET, PHONE)
    for path in ("print/seats", "print/sheets", "print/standing", "hall", "join"):
        desk.page.goto(f"{long_named.address}/{path}")
        expect(desk.page.locator("h1, h2").first).to_be_visible()
        check(desk, TABLET, PHONE)


@pytest.mark.parametrize("country", ["en-GB", "de-DE", "es-ES", "fr-FR", "pt-PT"])
def test_no_number_and_no_heading_of_the_printed_standing_is_broken(busy, screens, country) -> None:
    paper = screens(busy, country=country)
    paper.page.goto(f"{busy.address}/print/standing")
    expect(paper.page.locator("tbody tr").nth(9)).to_be_visible()
    paper.page.set_viewport_size({"width": 720, "height": 1000})
    paper.page.emulate_media(media="print")
    assert paper.page.evaluate(BROKEN_WORDS) == []


def test_a_helper_is_offered_nothing_that_only_an_organiser_may_do(busy, screens) -> None:
    busy.pair()
    desk = screens(busy)
    desk.page.goto(f"{busy.address}/desk?code={busy.desk()['helper_code']}")
    desk.page.get_by_role("button", name="Draw", exact=True).click()
    expect(desk.page.get_by_role("button", name="Pause")).to_be_visible()
    expect(desk.page.get_by_role("button", name="Draw round")).to_have_count(0)
    expect(desk.page.get_by_text("Choose by hand")).to_have_count(0)
    expect(desk.page.locator("select")).to_have_count(0)
    expect(desk.page.get_by_role("button", name="The evening")).to_have_count(0)


def test_a_number_that_cannot_be_is_not_sent(busy, screens) -> None:
    desk = at_desk(busy, screens, "The evening")
    for typed in ("99", "0", "-1", "1.5", "1e9", ""):
        desk.page.get_by_label("Rounds").fill(typed)
        expect(desk.page.get_by_text("1 – 50")).to_be_visible()
        expect(desk.page.get_by_role("button", name="Save")).to_be_disabled()
    desk.page.get_by_label("Rounds").fill("6")
    save = desk.page.get_by_role("button", name="Save")
    save.click()
    expect(save).to_be_disabled()  # it is saved, and there is nothing more to save
    assert busy.evening()["plan"]["rounds"] == 6


def test_a_name_that_is_taken_is_told_where_it_is_typed(busy, screens) -> None:
    desk = at_desk(busy, screens, "People")
    desk.forgive("409")
    names = desk.page.locator(".hall-list .name")
    taken = names.nth(1).inner_text().strip()
    names.first.click()
    dialog = desk.page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill(taken)
    dialog.get_by_role("button", name="Change the name").click()
    expect(dialog.get_by_text(f"On the list already: {taken}.")).to_be_visible()


def test_the_screen_tells_the_best_of_the_evening_as_photo_finishes(busy, screens) -> None:
    screen = screens(busy)
    screen.page.clock.install()
    screen.page.goto(f"{busy.address}/hall")
    expect(screen.page.locator(".hall-seats li")).to_have_count(48)
    races = screen.page.locator('[data-kind="race"]')
    for scene in ('[data-kind="race"] .photo-lane.last', ".hall-standing"):
        screen.page.clock.run_for(12_500)
        expect(screen.page.locator(scene)).to_have_count(1)
        check(screen, TELEVISION, TABLET)
    # Between two stories there is always something that people look for.
    for shown in (1, 0, 1):
        screen.page.clock.run_for(12_000)
        expect(races).to_have_count(shown)


@pytest.fixture
def table(hall: ServedHall, tmp_path: Path) -> Iterator[Served]:
    """A table that has joined, at which three people sit."""
    table = Served(tmp_path)
    table.pair()
    for name in ("Ana", "Ben", "Cleo"):
        table.do("sit", name=name)
    place = {"address": f"127.0.0.1:{hall.port}", "code": hall.desk()["table_code"]}
    assert table.post("/api/hall", place).status == 200
    yield table
    table.stop()


def test_what_the_hall_asks_for_does_not_stand_across_the_winner(table, screens) -> None:
    tablet = screens(table)
    tablet.open(table.link)
    line = tablet.page.locator(".hall-line")
    expect(line).to_be_visible()
    play_a_match(table)
    expect(tablet.page.locator(".drama")).to_be_visible()
    expect(line).to_be_hidden()
    tablet.settled()
    expect(line).to_be_visible()


@pytest.fixture
def large(tmp_path: Path) -> Iterator[ServedHall]:
    play_evening(tmp_path / "hall", tables=50, rounds=1, playing=50)
    hall = ServedHall(tmp_path)
    yield hall
    hall.stop()


@pytest.mark.parametrize(
    ("size", "lines"), [(TELEVISION, 53), ((800, 1280), 84)], ids=["television", "upright"]
)
def test_every_name_of_two_hundred_stands_on_one_screen(large, screens, size, lines) -> None:
    """Nothing is cut off and nothing scrolls: whoever looks finds themselves."""
    screen = screens(large)
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    screen.page.goto(f"{large.address}/hall")
    names = screen.page.locator(".hall-seats .name")
    expect(names).to_have_count(200)
    screen.page.evaluate("document.fonts.ready.then(() => true)")
    cut = names.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth).length")
    assert cut == 0
    lines_of = """one => { const range = document.createRange(); range.selectNodeContents(one);
        return new Set([...range.getClientRects()].map((line) => line.top)).size; }"""
    assert screen.page.get_by_text(LONGEST).evaluate(lines_of) <= 2
    low = names.evaluate_all("all => Math.max(...all.map((o) => o.getBoundingClientRect().bottom))")
    assert low <= size[1]
    sizes = names.evaluate_all("all => all.map((o) => parseFloat(getComputedStyle(o).fontSize))")
    assert max(sizes) * lines >= size[1]
    assert min(sizes) >= 0.59 * max(sizes)
    columns = screen.page.locator(".hall-seats").evaluate(
        "one => one.style.getPropertyValue('--columns')"
    )
    heads = screen.page.locator(".hall-seats .first").evaluate_all(
        "all => new Set(all.map((one) => one.getBoundingClientRect().left)).size"
    )
    assert heads == int(columns), "a column begins without its letter"


def test_whoever_was_put_on_the_list_finds_their_table_by_their_name(large, screens) -> None:
    evening = large.evening()
    names = {one["number"]: one["name"] for one in evening["people"]}
    seating = evening["rounds"][0]["tables"][6]
    phone = screens(large)
    phone.page.goto(f"{large.address}/join")
    phone.page.get_by_label("Your name").fill(names[seating["people"][2]][:-1].upper())
    found = phone.page.locator(".hall-list li", has_text=names[seating["people"][2]])
    expect(found).to_contain_text(f"Table {seating['table']}")
    check(phone, PHONE)


def test_all_tables_stand_above_their_cards_and_each_leads_to_its_own(large, screens) -> None:
    desk = at_desk(large, screens, "Tables")
    glance = desk.page.locator(".hall-glance a")
    expect(glance).to_have_count(50)
    expect(desk.page.get_by_role("link", name="Table 33: no connection")).to_have_class(
        "button look"
    )
    glance.nth(32).click()
    expect(desk.page.locator("#table-33")).to_be_in_viewport()
    check(desk, TABLET, PHONE)
