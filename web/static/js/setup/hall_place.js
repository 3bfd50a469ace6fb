// The table's place in a hall, in a line: what the hall asks next, and whether it has the results.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { tableNow } from "../core/connection.js";
import { open } from "../core/store.js";
import { t } from "../core/texts.js";

/** @param {{ hall: Page.HallPlace }} props */
export function HallLine({ hall }) {
  useSeconds(hall.ends !== null);
  const parts = [
    t("hall.table", { number: hall.table }),
    hall.title,
    hall.round ? t("hall.round", { number: hall.round }) : "",
    hall.done ? "" : hall.seats.join(", "),
    clockText(hall),
    ...trouble(hall),
    arrived(hall),
  ];
  return html`<p class="banner hall-line"><button type="button" class="link" onClick=${() => open("hall")}>
    ${parts.filter(Boolean).join(" · ")}
  </button></p>`;
}

// On the large screen only what players want to know: which table this is, and how long the round goes on.
/** @param {{ hall: Page.HallPlace }} props */
export function HallBrief({ hall }) {
  useSeconds(hall.ends !== null);
  const round = hall.round ? t("hall.round", { number: hall.round }) : "";
  return html`<span class="hall-brief">${[
    t("hall.table", { number: hall.table }),
    round,
    clockText(hall),
    arrived(hall),
  ]
    .filter(Boolean)
    .join(" · ")}</span>`;
}

/** @param {boolean} running */
export function useSeconds(running) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [running]);
}

// What is left of the round, running or paused; a table that has its result needs it no more.
/** @param {Page.HallPlace} hall */
export function clockText({ ends, left, done }) {
  if (done) return "";
  if (ends === null) return left > 0 ? t("hall.paused", { time: minutes(left) }) : "";
  const still = (ends - tableNow()) / 1e6;
  return still <= 0 ? t("hall.time_up") : minutes(still);
}

/** @param {number} left */
function minutes(left) {
  const seconds = Math.round(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {Page.HallPlace} hall */
export function trouble(hall) {
  return [
    hall.connected ? "" : t(hall.taken_out ? "hall.taken_out" : "hall.away"),
    hall.foreign ? t("hall.foreign") : "",
    hall.behind ? t("hall.behind") : "",
    hall.unsent ? t("hall.unsent", { count: hall.unsent }) : "",
  ];
}

/** @param {Page.HallPlace} hall */
export function arrived({ done, unsent }) {
  return done && !unsent ? t("hall.arrived") : "";
}
