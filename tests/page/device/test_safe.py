"""A screen that nobody can reload goes to the safe page by itself, and back to the table."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from companion.care.failed_starts import Starts
from tests.kit.served import Served


def test_the_board_shows_why_the_table_does_not_open_and_then_the_table(
    browser: Browser, tmp_path: Path
) -> None:
    served = Served(tmp_path)
    page = browser.new_page()
    page.goto(f"{served.address}/board")
    expect(page.locator("#page")).not_to_be_empty()
    served.stop()
    edition = tmp_path / "data" / "editions" / "odd.toml"
    edition.parent.mkdir()
    edition.write_text("nmae = 'Odd'")
    for _ in range(3):
        starts = Starts(tmp_path / "data")
        starts.begin()
        starts.failed("It was Tuesday.")
    safe = Served(tmp_path, port=served.port)
    try:
        expect(page.get_by_role("heading", name="The table doesn’t open")).to_be_visible(
            timeout=40_000
        )
        expect(page.get_by_text("Did you mean name?").first).to_be_visible()
    finally:
        safe.stop()
    edition.unlink()
    again = Served(tmp_path, port=served.port)
    try:
        expect(page.get_by_role("heading", name="The table doesn’t open")).to_have_count(
            0, timeout=40_000
        )
        expect(page.locator("#page")).not_to_be_empty()
        assert page.url.endswith("/board")
    finally:
        page.close()
        again.stop()
