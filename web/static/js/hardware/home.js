// Whether the home hears the table: worth knowing when the lights stay dark, and never an alarm.

import { html } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";

/** @param {{ home: Page.Service["home"] }} props */
export function Home({ home }) {
  if (!home) return null;
  const time = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "short",
  }).format(new Date(home.since));
  return html`<p class="bench-home" data-home=${home.connected ? "connected" : "away"} role="status">
    <span aria-hidden="true">${home.connected ? "⌂" : "○"}</span> ${t(
      home.connected ? "hardware.home.connected" : "hardware.home.away",
      { time },
    )}</p>`;
}
