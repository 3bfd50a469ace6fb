"""A press on the screen: its seat lights up, and nothing else comes before that."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.kit.served import eventually
from tests.page.fingers import Fingers

WATCH = """() => {
  window.lit = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const seat = target.closest(".seat, .person");
      if (target.matches(".press-light.flash")) window.lit.push(seat.dataset.seat);
    }
  }).observe(document.body, { subtree: true, attributeFilter: ["class"] });
}"""
ORDER = """async () => {
  const { afterFlash, flash, onFlash } = (await parts()).flashes;
  const order = [];
  const began = performance.now();
  let painted = null;
  afterFlash(() => order.push("a view alone"));
  onFlash((seat) => order.push(`press ${seat}`));
  requestAnimationFrame(() => {
    order.push("frame");
    painted = performance.now() - began;
  });
  flash({ seat: 1, at: 1 });
  afterFlash(() => order.push("view"));
  flash({ seat: 2, at: 2 });
  afterFlash(() => order.push("view of both"));
  flash({ seat: null, at: 3 });
  await new Promise((done) => setTimeout(done, 300));
  return painted !== null && painted < 100 ? order : null;
}"""


def test_a_press_lights_its_seat_for_a_moment(referee: Fingers) -> None:
    referee.seat_down("Ana", "Ben")
    shining = referee.page.locator(".press-light.flash")
    expect(shining).to_have_count(0)
    referee.page.evaluate(WATCH)
    referee.push(2)
    referee.page.wait_for_function("() => window.lit.length > 0")
    expect(shining).to_have_count(0)
    assert referee.page.evaluate("window.lit") == ["2"]


def test_a_view_waits_until_the_flash_is_painted(referee: Fingers) -> None:
    # Where the browser paints too late, the view does not wait for it; then it is tried again.
    order = eventually(lambda: referee.page.evaluate(ORDER), patience=30)
    assert order == ["a view alone", "press 1", "press 2", "frame", "view", "view of both"]
