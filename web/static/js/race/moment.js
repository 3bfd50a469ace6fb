// A call, a catch or a player gone out, as large as its consequence; and the winner, with the awards of the match.

import { html, useEffect } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { t } from "../core/texts.js";
import { Calling } from "../parts/calling.js";
import { acting, Button, Mark, nameOf } from "../parts/components.js";
import { Winner } from "../score/winner.js";
import { Headline, whyOf } from "./headline.js";
import { bright } from "./large.js";

const CELEBRATED = 15_000; // milliseconds

/** @param {Page.AtTable & { moment: import("../parts/moments.js").Moment; onEnd: () => void }} props */
export function MomentScreen({ table, moment, onEnd }) {
  const { kind, ruling, name, seat } = moment;
  const evidence = ruling?.evidence?.type === "calling" ? ruling.evidence : null;
  const both = evidence?.call && evidence.catch; // one of them alone makes no line
  const more = ruling && (ruling.outcome !== "out" || ruling.draws.length > 0);
  const debts = ruling ? table.debts.filter((debt) => ruling.draws.some((one) => one.seat === debt.seat)) : [];
  const otherwise = t(`moment.${kind}`, { name: bright(name) });
  return html`<section class="drama night moment-screen ${kind}" aria-label=${t(`moment.${kind}`, { name })}
    onClick=${onEnd}>
    <div class="moment-inside">
      <${Mark} seat=${seat} />
      <${Headline} table=${table} ruling=${ruling} otherwise=${otherwise} />
      <div class="chequers" aria-hidden="true"></div>
      ${more && html`<p class="race-sub">${whyOf(ruling)}</p>`}
      ${both && html`<${Calling} call=${evidence.call} caught=${evidence.catch} />`}
      ${debts.map(
        (debt) => html`<${Button} key=${debt.number} tone="primary" class="huge" disabled=${!acting()}
          onTap=${() => act("drawn", { debt: debt.number })}>
          ${t("debts.has_drawn", { name: nameOf(table, debt.seat) })}${"\u00a0✓"}<//>`,
      )}
    </div>
  </section>`;
}

// The match is won: a tap, or a while, and the final score is back.
/** @param {Page.AtTable<Page.InMatch> & { onEnd: () => void }} props */
export function WinnerScreen({ table, onEnd }) {
  useEffect(() => {
    const timer = setTimeout(onEnd, CELEBRATED);
    return () => clearTimeout(timer);
  }, []);
  return html`<section class="drama night moment-screen won" onClick=${onEnd}>
    <${Winner} table=${table} />
  </section>`;
}
