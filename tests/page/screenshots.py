"""Takes a picture of every screen, by night and day, on each kind of device: `make screenshots`."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from companion.referee import commands as c
from tests.kit.served import Served, eventually
from tests.page.evenings import Evenings
from tests.page.fingers import FLAGS, PARTS

NAMES = ("Ana", "Ben", "Cleo", "Dan")
OPEN = "async ([name, about]) => (await parts()).store.open(name, about)"
CLOSE = "async () => (await parts()).store.close()"
DEVICES = {"tablet": (1280, 800), "upright": (800, 1280), "phone": (390, 844), "tv": (1920, 1080)}


class Photographer:
    """Walks one evening and takes a picture wherever something is worth seeing."""

    def __init__(
        self, browser: Browser, served: Served, folder: Path, only: str, language: str
    ) -> None:
        self.served = served
        self.folder = folder
        self.pages: dict[str, Page] = {}
        for device, (width, height) in DEVICES.items():
            for theme in ("night", "day"):
                if not f"{device}-{theme}".startswith(only):
                    continue
                context = browser.new_context(
                    viewport={"width": width, "height": height},
                    locale=language,
                    reduced_motion="reduce",
                )
                context.add_init_script(f"localStorage.setItem('theme', '{theme}')")
                context.add_init_script(PARTS)
                self.pages[f"{device}-{theme}"] = context.new_page()
        self.open("/")

    def on(self, devices: str) -> list[tuple[str, Page]]:
        """The pages of these devices; several are parted by a comma."""
        wanted = tuple(devices.split(","))
        return [(name, page) for name, page in self.pages.items() if name.startswith(wanted)]

    def open(self, path: str, devices: str = "") -> None:
        """Go to another page of the table, as the referee."""
        for _, page in self.on(devices):
            page.goto(self.served.link if path == "/" else self.served.address + path)

    def picture(self, screen: str, devices: str = "", wait: float = 0.7) -> None:
        """Keep what every device shows now."""
        time.sleep(wait)
        for name, page in self.on(devices):
            page.screenshot(path=self.folder / f"{screen}-{name}.png")

    def dialog(
        self, screen: str, name: str, devices: str = "tablet,phone", tap: str = "", **about: Any
    ) -> None:
        """Keep what a dialog looks like, or what a tap in it leads to, and close it again."""
        for _, page in self.on(devices):
            page.evaluate(OPEN, [name, about])
            if tap:
                page.locator(tap).first.click()
        self.picture(screen, devices, 0.3)
        for _, page in self.on(devices):
            page.evaluate(CLOSE)

    def shared(self, screen: str, devices: str = "tablet,phone") -> None:
        """Keep what the pictures for friends look like before they are sent."""
        for _, page in self.on(devices):
            page.locator(".share-open").click()
            page.locator(".share-paper img").wait_for()
        self.picture(screen, devices, 0.3)
        for _, page in self.on(devices):
            page.locator(".share-ways [role=radio]").last.click()
            page.locator(".share-paper img[alt*=' ms']").wait_for()
        self.picture(f"{screen}-finish", devices, 0.3)
        for _, page in self.on(devices):
            page.keyboard.press("Escape")

    def do(self, kind: str, **fields: Any) -> None:
        answer = self.served.do(kind, **fields)
        assert answer.status == 200, (kind, answer.body)

    def press(self, button: int, *, down: bool) -> None:
        self.served.post("/api/simulate", {"button": button, "down": down})

    def tap(self, button: int, pause: float = 0.0) -> None:
        self.press(button, down=True)
        time.sleep(0.06)
        self.press(button, down=False)
        time.sleep(pause)

    def race(self, *racers: int, rest: float = 6, apart: float = 0.1) -> None:
        """Somebody lays a Street Race and keeps hands off; the others slap in this order.

        Without a rest before it, hands may belong to the race before. No hand waits for another
        one to be lifted, so that hands lie close together also where the table answers slowly.
        """
        before = self.rulings()
        time.sleep(rest)
        for racer in racers:
            self.press(racer, down=True)
            time.sleep(apart)
        for racer in racers:
            self.press(racer, down=False)
        eventually(lambda: self.rulings() > before)

    def paid(self) -> None:
        """Whoever has to draw has drawn."""
        for debt in eventually(lambda: self.served.table["debts"]):
            self.do("drawn", debt=debt["number"])

    def rulings(self) -> int:
        """The number of the latest ruling."""
        return max((ruling["number"] for ruling in self.served.table["rulings"]), default=0)

    def score(self, out: int, **points: int) -> None:
        self.do("go_out", seat=out)
        for name, total in points.items():
            self.do("enter_points", seat=NAMES.index(name.capitalize()) + 1, points=total)
        self.do("score_round")


def evening(take: Photographer) -> None:
    """One evening, from sitting down to the winner."""
    take.open("/board", "tv")
    take.picture("1-nobody-yet", "tablet,tv")
    for number, name in enumerate(NAMES, 1):
        take.tap(number, 0.1)
        if number > 1:
            take.do("rename", seat=number, name=name)
    take.picture("1-seating")
    take.do("rename", seat=1, name=NAMES[0])
    take.dialog("1-house-rules", "house")
    take.dialog("1-head-start", "handicap", seat=3)
    take.dialog("1-menu", "menu")
    take.dialog("1-settings", "settings")
    take.do("start_match")
    take.picture("1-draw-for-the-deal", "tablet,phone")
    take.do("choose_dealer", seat=4)
    take.do("deal")
    take.picture("2-free-play")
    racing(take)
    time.sleep(9)  # a third touch within ten seconds would be no call
    take.tap(2, 1.2)
    take.tap(1, 0.3)
    take.do("catch", seat=2)
    take.picture("4-called-in-time", "tablet,tv")
    take.do("catch", seat=3, by=1)
    take.picture("4-caught", "tablet,tv")
    take.dialog("2-seat", "seat", seat=3)
    take.dialog("2-who-laid-it", "race", "tablet")
    take.dialog("2-who-is-out", "out", "tablet", seat=1)
    counting(take)
    take.do("switch_way", way="refereed")
    refereed(take)
    take.do("go_out", seat=1, confirm=True)
    for seat in (2, 3, 4):
        take.do("enter_points", seat=seat, points=150)
    take.do("score_round")
    take.picture("6-won")
    take.shared("6-share")
    take.dialog("6-score-sheet", "sheet")
    take.dialog("6-edit-a-round", "edit", round=1)
    take.dialog("6-edit-a-hand", "edit", tap=".edit-hand", round=1)
    take.do("close_match")
    for seat in (2, 3):
        take.do("stand", seat=seat)
    take.tap(5)
    take.picture("1-known-names", "tablet,phone")
    take.open("/rules")
    take.picture("8-rules")
    past(take)
    workshop(take)


def past(take: Photographer) -> None:
    """A match that is over, and its race looked at again."""
    take.open("/history?match=1")
    for _, page in take.on("tablet,phone"):
        page.locator(".round-box > summary").first.click()
    take.picture("8-history-match", "tablet,phone")
    rulings = take.served.get("/api/matches/1/story").json["rounds"][0]["rulings"]
    race = next(one["number"] for one in reversed(rulings) if one["race"])
    take.open(f"/history?match=1&race={race}")
    take.picture("8-second-look", "tablet,phone")
    for _, page in take.on("tablet,phone"):
        page.locator(".look-tools [role=radio]").nth(2).click()
        more = page.locator(".wish").first.get_by_role("button").last
        for _ in range(11):
            more.click()
        page.locator(".verdict-card.other.changed").wait_for()
    take.picture("8-second-look-what-if", "tablet,phone")


def nights(take: Photographer) -> None:
    """Many nights: by match, by player and by group, in figures, and judged again."""
    take.open("/history")
    take.picture("8-history")
    for view in ("players", "groups", "figures"):
        take.open(f"/history?view={view}")
        take.picture(f"8-history-{view}")
    for name in ("slaps", "rivals", "points", "comebacks"):
        for _, page in take.on("tablet,phone"):
            page.locator(f"[data-picture={name}]").scroll_into_view_if_needed()
        take.picture(f"8-history-figures-{name}", "tablet,phone", 0.2)
    take.open("/history?view=what_if")
    for _, page in take.on("tablet,phone"):
        page.locator(".wish").first.get_by_role("radio").last.click()
        page.locator(".what-if-sum").wait_for()
    take.picture("8-what-if", "tablet,phone")


def workshop(take: Photographer) -> None:
    """The check of the buttons: one of them is odd, one is held, then all were heard."""
    take.open("/hardware")
    take.picture("9-hardware")
    take.served.post("/api/hardware/check", {"on": True})
    for _ in range(5):
        take.press(4, down=True)
        for button in (1, 2, 3):
            take.tap(button, 0.05)
        take.press(4, down=False)
    take.tap(5)
    take.press(3, down=True)
    take.served.post("/api/hardware/lamps", {"button": 2})
    take.picture("9-hardware-walk", wait=0.4)
    take.press(3, down=False)
    take.tap(6)
    take.picture("9-hardware-passed")


def racing(take: Photographer) -> None:
    """A race, its photo finish, and one that is too close to tell."""
    take.do("declare_race", layer=1)
    take.tap(3, 0.05)
    take.picture("3-race")
    take.do("rerun_race")  # undone, the hand alone would be a call
    take.race(3, 2, 4, rest=0.5)
    take.picture("3-photo-finish", wait=2)
    take.do("rerun_race")
    take.tap(3)
    for racer in (2, 4):
        take.do("press_seat", seat=racer)
    eventually(lambda: take.served.table["race"]["state"] == "undecided")
    take.picture("3-too-close")
    take.do("slap_off")
    take.picture("3-slap-off", "tablet,tv", 0.2)
    take.do("undo")
    take.do("pick_last", seats=[2])
    take.paid()
    take.do("set_handicap", seat=3, milliseconds=400)
    take.race(4, 2, 3)
    take.picture("3-head-start")
    take.paid()
    take.do("set_handicap", seat=3, milliseconds=0)
    take.race(3, 4, 2, apart=0.02)  # the closest one, which is looked at again and sent to friends
    take.paid()


def counting(take: Photographer) -> None:
    """The end of a round, and a few rounds more."""
    take.do("go_out", seat=1)
    take.do("enter_hand", seat=2, cards={"red-5": 1, "wild": 1})
    take.picture("5-hands")
    take.open("/seat/3", "phone")
    take.picture("5-own-hand", "phone")
    take.open("/", "phone")
    take.do("enter_hand", seat=3, cards={"blue-skip": 1})
    take.do("enter_points", seat=4, points=42)
    take.picture("5-result", "tablet,phone")
    take.do("score_round")
    for out, rest in ((2, (33, 60, 21)), (1, (80, 12, 51)), (3, (25, 97, 40))):
        take.do("deal")
        others = [name for seat, name in enumerate(NAMES, 1) if seat != out]
        take.score(out, **dict(zip((n.lower() for n in others), rest, strict=True)))
    take.picture("6-between")


def refereed(take: Photographer) -> None:
    """A round with one tap a turn."""
    take.do("deal")
    take.picture("2-first-card", "tablet,phone")
    take.do("turn_up", card="red-5")
    take.picture("2-refereed")
    take.open("/seat/1", "phone")
    take.picture("7-own-button", "phone")
    take.open("/", "phone")
    turn = take.served.table["round"]["turn"]
    take.do("correct", hands={str(turn): 2})
    take.do("play", card="red-7")
    take.picture("4-on-one-card")
    take.do("play", card="wild-draw", colour="green")
    take.picture("2-challenge")
    take.dialog("2-set-right", "correct", "tablet")


def many_nights(folder: Path) -> None:
    """A winter of Fridays, with four at the table or five."""
    evenings = Evenings(folder, 7)
    for night in range(9):
        evenings.sit(*(NAMES if night % 3 else (*NAMES, "Elif")))
        evenings.play(c.SetUp(edition="fast-and-furious", scoring="classic"), rounds=9, races=2)
        evenings.play(c.SetUp(edition="fast-and-furious", scoring="alternative"), rounds=9)
        if night % 2:
            evenings.play(c.SetUp(edition="express", scoring="classic"), rounds=9)
    evenings.close()


@contextmanager
def standing(prepare: Callable[[Path], None] = lambda _folder: None) -> Iterator[Served]:
    """A table in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="companion-screens-"))
    prepare(folder / "data")
    # Pictures of a race take their time.
    served = Served(
        folder,
        "[timing]\nrace_limit_ms = 120000\ntablet_uncertainty_ms = 250\n"
        "slap_off_least_ms = 9000\nslap_off_most_ms = 9500\n",
    )
    try:
        yield served
    finally:
        served.stop()
        shutil.rmtree(folder)


def main(folder: Path, only: str = "", language: str = "en") -> None:
    """Take all pictures into this folder, or those of devices whose name begins like this."""
    folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("There is no Chromium here; on Debian: sudo apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        with standing() as served:
            served.pair()
            evening(Photographer(browser, served, folder, only, language))
        with standing(many_nights) as served:
            nights(Photographer(browser, served, folder, only, language))
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
