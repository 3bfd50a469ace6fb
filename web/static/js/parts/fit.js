// A name as large as its box allows: it is never cut, and breaks only between its words.

import { html } from "../../vendor/htm-preact.js";

const WIDTHS = { "ijl'’ |": 0.27, "!,.:;()-I1Jfrtı": 0.34, csLzCFT: 0.42, "MWmwæÆ@%&": 0.77, œŒ: 1.2 };
/** What the letters of our face need at most, in its own size. */

// On one line, or on two that are as alike as they can be: whichever lets the letters be larger.
/** @param {{ text: string; [more: string]: any }} props */
export function Fit({ text, class: more = "" }) {
  const lines = inLines(text);
  const half = Math.max(2, ...lines.map(widthOf));
  return html`<span class="fit ${more}" style=${{ "--long": Math.max(2, widthOf(text)), "--half": half }}>
    <span class="fit-text">${lines.map(
      (line, at) =>
        html`${at > 0 && text.includes(`${lines[0]} `) ? " " : ""}<span class="fit-line" key=${at}>${line}</span>`,
    )}</span>
  </span>`;
}

/** @param {string} text */
function inLines(text) {
  const ends = [...text.matchAll(/ |(?<=-)(?=.)/g)].map((end) => end.index);
  const splits = ends.map((end) => [text.slice(0, end), text.slice(end).trimStart()]);
  const widest = (/** @type {string[]} */ split) => Math.max(...split.map(widthOf));
  return splits.reduce((best, split) => (widest(split) < widest(best) ? split : best), [text]);
}

// In our face at the size of 1.
/** @param {string} text */
export function widthOf(text) {
  return [...text.normalize("NFD")].reduce((sum, letter) => sum + widthOfLetter(letter), 0);
}

/** @param {string} letter */
function widthOfLetter(letter) {
  if (/\p{M}/u.test(letter)) return 0;
  const known = Object.entries(WIDTHS).find(([letters]) => letters.includes(letter));
  if (known) return known[1];
  return /[\0-\u024f]/.test(letter) ? (/[A-Z]/.test(letter) ? 0.54 : 0.49) : 1;
}
