"""The line between tablet and table: reloads, silence, several tablets, and who may tap."""

from __future__ import annotations

import os
import signal

import pytest
from playwright.sync_api import expect

from tests.page.fingers import Fingers
from tests.web.served import Served, eventually

STORE = 'import("/static/js/core/store.js")'
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
    referee.tap_like("Undo Press of Ana")
    expect(referee.seat("Ana").locator(".uno")).to_have_count(0)
    referee.tap_like("Undo Deal of round 1")
    referee.says("Ana shuffles and deals")
    referee.tap_like("Redo Deal of round 1")
    referee.says("Play on")


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
    expect(referee.seat("Ana").locator(".seat-face")).to_be_disabled()
    again = Served(served.folder, port=served.port)
    try:
        referee.live()
        expect(banner).to_have_count(0)
        expect(referee.page.locator(".lane[data-seat='3'].landed")).to_be_visible()
        shown = f"async () => (await {STORE}).state().shown.table"
        eventually(lambda: referee.page.evaluate(shown) == again.table)
        referee.push(2)
        # In the gap Ben may have slapped unseen, so that it can also be too close to tell.
        expect(referee.page.locator(".verdict, .undecided")).to_be_visible()
        referee.tap_like("Undo Street Race by Ana")
        referee.says("Play on")
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
    referee.says("Everyone draws a card")
    assert served.table["match"]["number"] == 1


def test_two_tablets_see_each_others_taps(tablet):
    one: Fingers = tablet()
    other: Fingers = tablet()
    one.seat_down("Ana", "Ben")
    expect(other.seat("Ben")).to_be_visible()
    other.tap("Start the match")
    one.says("Everyone draws a card")


def test_a_tap_on_an_old_picture_is_refused_with_what_changed(tablet):
    one: Fingers = tablet()
    other: Fingers = tablet()
    one.seat_down("Ana", "Ben")
    expect(other.seat("Ben")).to_be_visible()
    other.page.evaluate(f"async () => {{ window.old = (await {STORE}).state().shown; }}")
    field = one.page.locator(".person[data-seat='1'] input")
    field.fill("Zoe")
    field.press("Enter")
    expect(other.seat("Zoe")).to_be_visible()
    other.page.evaluate(
        f"""async () => {{
            const line = await import("/static/js/core/connection.js");
            (await {STORE}).change({{ shown: window.old }});
            await line.act("rename", {{ seat: 1, name: "Eve" }});
        }}"""
    )
    other.notice("Ana is now Zoe.")
    expect(other.seat("Zoe")).to_be_visible()


def test_a_watcher_sees_everything_and_can_tap_nothing_until_the_code_is_entered(tablet):
    referee: Fingers = tablet()
    watcher: Fingers = tablet(watching=True)
    referee.seat_down("Ana", "Ben")
    expect(watcher.seat("Ben")).to_be_visible()
    expect(watcher.button("Start the match")).to_be_disabled()
    expect(watcher.page.locator("[data-button='3']")).to_be_disabled()
    watcher.tap("Enter the referee’s code")
    code = watcher.page.get_by_role("textbox", name="Code")
    code.fill("AAAA-AAAA")
    watcher.forgive("403")
    watcher.tap("Become the referee")
    expect(watcher.page.locator(".wrong")).to_contain_text("not the code")
    code.fill(watcher.served.code.lower())
    watcher.tap("Become the referee")
    watcher.tap("Start the match")
    referee.says("Everyone draws a card")


def test_a_wrong_link_says_so_on_the_page(tablet, served):
    tablet_: Fingers = tablet(watching=True)
    tablet_.page.goto(f"{served.address}/?code=AAAA-AAAA")
    tablet_.live()
    tablet_.notice("not the one of this table")


@pytest.mark.parametrize("name", ["<b>Ana</b>", "<img src=x onerror=1>", "“Ünï-çødé” 🃏"])
def test_a_name_is_shown_as_it_was_typed(referee, name):
    referee.seat_down(name, "Ben")
    expect(referee.page.locator(".felt .seat .name").first).to_have_text(name)


def test_a_refusal_is_shown_as_a_sentence_and_goes_when_something_works(referee):
    referee.seat_down("Ana", "Ben")
    field = referee.page.locator(".person[data-seat='2'] input")
    field.fill("Ana")
    field.press("Enter")
    referee.notice("The name Ana is taken at this table already.")
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
    expect(referee.page.locator(".felt .seat")).to_have_count(2)


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
    expect(referee.page.locator(".house")).to_contain_text("can be changed before the next one")
    expect(rule.get_by_role("radio", name="No")).to_be_disabled()


def test_who_was_here_before_is_named_by_a_tap(referee, served):
    served.pair()
    for name in ("Ana", "Ben", "Cam"):
        served.do("sit", name=name)
    served.do("start_match")
    referee.says("Everyone draws a card")
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
        f"""async () => {{
            const line = await import("/static/js/core/connection.js");
            const {{ state }} = await {STORE};
            const seen = [];
            for (const name of ["Bea", "Bob", "Bo", "Bix", "Ben"]) {{
                await line.act("rename", {{ seat: 2, name }});
                seen.push(state().shown.table.seats[1].name);
            }}
            return seen;
        }}"""
    )
    assert seen == ["Bea", "Bob", "Bo", "Bix", "Ben"]
