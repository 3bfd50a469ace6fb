"""What a look at a page finds: things that cover others, words that are cut, what is hidden."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

NAMES = (
    "Ana",
    "Émile Dupont-Moretti",
    "Cleopatra",
    "Dan",
    "Wilhelmine Hohenstein",
    "Finn",
    "Gustav-Adolf",
    "Hana",
    "Ivo",
    "Josephine",
)
"""Ten at a table, some of them with long names."""

COVERED = """(wanted) => {
    const found = [...document.querySelectorAll(wanted)].filter((one) => one.offsetWidth > 0);
    const boxes = found.map((one) => one.getBoundingClientRect());
    const told = (at) => `${found[at].className}: ${found[at].textContent.trim().slice(0, 30)}`;
    return boxes.flatMap((a, i) => boxes.slice(i + 1).flatMap((b, j) => {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        return wide > 1 && high > 1 ? [[told(i), told(i + 1 + j)]] : [];
    }));
}"""

CUT = """(wanted) => [...document.querySelectorAll(wanted)]
    .filter((one) => one.scrollWidth > one.clientWidth + 1
        || one.scrollHeight > one.clientHeight + 2)
    .map((one) => one.value ?? one.textContent)"""


def covered(page: Page, *wanted: str) -> list[list[str]]:
    """Which of these lie on top of another one of them."""
    page.wait_for_timeout(200)
    found: list[list[str]] = page.evaluate(COVERED, ", ".join(wanted))
    return found


def cut(page: Page, wanted: str) -> list[str]:
    """Which of these have more to say than they have room for."""
    found: list[str] = page.evaluate(CUT, wanted)
    return found


def in_sight(what: Locator) -> bool:
    """Whether a finger finds it without scrolling: its middle is what lies there."""
    found: bool = what.evaluate(
        """(one) => {
            const box = one.getBoundingClientRect();
            const there = (x, y) => one.contains(document.elementFromPoint(x, y));
            return [box.top + 3, box.bottom - 3].every((y) => there((box.left + box.right) / 2, y));
        }"""
    )
    return found
