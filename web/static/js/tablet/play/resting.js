// The resting screen: the score, the latest ruling in one line, and one bar with what can be done.

import { html } from "../../../vendor/htm-preact.js";
import { Scoreboard } from "../../score/scoreboard.js";
import { LatestRuling } from "./rulings.js";

/** @param {Page.AtTable<Page.InMatch>} props */
export function Resting({ table, children }) {
  return html`<div class="resting">
    <${Scoreboard} table=${table} />
    <${LatestRuling} table=${table} />
    <div class="actions">${children}</div>
  </div>`;
}
