// The table's place in a hall: what the hall asks next, whether it has the results, and how to join one.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { tableNow } from "../core/connection.js";
import { change, open, useStore } from "../core/store.js";
import { explained, t } from "../core/texts.js";
import { acting, Button, Dialog } from "./components.js";

/** @param {{ hall: Page.HallPlace }} props */
export function HallLine({ hall }) {
  const [, tick] = useState(0);
  const running = hall.ends !== null;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [running]);
  const parts = [
    t("hall.table", { number: hall.table }),
    hall.title,
    hall.round ? t("hall.round", { number: hall.round }) : "",
    hall.done ? "" : hall.seats.join(", "),
    hall.ends === null ? "" : timeLeft((hall.ends - tableNow()) / 1e6),
    hall.connected ? "" : t("hall.away"),
    hall.foreign ? t("hall.foreign") : "",
    hall.behind ? t("hall.behind") : "",
    hall.unsent ? t("hall.unsent", { count: hall.unsent }) : "",
    hall.done && !hall.unsent ? t("hall.arrived") : "",
  ];
  return html`<p class="banner hall-line"><button type="button" class="link" onClick=${() => open("hall")}>
    ${parts.filter(Boolean).join(" · ")}
  </button></p>`;
}

/** @param {number} left */
function timeLeft(left) {
  if (left <= 0) return t("hall.time_up");
  const seconds = Math.round(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function HallDialog() {
  const { shown } = useStore();
  const hall = shown?.service.hall;
  return html`<${Dialog} title=${t("hall.title")}>
    ${hall ? html`<p>${t("hall.table", { number: hall.table })} ${hall.title}</p><${Leave} />` : html`<${Join} />`}
  <//>`;
}

function Leave() {
  const leave = async () => {
    const answer = await send("/api/hall/leave", {});
    change(answer.error ? { notice: answer } : { dialog: null });
  };
  return html`<${Button} class="wide" disabled=${!acting()} onTap=${leave}>${t("hall.leave")}<//>`;
}

function Join() {
  const [address, setAddress] = useState("");
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState("");
  const join = async () => {
    const answer = await send("/api/hall", { address, code });
    if (answer.error) setWrong(explained(answer));
    else change({ dialog: null });
  };
  return html`<p>${t("hall.help")}</p>
    <input class="field" value=${address} aria-label=${t("hall.address")} placeholder=${t("hall.address")}
      autocomplete="off" onInput=${(/** @type {any} */ event) => setAddress(event.target.value)} />
    <input class="field code" value=${code} maxlength="12" autocapitalize="characters" autocomplete="off"
      aria-label=${t("hall.code")} onInput=${(/** @type {any} */ event) => setCode(event.target.value)} />
    <p class="wrong" role="alert">${wrong}</p>
    <div class="go"><${Button} tone="primary" disabled=${!acting() || !code.trim()} onTap=${join}>
      ${t("hall.join")}
    <//></div>`;
}

/**
 * @param {string} address
 * @param {object} value
 */
async function send(address, value) {
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(value) });
    return await answer.json();
  } catch {
    return { error: "no_answer", message: t("link.no_answer") };
  }
}
