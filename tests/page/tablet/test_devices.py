"""The referee sees who is paired, is told of a new referee, and hears of a lost journal."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.every_screen.test_accessibility import AXE, PHONE, TABLET, check


def test_another_referee_is_announced_and_can_be_ended(referee, served):
    served.pair()
    banner = referee.page.locator(".banner", has_text="Another device has been referee")
    expect(banner).to_be_visible()
    banner.get_by_role("button", name="Paired devices").click()
    expect(referee.page.locator(".device")).to_have_count(2)
    stranger = referee.page.locator(".device").first
    stranger.get_by_role("button", name="Sign out", exact=True).click()
    stranger.get_by_role("button", name="Really sign it out").click()
    expect(referee.page.locator(".device")).to_have_count(1)
    assert served.get("/api/session").json == {"role": "watcher"}
    referee.page.keyboard.press("Escape")
    expect(banner).to_have_count(0)


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_the_devices_and_a_lost_journal_can_be_read_by_everybody(referee, served):
    served.pair()
    referee.forgive("503")
    expect(referee.page.locator(".banner.notice")).to_be_visible()
    (served.folder / "data" / "journal.db").unlink()
    expect(referee.page.locator(".banner.trouble")).to_contain_text("journal.db was removed")
    check(referee, TABLET, PHONE)
    referee.page.get_by_role("button", name="Paired devices").click()
    check(referee, TABLET, PHONE)
