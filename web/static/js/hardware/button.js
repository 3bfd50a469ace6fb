// One button on the bench: it lights up while it is pressed, and tells what its contact has shown.

import { html, useEffect, useRef, useState } from "../../vendor/htm-preact.js";
import { MS } from "../core/axis.js";
import { testLamps } from "../core/connection.js";
import { change } from "../core/store.js";
import { t } from "../core/texts.js";
import { acting, Button, Heard, Mark } from "../parts/components.js";

const FLASH = 350; // even the shortest push is seen for so many milliseconds
const GIVEN = /^(seat|spare) \d+$/; // names that no person chose
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const AGES = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** @param {number} nanoseconds */
export function ms(nanoseconds) {
  return (nanoseconds / MS).toFixed(2);
}

/** @param {{ name: string; number: number | null }} button */
export function calledBy(button) {
  return GIVEN.test(button.name) ? t("felt.button", { number: button.number }) : button.name;
}

// Lamps are tested by the referee alone; a refusal is shown.
/** @param {number | null} button */
export async function light(button = null) {
  const answer = await testLamps(button);
  change({ notice: answer.error ? answer : null });
}

/** @param {number} presses */
function useFlash(presses) {
  const [flash, setFlash] = useState(false);
  const before = useRef(presses);
  useEffect(() => {
    if (presses === before.current) return undefined;
    before.current = presses;
    setFlash(true);
    const timer = setTimeout(() => setFlash(false), FLASH);
    return () => clearTimeout(timer);
  }, [presses]);
  return flash;
}

/** @param {{ button: Page.CheckedButton; heard: boolean; seat?: Table.SeatShown }} props */
export function ButtonCard({ button, heard, seat }) {
  const flash = useFlash(button.presses);
  const lit = button.down || flash;
  const pushed = button.presses > 0;
  const states = { lit, heard, broken: button.fault !== null, glowing: button.lamp_tested };
  const classes = Object.entries(states)
    .filter(([, on]) => on)
    .map(([name]) => name)
    .join(" ");
  return html`<li class="bench-button ${classes}" data-contact=${button.number}>
    <header>
      <span class="bench-cap" aria-hidden="true">${button.number}</span>
      <span class="bench-name"><h2>${calledBy(button)}</h2>
        <small class="bench-owner">
          ${
            seat
              ? html`<${Mark} seat=${seat.number} />
                <span class="name">${seat.name}</span>`
              : t(button.spare ? "hardware.spare" : "hardware.nobody")
          }
        </small></span>
    </header>
    <${Troubles} button=${button} heard=${heard} />
    <dl>
      <${Fact} name="presses" class="count">${button.presses}<//>
      <${Fact} name="last">${pushed ? html`<${Ago} button=${button} />` : "–"}<//>
      <${Fact} name="bounce">
        ${pushed ? t("hardware.bounced", { count: button.bounces, ms: ms(button.bounce) }) : "–"}
      <//>
      <${Fact} name="usual">${pushed ? t("race.ms", { ms: ms(button.typical_bounce) }) : "–"}<//>
      <${Fact} name="dwell">${button.typical_dwell ? t("race.ms", { ms: ms(button.typical_dwell) }) : "–"}<//>
      <${Fact} name="doubt" class="doubt-fact">
        ${pushed ? `± ${t("race.ms", { ms: ms(button.uncertainty) })}` : "–"}
      <//>
      <${Fact} name="place">${place(button)}<//>
      <${Fact} name="lamp">${lamp(button)}<//>
    </dl>
    ${
      button.lamp !== null &&
      html`<${Button} class="lamp-test" disabled=${!acting()} onTap=${() => light(button.number)}>
        ${t("hardware.test_lamp")}<${Heard}> ${calledBy(button)}<//><//>`
    }
  </li>`;
}

/** @param {{ name: string; children?: object; class?: string }} props */
function Fact({ name, children, class: more = "" }) {
  return html`<div class=${more}><dt>${t(`hardware.fact.${name}`)}</dt><dd>${children}</dd></div>`;
}

/** @param {{ button: Hardware.ButtonStatus; heard: boolean }} props */
function Troubles({ button, heard }) {
  const chips = [];
  if (button.fault) chips.push(["fault", t(`fault.${button.fault}`)]);
  if (button.flickers) chips.push(["fault", t("hardware.flickers", { count: button.flickers })]);
  if (button.gaps) chips.push(["fault", t("hardware.gaps", { count: button.gaps })]);
  if (button.lamp_lost) chips.push(["fault", t("hardware.lamp_lost")]);
  if (heard && !button.fault) chips.unshift(["well", `✓ ${t("hardware.heard")}`]);
  return html`<p class="bench-chips"><span class="chip level">${t(button.down ? "hardware.down" : "hardware.up")}</span>
    ${chips.map(([kind, text]) => html`<span class="chip ${kind}" key=${text}>${text}</span>`)}</p>`;
}

/** @param {Hardware.ButtonStatus} button */
function place(button) {
  if (button.pin === null) return t("hardware.key", { key: button.key, encoder: button.usb });
  return t("hardware.pin", { gpio: button.pin, pin: button.header });
}

/** @param {Hardware.ButtonStatus} button */
function lamp(button) {
  if (button.lamp === null) return "–";
  const says = button.lamp_tested ? "tested" : button.lamp.replaceAll(/\W+/g, "_");
  const pin = { gpio: button.lamp_pin, pin: button.lamp_header };
  const where = button.lamp_pin === null ? "" : ` (${t("hardware.pin", pin)})`;
  return t(`hardware.lamp.${says}`) + where;
}

// The table dates by its own clock; how long ago that is goes on by this page's.
/** @param {{ button: Page.CheckedButton }} props */
function Ago({ button }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor(((button.ago ?? 0) + performance.now() - button.seen) / 1000));
  const [unit, size] = AGES.find(([, long]) => seconds >= long) ?? AGES[3];
  const format = new Intl.RelativeTimeFormat(document.documentElement.lang, { style: "short" });
  return format.format(-Math.floor(seconds / size), unit);
}
