// Another device became referee.

import { html, useState } from "../../../vendor/htm-preact.js";
import { keep, kept } from "../../core/device.js";
import { dated } from "../../core/evening.js";
import { open, useStore } from "../../core/store.js";
import { t } from "../../core/texts.js";

const SEEN = "newest-referee"; // up to which device this one was told of new referees

/** @param {string} moment */
export function clockTime(moment) {
  return dated(moment, { weekday: "short", hour: "2-digit", minute: "2-digit" });
}

/** @param {Page.Device} device */
export function calledBy({ name, address }) {
  return [name, address].filter(Boolean).join(", ");
}

// Another device became referee: every referee is told at once.
export function NewReferee() {
  const { newcomer } = useStore();
  const [known, setKnown] = useState(Number(kept(SEEN)) || 0);
  if (!newcomer || newcomer.number <= known) return null;
  const understood = () => {
    keep(SEEN, String(newcomer.number));
    setKnown(newcomer.number);
  };
  return html`<div class="banner notice" role="alert">
    <span>${t("devices.newcomer", { device: calledBy(newcomer), time: clockTime(newcomer.since) })}${" "}
      <button type="button" class="link" onClick=${() => open("devices")}>${t("devices.title")}</button></span>
    <button type="button" class="button quiet round" aria-label=${t("common.close")} onClick=${understood}>✕</button>
  </div>`;
}
