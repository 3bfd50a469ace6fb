// What awaits everybody: a mark for each button of the table, on one line or two that are as full as each other.

import { html } from "../../vendor/htm-preact.js";
import { useStore } from "../core/store.js";
import { MarkFace } from "./components.js";

const MARKS = 10;

export function FreeSeats() {
  const { hardware } = /** @type {Page.Shown} */ (useStore().shown);
  const count = Math.min(hardware.buttons?.length || MARKS, MARKS);
  const across = count > 5 ? Math.ceil(count / 2) : count;
  return html`<ol class="free-seats" aria-hidden="true" style=${{ "--across": across }}>
    ${Array.from({ length: count }, (_, at) => html`<li key=${at}><${MarkFace} mark=${at + 1} /></li>`)}
  </ol>`;
}
