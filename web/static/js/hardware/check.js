// What the check finds: the walk around the table, how buttons are read, whether they are alike.

import { html } from "../../vendor/htm-preact.js";
import { checkButtons } from "../core/connection.js";
import { change } from "../core/store.js";
import { listed, t } from "../core/texts.js";
import { acting, Button } from "../parts/components.js";
import { calledBy, light, ms } from "./button.js";

/** @param {{ check: Page.Check }} props */
export function Walk({ check }) {
  const { heard, silent, broken } = check.walk;
  const named = (/** @type {number[]} */ numbers) =>
    listed(check.buttons.filter((one) => numbers.includes(one.number)).map(calledBy));
  const walk = async (/** @type {boolean} */ on) => {
    const answer = await checkButtons(on);
    change({ notice: answer.error ? answer : null });
  };
  return html`<section class="bench-panel walk ${check.passed ? "passed" : ""} ${check.checking ? "checking" : ""}"
    aria-labelledby="walk-title">
    <h2 id="walk-title">${t("hardware.walk.title")}</h2>
    <p class="walk-state" role="status">
      <strong>
        ${
          check.passed
            ? `✓ ${t("hardware.walk.passed")}`
            : t("hardware.walk.heard", { heard: heard.length, count: check.buttons.length })
        }
      </strong>
      ${silent.length > 0 && html`<span>${t("hardware.walk.silent", { names: named(silent) })}</span>`}
      ${broken.length > 0 && html`<span class="wrong">${t("hardware.walk.broken", { names: named(broken) })}</span>`}
    </p>
    <p class="hint">${t(check.checking ? "hardware.walk.paused" : "hardware.walk.counts")}</p>
    <div class="row">
      <${Button} tone=${check.checking ? "plain" : "primary"} disabled=${!acting()} onTap=${() => walk(true)}>
        ${t("hardware.walk.begin")}
      <//>
      <${Button} tone=${check.passed && check.checking ? "primary" : "plain"} disabled=${!acting() || !check.checking}
        onTap=${() => walk(false)}>${t("hardware.walk.end")}<//>
      ${check.lamps && html`<${Button} disabled=${!acting()} onTap=${() => light()}>${t("hardware.test_lamps")}<//>`}
    </div>
  </section>`;
}

// The ways to read buttons are names of programs, but for one.
/** @param {string} name */
function calledFactory(name) {
  return name === "simulated" ? t("hardware.simulated_name") : name;
}

/** @param {{ check: Page.Check }} props */
export function How({ check }) {
  const doubts = check.buttons.filter((button) => button.presses > 0).map((button) => button.uncertainty);
  return html`<section class="bench-panel how" aria-labelledby="how-title">
    <h2 id="how-title">${t("hardware.how")} <span class="rule">${calledFactory(check.factory)}</span></h2>
    <p>${t(`hardware.factory.${check.factory}`)}</p>
    <p>${t(`hardware.why.${check.why}`, { asked: calledFactory(check.asked) })}</p>
    ${(check.why === "second" ? check.tried : []).map(
      (text) => html`<p key=${text}><small lang="en">${text}</small></p>`,
    )}
    ${check.without.map(
      (one) => html`<p key=${one.what + one.name} data-without=${one.what}>
        ${t(`hardware.without.${one.what}`, { name: calledBy(one) })} <small lang="en">(${one.why})</small></p>`,
    )}
    <p class="worst-doubt">
      ${doubts.length ? t("hardware.worst", { doubt: ms(Math.max(...doubts)) }) : t("hardware.worst_unknown")}
    </p>
    ${check.shared.map(
      (pin) => html`<p key=${pin.pin}>
        <small>${t(`hardware.shared.${pin.job.replaceAll(/\W+/g, "_")}`, { pin: pin.pin })}</small>
      </p>`,
    )}
  </section>`;
}

/** @param {{ check: Page.Check }} props */
export function Fairness({ check }) {
  const { verdict, odd, wanting, enough, compared } = check.fairness;
  const buttonOf = (/** @type {number} */ number) =>
    /** @type {Hardware.ButtonStatus} */ (check.buttons.find((one) => one.number === number));
  const left = wanting
    .map(buttonOf)
    .map((one) => t("hardware.fair.count", { name: calledBy(one), count: one.presses, enough }));
  return html`<section class="bench-panel fair ${verdict}" aria-labelledby="fair-title">
    <h2 id="fair-title">${t("hardware.fair.title")}</h2>
    <div role="status">
      ${
        verdict === "unknown" &&
        html`<p>
          ${t("hardware.fair.unknown", { buttons: Math.min(compared, check.buttons.length), enough })}
        </p>`
      }
      ${verdict === "alike" && html`<p class="verdict-alike">✓ ${t("hardware.fair.alike")}</p>`}
      ${odd.map(
        (one) => html`<p class="verdict-odd" key=${`${one.button}-${one.trait}`} data-odd=${one.button}>
          ${t(`hardware.fair.${one.trait}`, {
            name: calledBy(buttonOf(one.button)),
            ms: ms(one.value),
            margin: ms(one.others),
          })}</p>`,
      )}
    </div>
    ${left.length > 0 && html`<p class="hint">${t("hardware.fair.wanting", { names: listed(left) })}</p>`}
  </section>`;
}

export function Report() {
  return html`<section class="bench-panel keep" aria-labelledby="keep-title">
    <h2 id="keep-title">${t("hardware.report.title")}</h2>
    <p class="hint">${t("hardware.report.help")}</p>
    <div class="row">
      <a class="button" href="/api/hardware/report.txt" download>${t("hardware.report.text")}</a>
      <a class="button" href="/api/hardware/report.json" download>${t("hardware.report.json")}</a>
      <button type="button" class="button" onClick=${() => print()}>${t("hardware.report.print")}</button>
    </div>
  </section>`;
}
