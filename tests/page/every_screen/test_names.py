"""Names are text: whatever somebody is called, no page takes it for anything else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served
from tests.page.fingers import Fingers

NAMES = (
    "<img src onerror=hit()>",
    '"><svg onload=hit()>',
    "<script>hit()</script>",
    "${hit()}'`;hit();//",
)
"""As long as a name may be; each calls `hit` where it is taken for markup or for a script."""
PAGES = ("/", "/board", "/seat/1", "/history", "/rules", "/hardware")


@pytest.fixture
def named(served: Served) -> Served:
    """A match with a scored round and a race, among people with such names."""
    served.pair()
    for number, name in enumerate(NAMES, 1):
        answer = served.do("sit", name=name, button=number)
        assert answer.status == 200, answer
    for kind, fields in (
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
        ("deal", {}),
        ("catch", {"seat": 2, "by": 1}),
        ("go_out", {"seat": 1}),
        *(("enter_points", {"seat": seat, "points": 20 * seat}) for seat in (2, 3, 4)),
        ("score_round", {}),
        ("deal", {}),
        ("catch", {"seat": 3, "by": 4}),
        ("declare_race", {"layer": 2}),
    ):
        assert served.do(kind, **fields).status == 200, kind
    return served


def test_no_name_is_taken_for_markup_or_script_on_any_page(
    named: Served, screens: Callable[..., Fingers]
) -> None:
    for path in PAGES:
        fingers = screens(named)
        hits: list[str] = []
        fingers.page.expose_function("hit", lambda path=path, hits=hits: hits.append(path))
        fingers.page.goto(named.link if path == "/" else named.address + path)
        if path not in ("/rules", "/hardware"):
            expect(fingers.page.get_by_text(NAMES[0]).first).to_be_visible()
        else:
            expect(fingers.page.locator("h1").first).to_be_visible()
        fingers.page.wait_for_timeout(200)
        marks = "img[src=''], svg[onload], [onerror], script:not([src])"
        assert fingers.page.locator(marks).count() == 0, path
        assert hits == [], path


def test_the_test_would_notice(served: Served, screens: Callable[..., Fingers]) -> None:
    """The control: the same name, taken for markup, is found, and the policy stops its script."""
    served.pair()
    fingers = screens(served)
    hits: list[str] = []
    fingers.page.expose_function("hit", lambda: hits.append("hit"))
    fingers.open(served.link)
    policy = "Content Security Policy"
    fingers.forgive(policy)
    with fingers.page.expect_console_message(lambda message: policy in message.text):
        fingers.page.evaluate("name => { document.body.innerHTML = name }", NAMES[0])
    assert fingers.page.locator("[onerror]").count() == 1
    fingers.page.wait_for_timeout(300)
    assert hits == []
