// The table's place in a hall: what the hall asks next, whether it has the results, and how to join one.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { post, tableNow } from "../core/connection.js";
import { change, open, state, useStore } from "../core/store.js";
import { explained, t } from "../core/texts.js";
import { acting, Button, Dialog } from "../parts/components.js";

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
function useSeconds(running) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [running]);
}

// What is left of the round, running or paused; a table that has its result needs it no more.
/** @param {Page.HallPlace} hall */
function clockText({ ends, left, done }) {
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
function trouble(hall) {
  return [
    hall.connected ? "" : t("hall.away"),
    hall.foreign ? t("hall.foreign") : "",
    hall.behind ? t("hall.behind") : "",
    hall.unsent ? t("hall.unsent", { count: hall.unsent }) : "",
  ];
}

/** @param {Page.HallPlace} hall */
function arrived({ done, unsent }) {
  return done && !unsent ? t("hall.arrived") : "";
}

export function HallDialog() {
  const { shown } = useStore();
  const hall = shown?.service.hall;
  return html`<${Dialog} title=${t("hall.title")}>${hall ? html`<${Asked} hall=${hall} /><${Leave} />` : html`<${Join} />`}<//>`;
}

// What the hall asks next, and whether it has what was played.
/** @param {{ hall: Page.HallPlace }} props */
function Asked({ hall }) {
  useSeconds(hall.ends !== null);
  const editions = state().shown?.table.editions ?? [];
  const edition = editions.find((one) => one.key === hall.edition)?.name ?? hall.edition;
  const lines = [
    [t("hall.asks.round"), hall.round ? String(hall.round) : ""],
    [t("hall.asks.seats"), hall.seats.join(", ")],
    [t("hall.asks.edition"), edition ?? ""],
    [t("hall.asks.scoring"), hall.scoring ? t(`scoring.${hall.scoring}.title`) : ""],
    [t("hall.asks.clock"), clockText(hall)],
    [t("hall.asks.results"), [...trouble(hall), arrived(hall)].filter(Boolean).join(" · ")],
  ];
  return html`<p><strong>${t("hall.table", { number: hall.table })}</strong> ${hall.title}</p>
    <dl class="hall-asks">${lines.map(([what, said]) => said && html`<dt>${what}</dt><dd>${said}</dd>`)}</dl>`;
}

function Leave() {
  const leave = async () => {
    const answer = await post("/api/hall/leave", {});
    change(answer.error ? { notice: answer } : { dialog: null });
  };
  return html`<${Button} class="wide" disabled=${!acting()} onTap=${leave}>${t("hall.leave")}<//>`;
}

function Join() {
  const [address, setAddress] = useState("");
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState("");
  const join = async () => {
    const answer = await post("/api/hall", { address, code });
    if (answer.error) setWrong(explained(answer));
    else change({ dialog: null });
  };
  return html`<p>${t("hall.help")}</p>
    <input class="field" value=${address} aria-label=${t("hall.address")} placeholder=${t("hall.address")}
      autocomplete="off" onInput=${(/** @type {any} */ event) => setAddress(event.target.value)} />
    <input class="field code" value=${code} maxlength="12" autocapitalize="characters" autocomplete="off"
      aria-label=${t("hall.code")} placeholder="ABCD-EFGH" onInput=${(/** @type {any} */ event) => setCode(event.target.value)} />
    <p class="wrong" role="alert">${wrong}</p>
    <div class="go"><${Button} tone="primary" disabled=${!acting() || !code.trim()} onTap=${join}>
      ${t("hall.join")}
    <//></div>`;
}
