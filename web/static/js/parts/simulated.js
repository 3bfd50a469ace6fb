// Simulated buttons along the bottom: pressed with a finger, or with the keys 1 to 0.

import { html, useLayoutEffect, useRef, useState } from "../../vendor/htm-preact.js";
import { simulate } from "../core/connection.js";
import { t } from "../core/texts.js";
import { acting, Heard, Mark } from "./components.js";
import { Fit } from "./fit.js";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

/** @param {Page.AtTable} props */
export function SimulatedButtons({ table, hardware }) {
  const buttons =
    Array.isArray(hardware.buttons) && hardware.buttons.length
      ? hardware.buttons.map(numberOf)
      : KEYS.map((_, at) => at + 1);
  const [down, setDown] = useState([]);
  const held = useRef(new Set()); // by the keys
  const able = acting();
  const push = (/** @type {number} */ button, /** @type {boolean} */ pressed) => {
    simulate(button, pressed);
    setDown((/** @type {number[]} */ now) =>
      pressed ? [...new Set([...now, button])] : now.filter((/** @type {number} */ one) => one !== button),
    );
  };
  // A button that is down may be let go, also when the page has become stale meanwhile.
  useLayoutEffect(() => {
    const typing = (/** @type {any} */ event) =>
      event.target.closest?.("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey;
    const onDown = (/** @type {any} */ event) => {
      const button = KEYS.indexOf(event.key) + 1;
      if (!able || !buttons.includes(button) || event.repeat || typing(event)) return;
      held.current.add(button);
      push(button, true);
    };
    const onUp = (/** @type {any} */ event) => {
      const button = KEYS.indexOf(event.key) + 1;
      if (held.current.delete(button)) push(button, false);
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
      ${buttons.map(
        (
          /** @type {number} */ button,
        ) => html`<${PushButton} key=${button} table=${table} button=${button} down=${down.includes(button)}
          able=${able}
          seat=${table.seats.find((seat) => seat.button === button)} onPush=${push} />`,
      )}
    </div>
  </footer>`;
}

/** @param {Page.AtTable & { seat: Table.SeatShown | undefined }} props */
function PushButton({ table, button, down, able, seat, onPush }) {
  const press = (/** @type {any} */ event) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    onPush(button, true);
  };
  const release = () => down && onPush(button, false);
  return html`<button type="button" class="push ${down ? "down" : ""} ${lamp(table, seat)}" disabled=${!able && !down}
    data-button=${button}
    onPointerDown=${press} onPointerUp=${release} onPointerCancel=${release}
    onContextMenu=${(event) => event.preventDefault()}>
    <${Heard}>${seat ? t("simulated.numbered", { number: button }) : t("simulated.button")}<//>
    <span class="cap">${seat ? html`<${Mark} seat=${seat.number} />` : button}</span>
    <${Fit} text=${seat ? seat.name : t("simulated.free")} />
  </button>`;
}

// Before its light a slap-off is dark, here as on the table.
/**
 * @param {Table.View} table
 * @param {Table.SeatShown | undefined} seat
 */
function lamp(table, seat) {
  if (!seat) return "";
  const dark = table.race?.state === "slap_off" && !table.race.slap_off?.lit;
  if (table.race?.state === "slap_off") return !dark && seat.racing ? "lamp" : "";
  if (seat.asked || seat.press_again) return "lamp asks";
  return seat.racing || seat.turn || seat.called || seat.last ? "lamp" : "";
}

/** @param {number | Page.Button} button */
function numberOf(button) {
  return typeof button === "number" ? button : button.number;
}
