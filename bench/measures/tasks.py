"""How long the tablet is deaf to a finger in a race of ten hands, on a sixth of this processor."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

from bench.figure import Figure
from bench.ground import Ground
from bench.measures.press import play_up_to_a_round
from bench.sides.drawn import chromium
from bench.sides.pressed_ours import CODE
from bench.sides.served import ours_with_hand

PEOPLE = 10
SLOWER = 6
MARK = 50.0
TRACED = "toplevel"
TASK = "ThreadControllerImpl::RunTask"
PAGE_THREAD = "CrRendererMain"


def figures(ground: Ground) -> Iterator[Figure]:
    """Let ten hands slap again and again while the page is watched for long tasks."""
    folder = ground.fresh()
    play_up_to_a_round(folder, PEOPLE)
    seconds = ground.size(4, 1)
    with chromium() as browser, ours_with_hand(folder, 8, PEOPLE) as table:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.goto(f"{table.address}?code={CODE}")
        page.wait_for_selector("[data-link='live']", state="attached")
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        time.sleep(2)
        browser.start_tracing(page=page, categories=[TRACED])
        table.press(seconds)
        time.sleep(seconds + 1)
        longest = longest_task(browser.stop_tracing())
        context.close()
    yield Figure(name="longest task", ours=longest, unit="ms", mark=MARK)


def longest_task(trace: bytes) -> float:
    """Find the longest task of the page, in milliseconds on the processor.

    What a task waits for while other programs have the processor is not the page's doing.
    """
    events = json.loads(trace)["traceEvents"]
    pages = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == PAGE_THREAD
    }
    microseconds: list[int] = [
        event["tdur"]
        for event in events
        if event["name"] == TASK and "tdur" in event and (event["pid"], event["tid"]) in pages
    ]
    return max(microseconds) / 1000
