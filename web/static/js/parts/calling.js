// A call and a catch on one small time axis: who was sooner, and by how much.

import { html } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";

const LEAST = 5e8; // nanoseconds that the axis spans at least, so that a hair looks like one

/** @param {{ call: Table.Press | null; caught: Table.Press | null }} props */
export function Calling({ call, caught }) {
  if (!call && !caught) return null;
  const ahead = call && caught ? caught.at - call.at : 0;
  const share = Math.max(-1, Math.min(1, ahead / Math.max(Math.abs(ahead), LEAST)));
  const at = { catch: 50 + 38 * share, call: 50 - 38 * share };
  return html`<span class="calling ${call && caught && ahead < 0 ? "late" : ""}" aria-hidden="true">
    ${
      call &&
      caught &&
      html`<span class="calling-span"
        style=${{ left: `${Math.min(at.call, at.catch)}%`, width: `${Math.abs(at.catch - at.call)}%` }}></span>`
    }
    ${call && html`<${Moment} kind="call" at=${caught ? at.call : 12} text=${t("felt.uno")} />`}
    ${caught && html`<${Moment} kind="catch" at=${call ? at.catch : 88} text=${t("uno.catch")} />`}
  </span>`;
}

// Moved back by the same share of itself, so that no word sticks out at either end.
/** @param {{ kind: string; at: number; text: string }} props */
function Moment({ kind, at, text }) {
  const style = { left: `${at}%`, transform: `translateX(-${at}%)` };
  return html`<span class="moment ${kind}" style=${style}>${text}</span>`;
}

// Whether somebody with one card left has not called yet, and the house wants that said.
/**
 * @param {Table.View} table
 * @param {number} [seat]
 */
export function isCallMissing({ uno, match }, seat = uno?.seat) {
  return Boolean(uno && match?.house.show_missing_call && uno.seat === seat && !uno.call && !uno.catch);
}
