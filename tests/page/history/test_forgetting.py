"""The referee forgets a match and a name on the page of past nights, and means it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.kit.served import Served
from tests.page.every_screen.test_accessibility import PHONE, TABLET, check
from tests.page.fingers import Fingers

MATCH: tuple[tuple[str, dict[str, object]], ...] = (
    ("start_match", {}),
    ("choose_dealer", {"seat": 1}),
    ("deal", {}),
    ("go_out", {"seat": 1}),
    ("enter_points", {"seat": 2, "points": 20}),
    ("enter_points", {"seat": 3, "points": 30}),
    ("score_round", {}),
    ("close_match", {}),
)


@pytest.fixture
def played(served: Served) -> Served:
    """Two matches of three, of whom Zerlinde has left; and a copy that nobody can read."""
    served.pair()
    for name in ("Ana", "Ben", "Zerlinde"):
        assert served.do("sit", name=name).status == 200
    for kind, fields in (*MATCH, *MATCH):
        assert served.do(kind, **fields).status == 200, kind
    assert served.do("stand", seat=3).status == 200
    (served.folder / "data" / "journal-damaged-1.db").write_bytes(b"what it was")
    return served


def question(fingers: Fingers) -> Locator:
    return fingers.page.get_by_role("dialog")


def open_match(fingers: Fingers, number: int) -> None:
    fingers.page.goto(f"{fingers.served.address}/history?match={number}")
    expect(fingers.page.get_by_role("heading", name=f"Match {number}")).to_be_visible()


def test_a_match_goes_when_the_referee_means_it(
    played: Served, tablet: Callable[..., Fingers]
) -> None:
    fingers = tablet()
    open_match(fingers, 2)
    fingers.button("Forget match 2").click()
    asked = question(fingers)
    expect(asked).to_contain_text("Match 2 of")
    expect(asked).to_contain_text("Ana, Ben, Zerlinde")
    expect(asked).to_contain_text("journal-damaged-1.db")
    go = fingers.button("Forget it for good")
    expect(go).to_be_disabled()
    check(fingers, TABLET, PHONE)
    fingers.button("Keep it").click()
    expect(asked).to_have_count(0)
    assert len(played.get("/api/matches").json["matches"]) == 2

    fingers.button("Forget match 2").click()
    fingers.page.get_by_role("switch", name="Remove these copies too").click()
    fingers.page.get_by_role("switch", name="I know this can’t be undone.").click()
    go.click()
    expect(asked).to_contain_text("Match 2 is forgotten.")
    expect(fingers.page.locator(".match-card[data-match='1']")).to_have_count(1)
    expect(fingers.page.locator(".match-card[data-match='2'], .past-match")).to_have_count(0)
    check(fingers, TABLET)
    asked.locator(".go").get_by_role("button", name="Close").click()
    expect(fingers.page.get_by_text("Match 1").first).to_be_visible()
    expect(fingers.page.get_by_text("Match 2")).to_have_count(0)
    assert [one["number"] for one in played.get("/api/matches").json["matches"]] == [1]
    assert not (played.folder / "data" / "journal-damaged-1.db").exists()


def test_a_name_becomes_a_number_in_the_language_of_the_page(
    played: Served, tablet: Callable[..., Fingers]
) -> None:
    fingers = tablet(country="de-DE")
    fingers.page.goto(f"{played.address}/history?player=Zerlinde")
    fingers.button("Den Namen Zerlinde vergessen").click()
    asked = question(fingers)
    expect(asked).to_contain_text("Aus Zerlinde wird Spieler 3")
    fingers.page.get_by_role("switch", name="Mir ist klar").click()
    fingers.button("Endgültig vergessen").click()
    expect(asked).to_contain_text("Der Name ist vergessen; jetzt steht da Spieler 3.")
    asked.locator(".go").get_by_role("button", name="Schließen").click()
    expect(asked).to_have_count(0)
    expect(fingers.page.get_by_text("Zerlinde")).to_have_count(0)
    assert b"Zerlinde" not in played.get("/api/matches").body


def test_who_sits_there_is_not_forgotten_and_the_page_says_why(
    played: Served, tablet: Callable[..., Fingers]
) -> None:
    fingers = tablet()
    fingers.forgive("409")
    fingers.page.goto(f"{played.address}/history?player=Ana")
    fingers.button("Forget the name Ana").click()
    expect(question(fingers).get_by_role("alert")).to_contain_text("Ana sits at the table.")
    expect(fingers.button("Forget it for good")).to_have_count(0)


def test_a_guest_is_not_even_asked(played: Served, tablet: Callable[..., Fingers]) -> None:
    fingers = tablet(watching=True)
    open_match(fingers, 1)
    expect(fingers.page.get_by_role("link", name="CSV").first).to_be_visible()
    expect(fingers.page.get_by_role("button", name="Forget")).to_have_count(0)
