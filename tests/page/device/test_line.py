"""The line between tablet and table: reloads, silence, several tablets, and who may tap."""

from __future__ import annotations

import os
import signal
import zipfile

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served, eventually
from tests.page.fingers import Fingers

# When the page said that it is stale, and how late this machine let its timers be.
NOTICE = """() => {
    let before = performance.now();
    window.late = 0;
    setInterval(() => {
        const now = performance.now();
        window.late = Math.max(window.late, now - before - 50);
        before = now;
    }, 50);
    new MutationObserver(() => {
        if (document.querySelector(".banner.stale")) window.noticed ??= performance.now();
    }).observe(document.body, { subtree: true, childList: true });
}"""


def test_a_reload_in_the_middle_of_a_round_changes_nothing_and_undo_still_works(referee):
    referee.seat_down("Ana", "Ben")
    referee.start("Ana")
    referee.push(1)
    expect(referee.seat("Ana").locator(".uno")).to_be_visible()
    before = referee.served.table["match"]
    referee.page.reload()
    referee.live()
    assert referee.served.table["match"] == before
    expect(referee.seat("Ana").locator(".uno")).to_be_visible()
    referee.tap_like("Undo Ana's press")
    expect(referee.seat("Ana").locator(".uno")).to_have_count(0)
    referee.tap_like("Undo Round 1 dealt")
    referee.says("Ana shuffles and deals")
    referee.tap_like("Redo Round 1 dealt")
    referee.says("Play!")


def test_a_table_that_was_cut_off_in_mid_round_goes_on_where_it_was(referee, served):
    referee.seat_down("Ana", "Ben", "Cam")
    referee.start("Ana")
    referee.lay_race("Ana")
    referee.push(3)
    expect(referee.page.locator(".lane[data-seat='3'].landed")).to_be_visible()
    referee.forgive("WebSocket", "ERR_CONNECTION")
    for process in (*served.children(), served.process.pid):
        os.kill(process, signal.SIGKILL)
    served.stop()
    banner = referee.page.locator(".banner.stale")
    expect(banner).to_be_visible()
    expect(referee.button("Run it again")).to_be_disabled()
    again = Served(served.folder, port=served.port)
    try:
        referee.live()
        expect(banner).to_have_count(0)
        expect(referee.page.locator(".lane[data-seat='3'].landed")).to_be_visible()
        shown = "async () => (await parts()).store.state().shown.table"
        eventually(lambda: referee.page.evaluate(shown) == again.table)
        referee.push(2)
        # In the gap Ben may have slapped unseen, so that it can also be too close to tell.
        expect(referee.page.locator(".verdict, .undecided-choices")).to_be_visible()
        referee.tap_like("Undo Street Race by Ana")
        referee.says("Play!")
    finally:
        referee.page.goto("about:blank")
        again.stop()


def test_a_table_that_hangs_is_noticed_within_three_seconds_and_a_tap_waits_for_it(referee, served):
    referee.seat_down("Ana", "Ben")
    start = referee.button("Start the match")
    referee.page.evaluate(NOTICE)
    (serving,) = served.children()
    os.kill(serving, signal.SIGSTOP)
    stopped = referee.page.evaluate("() => performance.now()")
    try:
        start.click()
        expect(start).to_have_attribute("aria-busy", "true")
        expect(start).to_be_disabled()
        expect(referee.page.locator(".banner.stale")).to_be_visible()
        noticed, late = referee.page.evaluate("() => [window.noticed, window.late]")
        assert noticed - stopped < 3000 + 2 * late
    finally:
        os.kill(serving, signal.SIGCONT)
    referee.live()
    referee.says("Who deals?")
    assert served.table["match"]["number"] == 1


def test_two_tablets_see_each_others_taps(tablet):
    one: Fingers = tablet()
    other: Fingers = tablet()
    one.seat_down("Ana", "Ben")
    expect(other.seat("Ben")).to_be_visible()
    other.tap("Start the match")
    one.says("Who deals?")


def test_a_tap_on_an_old_picture_is_refused_with_what_changed(tablet):
    one: Fingers = tablet()
    other: Fingers = tablet()
    one.seat_down("Ana", "Ben")
    expect(other.seat("Ben")).to_be_visible()
    other.page.evaluate("async () => { window.old = (await parts()).store.state().shown; }")
    field = one.page.locator(".person[data-seat='1'] input")
    field.fill("Zoe")
    field.press("Enter")
    expect(other.seat("Zoe")).to_be_visible()
    other.page.evaluate(
        """async () => {
            const line = (await parts()).connection;
            (await parts()).store.change({ shown: window.old });
            await line.act("rename", { seat: 1, name: "Eve" });
        }"""
    )
    other.notice("Zoe's new name.")
    expect(other.seat("Zoe")).to_be_visible()


def test_a_guest_sees_the_show_and_becomes_the_referee_with_the_code(tablet):
    referee: Fingers = tablet()
    guest: Fingers = tablet(watching=True)
    referee.seat_down("Ana", "Ben")
    expect(guest.page.locator(".chair", has_text="Ben")).to_be_visible()
    expect(guest.button("Start the match")).to_have_count(0)
    guest.tap("Menu")
    guest.tap("Enter the referee’s code")
    code = guest.page.get_by_role("textbox", name="Code")
    code.fill("AAAA-AAAA")
    guest.forgive("403")
    guest.tap("Become the referee")
    expect(guest.page.locator(".wrong")).to_contain_text("not this table’s code")
    code.fill(guest.served.code.lower())
    guest.tap("Become the referee")
    guest.tap("Start the match")
    referee.says("Who deals?")


def test_a_wrong_link_says_so_on_the_page(tablet, served):
    tablet_: Fingers = tablet(watching=True)
    tablet_.forgive("403")
    tablet_.page.goto(f"{served.address}/?code=AAAA-AAAA")
    expect(tablet_.page.locator(".guest-notice")).to_contain_text("isn’t for this table")


@pytest.mark.parametrize("name", ["<b>Ana</b>", "<img src=x onerror=1>", "“Ünï-çødé” 🃏"])
def test_a_name_is_shown_as_it_was_typed(referee, name):
    referee.seat_down(name, "Ben")
    expect(referee.page.locator(".person input").first).to_have_value(name)
    referee.tap("Start the match")
    expect(referee.page.locator(".deal .fit").first).to_have_text(name)


def test_a_refusal_is_shown_as_a_sentence_and_goes_when_something_works(referee):
    referee.seat_down("Ana", "Ben")
    field = referee.page.locator(".person[data-seat='2'] input")
    field.fill("Ana")
    field.press("Enter")
    referee.notice("Somebody called Ana is at the table already.")
    field.fill("Bea")
    field.press("Enter")
    expect(referee.page.locator(".banner.notice")).to_have_count(0)
    expect(referee.seat("Bea")).to_be_visible()


def test_typing_a_name_survives_everything_that_is_pushed_meanwhile(referee):
    referee.seat_down("Ana", "Ben")
    referee.served.pair()
    field = referee.page.locator(".person[data-seat='1'] input")
    field.fill("")
    for letter in "Annabel":
        field.press(letter)
        referee.served.do("set_up", scoring="alternative" if letter in "nae" else "classic")
    field.press("Enter")
    expect(referee.seat("Annabel")).to_be_visible()


def test_the_referee_takes_everything_away(referee):
    referee.seat_down("Ana", "Ben")
    referee.tap_like("Menu")
    with referee.page.expect_download() as taken:
        referee.tap_like("Everything in one file")
    assert zipfile.is_zipfile(taken.value.path())


def test_players_change_places_names_and_buttons(referee):
    referee.seat_down("Ana", "Ben", "Cam")
    referee.tap_like("Swap Ana")
    referee.tap_like("Here Cam")
    expect(referee.page.locator(".person[data-seat='1'] input")).to_have_value("Cam")
    referee.tap_like("Give Cam another button")
    referee.says("Press the button that Cam should have.")
    referee.push(5)
    expect(referee.seat("Cam")).to_contain_text("Button 5")
    referee.tap_like("Ben leaves the table")
    expect(referee.page.locator(".seats .seat, .person[data-seat]")).to_have_count(2)


def test_house_rules_are_chosen_with_a_sentence_each_and_locked_in_the_match(referee):
    referee.seat_down("Ana", "Ben")
    referee.tap("House rules")
    rule = referee.page.locator(".house-rule", has_text="Reverse skips for two")
    expect(rule).to_contain_text("works like a Skip")
    rule.get_by_role("radio", name="Yes").click()
    expect(rule.get_by_role("radio", name="Yes")).to_be_checked()
    referee.close_dialog()
    referee.start("Ana")
    assert referee.served.table["match"]["house"]["reverse_skips_for_two"] is True
    referee.tap("Menu")
    referee.tap("House rules")
    expect(referee.page.locator(".house")).to_contain_text(
        "You can change them before the next one"
    )
    expect(rule.get_by_role("radio", name="No")).to_be_disabled()


def test_who_was_here_before_is_named_by_a_tap(referee, served):
    served.pair()
    for name in ("Ana", "Ben", "Cam"):
        served.do("sit", name=name)
    served.do("start_match")
    referee.says("Who deals?")
    served.do("close_match")
    for seat in (1, 2, 3):
        served.do("stand", seat=seat)
    referee.push(4)
    known = referee.page.get_by_role("group", name="Who is Player 4?")
    known.get_by_role("button", name="Cam").click()
    expect(referee.seat("Cam")).to_contain_text("Button 4")
    again = referee.page.get_by_role("group", name="Been here before")
    expect(again.get_by_role("button")).to_have_text(["Ana", "Ben"])
    again.get_by_role("button", name="Ana").click()
    expect(referee.seat("Ana")).to_be_visible()


def test_a_tap_is_over_when_what_it_did_is_on_the_screen(referee):
    referee.seat_down("Ana", "Ben")
    seen = referee.page.evaluate(
        """async () => {
            const line = (await parts()).connection;
            const { state } = (await parts()).store;
            const seen = [];
            for (const name of ["Bea", "Bob", "Bo", "Bix", "Ben"]) {
                await line.act("rename", { seat: 2, name });
                seen.push(state().shown.table.seats[1].name);
            }
            return seen;
        }"""
    )
    assert seen == ["Bea", "Bob", "Bo", "Bix", "Ben"]
