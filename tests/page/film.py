"""Films a race on the board, from the card to the verdict, for the README: `make pictures`.

The page is the real one, at a table that is really served; every frame is what Chromium painted,
and stays as long as it took until the next one.
"""

from __future__ import annotations

import base64
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import CDPSession, sync_playwright

from tests.kit.served import Served, eventually
from tests.page.fingers import FLAGS

WIDTH, HEIGHT = 960, 540
FRAME = 0.05
"""Seconds between two frames at least."""
QUALITY = 62
BEFORE, AFTER = 1.2, 4.0
"""Seconds of the score before the race, and of its verdict."""
SLAPS = ((3, 0.35), (2, 0.6), (4, 0.612))
"""Which button is pressed so many seconds after the card; the last two are close."""


class Camera:
    """Takes frames of one page, each with the moment at which it was taken."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self.frames: list[tuple[float, bytes]] = []

    def roll(self, seconds: float) -> None:
        """Film for so long."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            taken = self._session.send(
                "Page.captureScreenshot", {"format": "webp", "quality": QUALITY}
            )
            self.frames.append((now, base64.b64decode(taken["data"])))
            time.sleep(max(0.0, now + FRAME - time.monotonic()))


def chunk(name: bytes, body: bytes) -> bytes:
    """One part of a WebP file."""
    return name + len(body).to_bytes(4, "little") + body + b"\0" * (len(body) % 2)


def three(number: int) -> bytes:
    """A number in the three bytes that WebP takes for sizes and durations."""
    return number.to_bytes(3, "little")


def film(frames: list[tuple[float, bytes]]) -> bytes:
    """Put pictures together to one that moves for ever; equal ones become one."""
    kept = [frames[0]]
    for moment, picture in frames[1:]:
        if picture != kept[-1][1]:
            kept.append((moment, picture))
    ends = [*(moment for moment, _ in kept[1:]), frames[-1][0] + 1.0]
    size = three(WIDTH - 1) + three(HEIGHT - 1)
    parts = [chunk(b"VP8X", bytes([2, 0, 0, 0]) + size), chunk(b"ANIM", bytes(6))]
    for (moment, picture), end in zip(kept, ends, strict=True):
        shown = three(max(20, round(1000 * (end - moment))))
        parts.append(
            chunk(b"ANMF", three(0) + three(0) + size + shown + b"\2" + picture_of(picture))
        )
    body = b"WEBP" + b"".join(parts)
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def picture_of(file: bytes) -> bytes:
    """What is painted, out of a WebP file of one picture."""
    at = 12
    while file[at : at + 4] not in (b"VP8 ", b"VP8L"):
        length = int.from_bytes(file[at + 4 : at + 8], "little")
        at += 8 + length + length % 2
    length = int.from_bytes(file[at + 4 : at + 8], "little")
    return file[at : at + 8 + length + length % 2]


def begun(served: Served) -> None:
    """Four at the table, in their third round."""
    served.pair()
    for number, name in enumerate(("Ana", "Ben", "Cleo", "Dan"), 1):
        assert served.do("sit", name=name, button=number).status == 200
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 2})):
        assert served.do(kind, **fields).status == 200
    for out, points in ((1, (90, 120, 102)), (3, (61, 60, 100)), (2, (40, 38, 40))):
        served.do("deal")
        served.do("go_out", seat=out)
        others = [seat for seat in range(1, 5) if seat != out]
        for seat, total in zip(others, points, strict=True):
            served.do("enter_points", seat=seat, points=total)
        served.do("score_round")
    served.do("deal")


def race(served: Served) -> None:
    """Ana lays a Street Race; the others slap."""
    served.do("declare_race", layer=1)
    began = time.monotonic()
    for button, after in SLAPS:
        time.sleep(max(0.0, began + after - time.monotonic()))
        served.post("/api/simulate", {"button": button, "down": True})
    for button, _ in SLAPS:
        served.post("/api/simulate", {"button": button, "down": False})


def main(path: Path) -> None:
    """Film a race into this file."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("There is no Chromium here; on Debian: sudo apt install chromium")
    folder = Path(tempfile.mkdtemp(prefix="companion-film-"))
    served = Served(folder)
    try:
        begun(served)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, locale="en")
            page.goto(served.address + "/board")
            page.locator(".place-row").first.wait_for()
            page.wait_for_timeout(7000)  # until the verdict of the round before has gone
            camera = Camera(page.context.new_cdp_session(page))
            camera.roll(BEFORE)
            hands = threading.Thread(target=race, args=(served,))
            hands.start()
            camera.roll(max(after for _, after in SLAPS) + 0.4)
            hands.join()
            eventually(lambda: served.table["race"]["state"] == "ruled")
            camera.roll(AFTER)
            browser.close()
    finally:
        served.stop()
        shutil.rmtree(folder)
    path.write_bytes(film(camera.frames))
    print(f"{len(camera.frames)} frames, {path.stat().st_size // 1024} kB in {path}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
