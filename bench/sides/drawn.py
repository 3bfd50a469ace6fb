"""When a press is drawn: a page in Chromium, watched for the frame that shows it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench.ground import CannotMeasure
from tests.page.fingers import FLAGS

PATIENCE = 60.0
WATCH = """
window.drawn = [];
new MutationObserver((changes) => {
  for (const { target, oldValue } of changes) {
    const before = (oldValue ?? "").split(" ");
    if (!target.classList.contains("flash") || before.includes("flash")) continue;
    requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = () => window.drawn.push(performance.now());
      after.port2.postMessage(null);
    });
  }
}).observe(document, { subtree: true, attributeFilter: ["class"], attributeOldValue: true });
"""
"""A message that is posted in an animation frame arrives when that frame has been painted."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser that the tests use too."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        raise CannotMeasure("There is no Chromium here; on Debian: sudo apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class Page:
    """One open page, its clock read as the machine's own."""

    watch, ready = WATCH, "[data-link='live']"

    def __init__(self, browser: Browser, address: str) -> None:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.add_init_script(self.watch)
        self._page = context.new_page()
        self._page.goto(address)
        self._page.wait_for_selector(self.ready, state="attached")
        session: Any = context.new_cdp_session(self._page)
        session.send("Performance.enable", {"timeDomain": "timeTicks"})
        metrics = session.send("Performance.getMetrics")["metrics"]
        began = {metric["name"]: metric["value"] for metric in metrics}["NavigationStart"]
        self._began = int(began * 1e9)
        session.detach()

    def drawn(self) -> int:
        """Tell when the one press since the last question was drawn, in monotonic nanoseconds."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            moments = self._page.evaluate("window.drawn.splice(0)")
            if moments:
                assert len(moments) == 1, "One press is drawn once."
                return self._began + int(moments[0] * 1e6)
            time.sleep(0.05)
        raise RuntimeError("A press was never drawn.")

    def close(self) -> None:
        """Close the page."""
        self._page.context.close()
