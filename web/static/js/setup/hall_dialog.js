// All that the hall asks of the table, and how to join one or leave it.

import { html, useState } from "../../vendor/htm-preact.js";
import { post } from "../core/connection.js";
import { change, state, useStore } from "../core/store.js";
import { explained, t } from "../core/texts.js";
import { acting, Button, Dialog } from "../parts/components.js";
import { arrived, clockText, trouble, useSeconds } from "./hall_place.js";

export function HallDialog() {
  const { shown } = useStore();
  const hall = shown?.service.hall;
  return html`<${Dialog} title=${t("hall.title")}>${
    hall
      ? html`<${Asked} hall=${hall} />
    <${Leave} />`
      : html`<${Join} />`
  }<//>`;
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
      aria-label=${t("hall.code")} placeholder="ABCD-EFGH"
        onInput=${(/** @type {any} */ event) => setCode(event.target.value)} />
    <p class="wrong" role="alert">${wrong}</p>
    <div class="go"><${Button} tone="primary" disabled=${!acting() || !code.trim()} onTap=${join}>
      ${t("hall.join")}
    <//></div>`;
}
