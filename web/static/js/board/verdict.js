// A verdict in letters for the whole room: whom it hits and what it costs, then why.

import { html } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { Mark, nameOf } from "../parts/components.js";
import { Headline, whyOf } from "../race/headline.js";
import { bright } from "../race/large.js";

const CALLING = ["caught", "called", "too_late", "not_on_one", "guilty", "innocent"];

// Rulings that everybody wants to see; those of a race have a scene of their own.
/** @param {Table.Ruling} ruling */
export function isMoment({ outcome, overruled }) {
  return CALLING.includes(outcome) && !overruled;
}

/** @param {Page.AtTable & { ruling: Table.Ruling }} props */
export function Verdict({ table, ruling }) {
  const safe = t("moment.safe", { name: bright(nameOf(table, ruling.seats[0] ?? null)) });
  return html`<main class="verdict-show ${ruling.draws.length ? "cost" : "safe"}">
    <${Headline} as="h1" class="verdict-line" table=${table} ruling=${ruling} otherwise=${safe} />
    <p class="verdict-why">${whyOf(ruling)}</p>
    <div class="show-chequers" aria-hidden="true"></div>
  </main>`;
}

/** @param {Page.AtTable & { moment: import("../parts/moments.js").Moment }} props */
export function Moment({ table, moment }) {
  const { kind, name, ruling, seat } = moment;
  return html`<main class="verdict-show moment-show ${kind}">
    <${Mark} seat=${seat} />
    <${Headline} as="h1" class="verdict-line" table=${table} ruling=${ruling}
      otherwise=${t(`moment.${kind}`, { name: bright(name) })} />
    <p class="verdict-why">${ruling?.draws.length ? whyOf(ruling) : ""}</p>
    <div class="show-chequers" aria-hidden="true"></div>
  </main>`;
}
