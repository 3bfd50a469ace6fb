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
        // Letters reach below a narrow line, a line that is missing much further.
        || one.scrollHeight > one.clientHeight + 0.4 * parseFloat(getComputedStyle(one).fontSize))
    .map((one) => one.value ?? one.textContent)"""


LASTING = """const soon = setTimeout, forget = clearTimeout, lasting = new Map();
window.setTimeout = (then, after, ...more) => {
    const lasts = after > 1500 && after < 60000;
    const timer = soon(then, lasts ? 1e9 : after, ...more);
    if (lasts) lasting.set(timer, then);
    return timer;
};
window.clearTimeout = (timer) => { lasting.delete(timer); forget(timer); };
window.goOn = () => {
    for (const [timer, then] of [...lasting]) { clearTimeout(timer); then(); }
};"""
"""A moment that has the screen for some seconds keeps it until the test goes on."""

OVER = "() => { goOn(); return !document.querySelector('.moment-show'); }"
"""Ends such a moment; it may have come on so lately that its time has not begun to run."""


def covered(page: Page, *wanted: str) -> list[list[str]]:
    """Which of these lie on top of another one of them."""
    page.wait_for_timeout(200)
    found: list[list[str]] = page.evaluate(COVERED, ", ".join(wanted))
    return found


def dressed(page: Page) -> None:
    """Wait until the page has its own face; the one before it is wider."""
    page.locator("html.dressed").wait_for()
    page.evaluate("""document.fonts.load("700 20px 'Saira Condensed'").then(() => null)""")


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


FAULTS = """([root, within]) => {
    const LEAST = 7; // pixels, of letters that somebody can read at all
    const told = (node) => (node.textContent ?? "").trim().replace(/\\s+/g, " ").slice(0, 40);
    const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        && !one.closest(".hidden-text, svg, .confetti, .press-light");
    // What sticks to an edge may lie above what is scrolled away under it.
    const above = (one) => {
        let each = one;
        const stays = () => /sticky|fixed/.test(getComputedStyle(each).position);
        while (each && !stays()) each = each.parentElement;
        return each;
    };
    const texts = [];
    const walk = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const node = walk.currentNode;
        if (node.textContent.trim() && seen(node.parentElement)) texts.push(node);
    }
    const faults = [];
    const boxes = [];
    const range = document.createRange();
    for (const node of texts) {
        for (const word of node.textContent.matchAll(/[^\\s\\-–…]+/g)) {
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            const rects = [...range.getClientRects()].filter((one) => one.width > 0);
            const lines = new Set(rects.map((one) => Math.round(one.top / 4)));
            if (lines.size > 1 && rects[0].bottom < rects.at(-1).top + 4)
                faults.push(`broken in mid-word: ${word[0]} in ${told(node)}`);
        }
        const size = parseFloat(getComputedStyle(node.parentElement).fontSize);
        if (size < LEAST) faults.push(`too small to be read, ${size} px: ${told(node)}`);
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) {
            if (rect.width < 2) continue;
            const ink = { left: rect.left, right: rect.right,
                top: rect.top + 0.24 * rect.height, bottom: rect.bottom - 0.24 * rect.height };
            const box = { ...ink, height: ink.bottom - ink.top };
            boxes.push([node, box, above(node.parentElement)]);
            const moved = innerWidth > 760 ? "" : ", .tabs";
            const aside = node.parentElement.closest(".sheet-scroll, .plays, .push-row" + moved);
            if (aside) continue; // may be wider than the screen: it is moved by a finger or by keys
            const low = within === "screen" && (box.top < -2 || box.bottom > innerHeight + 2);
            if (box.left < -2 || box.right > innerWidth + 2 || low)
                faults.push(`outside of the screen: ${told(node)}`);
        }
        for (let one = node.parentElement; one && one !== document.body; one = one.parentElement) {
            const style = getComputedStyle(one);
            if (style.overflowX === "visible" && style.overflowY === "visible") continue;
            if (/auto|scroll/.test(style.overflowX + style.overflowY)) break;
            range.selectNodeContents(node);
            const text = range.getBoundingClientRect();
            const box = one.getBoundingClientRect();
            const high = 0.24 * parseFloat(getComputedStyle(node.parentElement).fontSize) * 1.5;
            if (text.right > box.right + 2 || text.left < box.left - 2
                || text.bottom > box.bottom + high + 2 || text.top < box.top - high - 2)
                faults.push(`cut off: ${told(node)} in .${one.className}`);
            break;
        }
    }
    boxes.forEach(([node, a, layer], at) => {
        for (const [other, b, others] of boxes.slice(at + 1)) {
            if (other === node || layer !== others) continue;
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 2 && high > 2)
                faults.push(`overlapping: ${told(node)} and ${told(other)}`);
        }
    });
    return [...new Set(faults)];
}"""


def faults(page: Page, root: str, within: str = "screen") -> list[str]:
    """What of a page's text is cut off, broken in mid-word, overlapping, tiny or off the screen.

    Where a page may be scrolled (`within="page"`) nothing is too low.
    """
    found: list[str] = page.evaluate(FAULTS, [root, within])
    return found
