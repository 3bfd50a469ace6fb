// Press the one that is lit: finds swapped lamps, and tells a far button from a slow hand.

import { html } from "../../vendor/htm-preact.js";
import { tryLights } from "../core/connection.js";
import { change } from "../core/store.js";
import { t } from "../core/texts.js";
import { acting, Button } from "../parts/components.js";
import { calledBy } from "./button.js";

const MS = 1e6;

async function begin() {
  const answer = await tryLights();
  change({ notice: answer.error ? answer : null });
}

/** @param {{ check: Page.Check }} props */
export function LightTrial({ check }) {
  if (!check.lamps) return html`<p class="hint bench-dark">${t("hardware.lights.off")}</p>`;
  const { lights } = check;
  const state = lights?.state;
  const move = state === "move";
  return html`<section class="bench-panel lights ${state ?? ""}" aria-labelledby="lights-title">
    <h2 id="lights-title">${t("hardware.lights.title")}</h2>
    <div role="status">
      ${lights?.state === "lit" && html`<p><strong>${t("hardware.lights.press", { count: lights.left })}</strong></p>`}
      ${move && html`<p><strong>${t("hardware.lights.move")}</strong></p>`}
      ${lights && html`<${Found} check=${check} lights=${lights} />`}
    </div>
    ${state !== "lit" && html`<p class="hint">${t("hardware.lights.help")}</p>`}
    <div class="row">
      <${Button} tone=${move ? "primary" : "plain"} disabled=${!acting() || state === "lit"} onTap=${begin}>
        ${t(move ? "hardware.lights.moved" : "hardware.lights.begin")}
      <//>
    </div>
  </section>`;
}

/** @param {{ check: Page.Check; lights: Hardware.Lights }} props */
function Found({ check, lights }) {
  const named = (/** @type {number} */ number) =>
    calledBy(/** @type {Hardware.ButtonStatus} */ (check.buttons.find((one) => one.number === number)));
  const whole = (/** @type {number} */ nanoseconds) => Math.round(nanoseconds / MS);
  const signed = new Intl.NumberFormat(document.documentElement.lang, { signDisplay: "exceptZero" });
  return html`
    ${lights.swapped.map(
      ([lamp, seen]) => html`<p class="wrong" key=${lamp} data-swapped=${lamp}>
        ${t("hardware.lights.swapped", { name: named(lamp), other: named(seen) })}</p>`,
    )}
    ${lights.unseen.map(
      (lamp) => html`<p class="wrong" key=${lamp}>${t("hardware.lights.unseen", { name: named(lamp) })}</p>`,
    )}
    <ul class="light-seats">
      ${lights.seats
        .filter((seat) => seat.reaction !== null)
        .map(
          (seat) =>
            html`<li key=${seat.button}>${
              seat.adds === null
                ? t("hardware.lights.seat", { name: named(seat.button), ms: whole(seat.reaction ?? 0) })
                : t("hardware.lights.adds", {
                    name: named(seat.button),
                    ms: whole(seat.reaction ?? 0),
                    margin: signed.format(whole(seat.adds)),
                  })
            }</li>`,
        )}
    </ul>
    ${
      lights.noise !== null &&
      html`<p>${t("hardware.lights.noise", { ms: whole(lights.noise) })}</p>
      <p>${t("hardware.lights.geometry")}</p>`
    }`;
}
