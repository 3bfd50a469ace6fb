// The best of the evening: a race or a hand as its photo finish, a comeback as what it was.

import { html } from "../../vendor/htm-preact.js";
import { listed, t } from "../core/texts.js";
import { PhotoLanes } from "../race/lanes.js";
import { bright, Large } from "../race/large.js";
import { ms } from "../race/margin.js";

/** @type {Record<string, string>} */
const SIZES = { race: "race.ms", hand: "desk.best.ahead", comeback: "desk.best.points" };

/** @param {{ best: Hall.BestShown }} props */
export function BestScene({ best }) {
  const names = listed(best.people);
  const size = t(SIZES[best.kind], { ms: ms(best.size), points: best.size });
  return html`<section class="verdict-show hall-best ${best.hands.length ? "with-lanes" : ""}" data-kind=${best.kind}>
    <p class="show-by">${t(`desk.best.${best.kind}`)}</p>
    <${Large} class="verdict-line" text=${bright(names)} />
    <p class="verdict-why"><strong>${size}</strong> · ${where(best)}</p>
    <div class="show-chequers" aria-hidden="true"></div>
    ${best.hands.length > 0 && html`<${PhotoLanes} table=${raceOf(best)} />`}
  </section>`;
}

/** @param {Hall.BestShown} best */
function where({ table, round }) {
  const at = t("desk.table", { number: table });
  return round ? `${at} · ${t("desk.round.number", { number: round })}` : at;
}

// The race as a table tells it, so that its photo finish is the table's own.
/** @param {Hall.BestShown} best */
function raceOf({ hands, light }) {
  const places = hands.map((hand, at) => ({
    seat: at + 1,
    press: hand.after === null ? null : { seat: at + 1, at: 0, uncertainty: 0 },
    after: hand.after,
    handicap: hand.handicap,
    early: false,
    hammered: false,
  }));
  const finish = { start: 0, places, last: [hands.length], margin: null, doubt: null, gaps: [], unusable: [] };
  const race = { state: "ruled", racers: places.map((one) => one.seat), slaps: [], tied: [], unusable: [], finish };
  return {
    seats: hands.map((hand, at) => ({ number: at + 1, name: hand.name })),
    race: { ...race, slap_off: light ? { light_at: 0 } : null },
  };
}
