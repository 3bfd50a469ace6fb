// What has to be settled beside the cards: a challenge, and a call or a catch.

import { html } from "../../../vendor/htm-preact.js";
import { act } from "../../core/connection.js";
import { t } from "../../core/texts.js";
import { Calling, isCallMissing } from "../../parts/calling.js";
import { acting, Button, Mark, nameOf } from "../../parts/components.js";

/** @param {Page.AtTable} props */
export function Challenge({ table }) {
  const challenge = table.round?.challenge;
  if (!challenge) return null;
  const names = {
    victim: nameOf(table, challenge.victim),
    accused: nameOf(table, challenge.accused),
    cards: challenge.cards,
  };
  return html`<section class="strip challenge" aria-label=${t("challenge.title")}>
    <p><strong>${t("challenge.ask", names)}</strong> <span>${t("challenge.help", names)}</span></p>
    <div class="row">
      <${Button} disabled=${!acting() || challenge.last_card} onTap=${() => act("challenge", { guilty: true })}>
        ${t("challenge.guilty", names)}
      <//>
      <${Button} disabled=${!acting()} onTap=${() => act("challenge", { guilty: false })}>
        ${t("challenge.innocent", names)}
      <//>
    </div>
  </section>`;
}

/** @param {Page.AtTable<Page.InRound>} props */
export function Uno({ table }) {
  const uno = table.uno;
  if (!uno) return null;
  const name = nameOf(table, uno.seat);
  const by = uno.catch?.seat ? nameOf(table, uno.catch.seat) : t("uno.somebody");
  const ahead = uno.call && uno.catch ? uno.catch.at - uno.call.at : 0;
  const refereed = table.round.way === "refereed";
  return html`<section class="strip uno-strip" aria-label=${t("uno.title")}>
    <p><${Mark} seat=${uno.seat} /> <strong>${t(refereed ? "uno.on_one" : "uno.checked", { name })}</strong>
      <span>${uno.call && t("uno.called")}${isCallMissing(table) && t("uno.no_call")}
        ${uno.catch ? ` · ${t("uno.caught_by", { by })}` : ""}
        ${ahead > 0 && ` · ${t("uno.earlier", { seconds: (ahead / 1e9).toFixed(2) })}`}</span>
      ${refereed && !uno.call && !uno.catch && html` <small>${t("uno.press_twice")}</small>`}</p>
    ${uno.call && html`<${Calling} call=${uno.call} caught=${uno.catch} />`}
    ${
      refereed &&
      html`<div class="row">
        <${Button} disabled=${!acting() || Boolean(uno.call)} onTap=${() => act("call", { seat: uno.seat })}>
          ${t("uno.call")}
        <//>
        <${Button} disabled=${!acting() || Boolean(uno.catch)} onTap=${() => act("catch", { seat: uno.seat })}>
          ${t("uno.catch")}
        <//>
      </div>`
    }
  </section>`;
}
