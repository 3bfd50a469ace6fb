"""No text is cut off, broken in mid-word or overlapping: every screen, size and number of players.

Here is a sample in which every moment meets every size, and every size every number of players;
`make soak` takes them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.kit.served import Served
from tests.page.layout import LASTING, OVER, dressed, faults
from tests.page.moments import FIGURES, Line, free_play, refereed

Moments = Iterator[tuple[str, dict[str, Any]]]

HAND_HELD = ((360, 640), (390, 844), (800, 1280), (1280, 800), (1920, 1080))
ACROSS = (*HAND_HELD, (1280, 720), (1024, 768), (3840, 2160))
PLAYERS = (2, 4, 7, 10)
LANGUAGES = ("de-DE", "fr-FR", "en-GB", "pt-BR")


def moments(players: int) -> Moments:
    """Everything that a table can show."""
    yield from free_play(players)
    for name, shown in free_play(players, scoring="alternative", edition="express"):
        yield f"express {name}", shown
    yield from refereed(players)


@pytest.fixture
def looked_at(browser: Browser, quiet: Served) -> Iterator[Callable[..., tuple[Page, Line]]]:
    """A page that believes to be at a table."""
    opened = []

    def look(path: str, country: str, role: str = "watcher", seat: int | None = None) -> Any:
        context = browser.new_context(locale=country, reduced_motion="reduce")
        opened.append(context)
        context.add_init_script(LASTING)
        page = context.new_page()
        page.route("**/api/statistics?*", lambda route: route.fulfill(json=FIGURES))
        line = Line(page, role, seat)
        page.goto(quiet.address + path, wait_until="commit")
        dressed(page)
        return page, line

    yield look
    for context in opened:
        context.close()


def wrong_on(page: Page, line: Line, root: str, seen: Moments, sizes: Any, within: str) -> str:
    """What is wrong at these moments; each is looked at in the sizes that are given for it."""
    found: list[str] = []

    def look(moment: str, at: int) -> None:
        for width, height in sizes(at):
            page.set_viewport_size({"width": width, "height": height})
            where = f"{moment} at {width}x{height}"
            found.extend(f"{where}: {fault}" for fault in faults(page, root, within))

    for at, (moment, shown) in enumerate(seen):
        line.show(shown)
        if root in (".show", ".guest") and moment.split()[-1] in ("called", "counting"):
            page.locator(".moment-show").wait_for()
            look(f"{moment} (moment)", at)
            page.wait_for_function(OVER)
        look(moment, at)
    return "\n".join(found)


@pytest.mark.parametrize(("players", "country"), [*zip(PLAYERS, LANGUAGES, strict=True)])
def test_the_show_fits_every_large_screen(looked_at, players, country):
    page, line = looked_at("/board", country)
    start = PLAYERS.index(players)
    sizes = lambda at: (ACROSS[(at + start) % 8], ACROSS[(at + start + 4) % 8])  # noqa: E731
    assert not wrong_on(page, line, ".show", moments(players), sizes, "screen")


@pytest.mark.parametrize(("players", "country"), [*zip(PLAYERS, LANGUAGES, strict=True)])
def test_a_phone_fits_its_words(looked_at, players, country):
    page, line = looked_at("/seat/2", country, "player", 2)
    sizes = lambda at: ((360, 640), (390, 844))  # noqa: E731
    assert not wrong_on(page, line, ".phone", moments(players), sizes, "page")


@pytest.mark.parametrize(("players", "country"), [(4, "de-DE"), (10, "fr-FR")])
def test_a_guest_sees_it_all_on_a_phone_too(looked_at, players, country):
    page, line = looked_at("/", country)
    sizes = lambda at: (HAND_HELD[at % 5],)  # noqa: E731
    assert not wrong_on(page, line, ".guest", moments(players), sizes, "screen")


@pytest.mark.slow
@pytest.mark.parametrize("country", ["en-GB", "de-DE", "es-ES", "fr-FR", "pt-BR"])
@pytest.mark.parametrize("players", range(2, 11))
def test_everything_fits_everywhere(looked_at, players, country):
    for path, root, sizes, who in (
        ("/board", ".show", ACROSS, ("watcher", None)),
        ("/", ".guest", HAND_HELD, ("watcher", None)),
        ("/seat/2", ".phone", HAND_HELD, ("player", 2)),
    ):
        page, line = looked_at(path, country, *who)
        within = "page" if root == ".phone" else "screen"
        wrong = wrong_on(page, line, root, moments(players), lambda _at, all_=sizes: all_, within)
        assert not wrong
