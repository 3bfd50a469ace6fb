// Who is paired: every referee sees the devices, is told of a new referee, and can end one or all.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { endDevice, pairedDevices, signOutOthers } from "../core/connection.js";
import { keep, kept } from "../core/device.js";
import { dated } from "../core/evening.js";
import { open, useStore } from "../core/store.js";
import { t } from "../core/texts.js";
import { Button, Dialog, nameOf } from "../parts/components.js";

const SEEN = "newest-referee"; // up to which device this one was told of new referees

/** @param {string} moment */
function clockTime(moment) {
  return dated(moment, { weekday: "short", hour: "2-digit", minute: "2-digit" });
}

/** @param {Page.Device} device */
function calledBy({ name, address }) {
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

/** @param {Page.AtTable} props */
export function Devices({ table }) {
  const [devices, setDevices] = useState(/** @type {Page.Device[] | null} */ (null));
  const take = (/** @type {any} */ answer) => answer.devices && setDevices(answer.devices);
  useEffect(() => {
    pairedDevices().then(take);
  }, []);
  const end = (/** @type {number} */ number) => endDevice(number).then(take);
  return html`<${Dialog} title=${t("devices.title")}>
    <p>${t("devices.help")}</p>
    <ul class="devices">
      ${(devices ?? []).map(
        (device) => html`<${OneDevice} key=${device.number} table=${table} device=${device}
          onEnd=${() => end(device.number)} />`,
      )}
    </ul>
    <${SignOutOthers} onDone=${() => pairedDevices().then(take)} />
  <//>`;
}

/** @param {Page.AtTable & { device: Page.Device }} props */
function OneDevice({ table, device, onEnd }) {
  const [sure, setSure] = useState(false);
  const whose = device.referee ? t("devices.referee") : nameOf(table, device.seat ?? 0);
  return html`<li class="device" data-device=${device.number}>
    <span><strong>${whose}</strong> <span>${calledBy(device)}</span>
      <small class="hint">${t("devices.times", { since: clockTime(device.since), seen: clockTime(device.seen) })}</small>
    </span>
    ${
      device.own
        ? html`<span class="hint">${t("devices.own")}</span>`
        : html`<${Button} tone=${sure ? "danger" : "quiet"} onTap=${() => (sure ? onEnd() : setSure(true))}>
          ${t(sure ? "devices.end_sure" : "devices.end")}
        <//>`
    }
  </li>`;
}

// It ends what others are doing with their phones, so one tap is not enough.
/** @param {{ onDone: () => void }} props */
function SignOutOthers({ onDone }) {
  const [asked, setAsked] = useState("others");
  const tap = async () => {
    if (asked === "others") return setAsked("others_sure");
    const answer = await signOutOthers();
    setAsked(answer.error ? "others" : "others_out");
    onDone();
  };
  return html`<${Button} class="wide" tone="quiet" disabled=${asked === "others_out"} onTap=${tap}>
    ${t(`pair.${asked}`)}
  <//>`;
}
