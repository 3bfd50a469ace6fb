"""An earlier round is changed: each hand on the grid on which it was counted, and who went out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.kit.served import Served, eventually
from tests.page.fingers import Fingers
from tests.page.layout import NAMES, cut, in_sight

LANGUAGES = ("en-GB", "de", "es", "fr", "pt-BR")


def scored(served: Served, *names: str) -> None:
    """The first goes out with a Street Race, the second has cards left, the others a total."""
    served.pair()
    for name in names:
        done(served, "sit", name=name)
    done(served, "start_match")
    done(served, "choose_dealer", seat=1)
    done(served, "deal")
    done(served, "go_out", seat=1, card="street-race")
    done(served, "enter_hand", seat=2, cards={"red-5": 1, "wild": 1})
    for seat in range(3, len(names) + 1):
        done(served, "enter_points", seat=seat, points=10)
    done(served, "score_round")


def done(served: Served, kind: str, **fields: object) -> None:
    answer = served.do(kind, **fields)
    assert answer.status == 200, answer.body


@pytest.fixture
def editing(served: Served, tablet: Callable[..., Fingers]) -> Fingers:
    """The referee has opened the first round, of Ana, Ben and Cam."""
    scored(served, "Ana", "Ben", "Cam")
    fingers = tablet()
    fingers.tap("Scores")
    fingers.tap("Edit")
    return fingers


def row(fingers: Fingers, name: str) -> Locator:
    return fingers.page.locator(".edit-list li", has_text=name)


def grid_card(fingers: Fingers, name: str) -> Locator:
    return fingers.page.locator(f"dialog .card-grid [data-card='{name}']")


def hands(served: Served) -> dict[str, Any]:
    found: dict[str, Any] = served.table["match"]["rounds"][0]["hands"]
    return found


def test_cards_are_shown_again_and_changed_on_the_grid(editing, served):
    expect(row(editing, "Ben").locator(".edit-hand")).to_contain_text("2 cards, 55 points")
    editing.tap_like("Ben’s hand in round 1")
    expect(editing.page.locator("dialog .taken")).to_have_count(2)
    editing.tap("Remove one Red 5")
    grid_card(editing, "blue-9").click()
    expect(editing.page.locator("dialog .running")).to_have_text("2 cards, 59 points")
    editing.tap("Ben’s hand is done")
    expect(row(editing, "Ben").locator(".edit-hand")).to_contain_text("2 cards, 59 points")
    assert hands(served)["2"]["points"] == 55, "nothing happens before it is saved"
    editing.tap("Save the change")
    expect(editing.page.locator("dialog")).to_have_count(0)
    assert hands(served)["2"] == {"points": 59, "cards": {"wild": 1, "blue-9": 1}}
    assert hands(served)["3"] == {"points": 10, "cards": None}, "what was left alone stays"
    editing.tap_like("Undo Round 1 changed")
    eventually(lambda: hands(served)["2"]["cards"] == {"red-5": 1, "wild": 1})


def test_a_bare_total_can_take_the_place_of_cards(editing, served):
    editing.tap_like("Ben’s hand in round 1")
    editing.page.locator("dialog .typed input").fill("70")
    editing.tap("Use this total")
    expect(row(editing, "Ben")).to_contain_text("70 points unchecked")
    editing.tap("Save the change")
    expect(editing.page.locator("dialog")).to_have_count(0)
    assert hands(served)["2"] == {"points": 70, "cards": None}


def test_the_grid_offers_no_card_of_which_the_other_hands_hold_every_copy(editing):
    editing.tap_like("Cam’s hand in round 1")
    for _ in range(3):
        grid_card(editing, "wild").click()
    expect(grid_card(editing, "wild")).to_be_disabled()


def test_what_the_deck_rules_out_is_doubted_and_can_be_insisted_on(editing, served):
    """Ana laid one of the four Street Races, so Cam cannot have held all of them."""
    editing.tap_like("Cam’s hand in round 1")
    for _ in range(4):
        grid_card(editing, "street-race").click()
    editing.tap("Cam’s hand is done")
    editing.tap("Save the change")
    doubt = editing.page.locator("dialog .quote")
    expect(doubt).to_contain_text("Cam can't hold that Street Race")
    editing.tap("Take it back")
    expect(doubt).to_have_count(0)
    assert hands(served)["3"]["points"] == 10
    editing.tap("Save the change")
    editing.tap("Record it anyway")
    expect(editing.page.locator("dialog")).to_have_count(0)
    assert hands(served)["3"]["cards"] == {"street-race": 4}


def test_who_went_out_is_changed_and_the_hand_of_the_other_is_counted(editing, served):
    row(editing, "Ben").get_by_role("button", name="Went out").click()
    expect(editing.button("Save the change")).to_be_disabled()
    editing.tap_like("Ana’s hand in round 1: Count the hand")
    grid_card(editing, "red-7").click()
    editing.tap("Ana’s hand is done")
    editing.tap("Save the change")
    expect(editing.page.locator("dialog")).to_have_count(0)
    assert served.table["match"]["rounds"][0]["out"] == 2
    assert hands(served) == {
        "1": {"points": 7, "cards": {"red-7": 1}},
        "3": {"points": 10, "cards": None},
    }


def test_with_the_keys_alone_the_focus_comes_back_to_the_hand(editing):
    hand = row(editing, "Ben").locator(".edit-hand")
    hand.focus()
    editing.page.keyboard.press("Enter")
    title = editing.page.get_by_role("dialog", name="Ben’s hand in round 1")
    expect(title).to_be_visible()
    grid_card(editing, "blue-9").focus()
    editing.page.keyboard.press("Space")
    editing.button("Ben’s hand is done").focus()
    editing.page.keyboard.press("Enter")
    expect(title).to_have_count(0)
    expect(hand).to_be_focused()
    expect(hand).to_contain_text("3 cards, 64 points")
    editing.page.keyboard.press("Enter")
    expect(title).to_be_visible()
    editing.page.keyboard.press("Escape")
    expect(title).to_have_count(0)
    expect(hand).to_be_focused()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 640)])
def test_ten_hands_have_room_in_every_language(served, tablet, width, height):
    scored(served, *NAMES)
    for language in LANGUAGES:
        fingers: Fingers = tablet(width=width, height=height, country=language)
        fingers.page.locator(".bar-actions .quiet").first.click()
        fingers.page.locator("dialog .sheet-scroll .button").click()
        rows = fingers.page.locator(".edit-list li")
        expect(rows).to_have_count(10)
        assert in_sight(fingers.page.locator("dialog .go .primary"))
        if width > 1000:
            assert all(in_sight(one) for one in rows.locator(".button").all())
        assert cut(fingers.page, ".dialog-inside, .edit-list .fit-text, .edit-list .button") == []
        fingers.page.locator(".edit-hand").first.click()
        expect(fingers.page.locator("dialog .taken")).to_have_count(2)
        foot = fingers.page.locator("dialog .entry-foot")
        expect(foot).to_be_visible()
        assert all(in_sight(one) for one in foot.locator(".button, .field").all())
        assert cut(fingers.page, "dialog:last-of-type .dialog-inside, .entry-foot .button") == []
        fingers.page.context.close()
