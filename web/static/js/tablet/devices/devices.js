// Who is paired: every referee sees the devices, and can end one or all.

import { html, useEffect, useState } from "../../../vendor/htm-preact.js";
import { endDevice, pairedDevices, signOutOthers } from "../../core/connection.js";
import { t } from "../../core/texts.js";
import { Button, Dialog, nameOf } from "../../parts/components.js";
import { calledBy, clockTime } from "./new_referee.js";

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
      <small class="hint">${t("devices.times", { since: clockTime(device.since), seen: clockTime(device.seen) })}
        </small>
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
