// Simulated buttons along the bottom: press and hold with a finger, or with the keys 1 to 0.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { simulate } from "./connection.js";
import { Heard, Mark, acting } from "./pieces.js";
import { t } from "./texts.js";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

export function SimulatedButtons({ table, hardware }) {
  const buttons = Array.isArray(hardware.buttons) && hardware.buttons.length ? hardware.buttons.map(numberOf) : KEYS.map((_, at) => at + 1);
  const [down, setDown] = useState([]);
  const able = acting();
  const push = (button, pressed) => {
    simulate(button, pressed);
    setDown((now) => (pressed ? [...new Set([...now, button])] : now.filter((one) => one !== button)));
  };
  useEffect(() => {
    if (!able) return undefined;
    const typing = (event) => event.target.closest?.("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey;
    const onDown = (event) => {
      const at = KEYS.indexOf(event.key);
      if (at >= 0 && buttons.includes(at + 1) && !event.repeat && !typing(event)) push(at + 1, true);
    };
    const onUp = (event) => {
      const at = KEYS.indexOf(event.key);
      if (at >= 0 && buttons.includes(at + 1) && !typing(event)) push(at + 1, false);
    };
    addEventListener("keydown", onDown);
    addEventListener("keyup", onUp);
    return () => {
      removeEventListener("keydown", onDown);
      removeEventListener("keyup", onUp);
    };
  }, [able, buttons.length]);
  return html`<footer class="simulated" aria-label=${t("simulated.title")}>
    <span class="hint">${t("simulated.help")}</span>
    <div class="push-row">
      ${buttons.map((button) => html`<${PushButton} key=${button} table=${table} button=${button} down=${down.includes(button)} able=${able}
        seat=${table.seats.find((seat) => seat.button === button)} onPush=${push} />`)}
    </div>
  </footer>`;
}

function PushButton({ table, button, down, able, seat, onPush }) {
  const press = (event) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    onPush(button, true);
  };
  const release = () => down && onPush(button, false);
  return html`<button type="button" class="push ${down ? "down" : ""} ${lamp(table, seat)}" disabled=${!able} data-button=${button}
    onPointerDown=${press} onPointerUp=${release} onPointerCancel=${release} onContextMenu=${(event) => event.preventDefault()}>
    <${Heard}>${seat ? t("simulated.numbered", { number: button }) : t("simulated.button")}<//>
    <span class="cap">${seat ? html`<${Mark} seat=${seat.number} />` : button}</span>
    <span class="push-name">${seat ? seat.name : t("simulated.free")}</span>
  </button>`;
}

// Before its light a slap-off is dark, here as on the table.
function lamp(table, seat) {
  if (!seat) return "";
  const dark = table.race?.state === "slap_off" && !table.race.slap_off.lit;
  const lit = dark ? false : table.race?.state === "slap_off" ? seat.racing : seat.racing || seat.turn || seat.called || seat.last;
  return lit ? "lamp" : "";
}

function numberOf(button) {
  return typeof button === "number" ? button : button.number;
}
