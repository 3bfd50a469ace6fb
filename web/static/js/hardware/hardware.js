// The check with a screwdriver in the other hand: every button live, the walk, the lamps, the report.

import { html, render } from "../../vendor/htm-preact.js";
import { MS } from "../core/axis.js";
import { start, watchHardware } from "../core/connection.js";
import { change, useStore } from "../core/store.js";
import { explained, t } from "../core/texts.js";
import { LanguageChoice, startLanguage } from "../device/language.js";
import { startTheme } from "../device/theme.js";
import { SimulatedButtons } from "../parts/simulated.js";
import { ButtonCard } from "./button.js";
import { Fairness, How, Report, Walk } from "./check.js";
import { Home } from "./home.js";
import { LightTrial } from "./lights.js";

function Page() {
  const { shown, link, role, notice, check } = useStore();
  if (!shown || !check) return html`<p class="loading">${t("link.connecting")}</p>`;
  const { table, hardware, service } = shown;
  return html`<div class="bench-page ${link}" data-link=${link} data-role=${role}>
    <header class="banners">
      ${link !== "live" && html`<p class="banner stale" role="alert">${t("link.stale")}</p>`}
      ${!check.listening && html`<p class="banner trouble" role="alert">${t("hardware.deaf")}</p>`}
      ${check.simulated && html`<p class="banner notice simulated-note">${t("hardware.simulated")}</p>`}
      ${role !== "referee" && link === "live" && html`<p class="banner watching">${t("hardware.watching")}</p>`}
      ${
        notice &&
        html`<div class="banner notice" role="alert"><span>${explained(notice)}</span>
          <button type="button" class="button quiet round" aria-label=${t("common.close")}
            onClick=${() => change({ notice: null })}>✕</button></div>`
      }
    </header>
    <div class="reading bench">
      <main class="reading-main">
        <h1>${t("hardware.title")}</h1>
        <div class="bench-top"><${Walk} check=${check} /><${How} check=${check} /></div>
        <ol class="bench-buttons" aria-label=${t("hardware.buttons")}>
          ${check.buttons.map(
            (button) => html`<${ButtonCard} key=${button.number} button=${button}
              heard=${check.walk.heard.includes(button.number)}
              seat=${table.seats.find((seat) => seat.button === button.number)} />`,
          )}
        </ol>
        <${LightTrial} check=${check} />
        <div class="bench-top"><${Fairness} check=${check} /><${Report} /></div>
        <${Home} home=${service.home} />
      </main>
      <nav class="reading-foot" aria-label=${t("pages.title")}>
        <a class="button" href="/">${t("pages.table")}</a><${LanguageChoice} />
      </nav>
    </div>
    ${check.simulated && html`<${SimulatedButtons} table=${table} hardware=${hardware} />`}
  </div>`;
}

// How long ago each press was when this page heard of it, in milliseconds.
/**
 * @param {Hardware.Check} check
 * @returns {Page.Check}
 */
function aged(check) {
  const seen = performance.now();
  const ago = (/** @type {Hardware.ButtonStatus} */ button) =>
    button.last_press === null ? null : (check.at - button.last_press) / MS;
  return { ...check, buttons: check.buttons.map((button) => ({ ...button, seen, ago: ago(button) })) };
}

startTheme();
await startLanguage();
render(html`<${Page} />`, document.getElementById("page"));
watchHardware((check) => change({ check: aged(check) }));
start();
