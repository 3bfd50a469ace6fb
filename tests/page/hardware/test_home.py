"""The page of buttons tells whether the home hears the table, without any alarm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.home.broker import Broker
from tests.page.every_screen.test_accessibility import AXE, PHONE, TABLET, UPRIGHT, check


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with Broker(tmp_path / "broker").start() as broker:
        yield broker


@pytest.fixture
def config(broker: Broker) -> str:
    return f'[home]\nhost = "127.0.0.1"\nport = {broker.port}\n'


def test_a_line_tells_whether_the_home_hears_the_table(tablet, served, broker):
    fingers = tablet()
    page = fingers.page
    page.goto(f"{served.address}/hardware")
    line = page.locator(".bench-home")
    expect(line).to_have_attribute("data-home", "connected")
    expect(line).to_contain_text("Connected to the smart home since")
    broker.end()
    expect(line).to_have_attribute("data-home", "away")
    expect(line).to_contain_text("The game goes on without it.")
    expect(page.locator(".banner.trouble")).to_have_count(0)
    if AXE.is_file():
        check(fingers, TABLET, UPRIGHT, PHONE)
