// The winner's marks rain for a moment, but not where less motion was asked for.

import { html } from "../../vendor/htm-preact.js";
import { Mark } from "./components.js";

const PIECES = Array.from({ length: 36 }, (_, at) => ({
  left: `${(at * 61) % 100}%`,
  animationDelay: `${((at * 37) % 20) / 10}s`,
  animationDuration: `${2.6 + ((at * 13) % 14) / 10}s`,
}));

/** @param {{ seats: number[] }} props */
export function Confetti({ seats }) {
  if (!seats.length) return null;
  return html`<div class="confetti" aria-hidden="true">
    ${PIECES.map(
      (style, at) => html`<span key=${at} style=${style}><${Mark} seat=${seats[at % seats.length]} /></span>`,
    )}
  </div>`;
}
