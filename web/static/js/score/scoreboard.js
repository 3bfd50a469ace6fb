// The scoreboard: a row for each seat, with its name, its road to the target and its total, read from two metres.

import { html } from "../../vendor/htm-preact.js";
import { marksUpTo } from "../core/axis.js";
import { act } from "../core/connection.js";
import { PressLight } from "../core/flashes.js";
import { open } from "../core/store.js";
import { t } from "../core/texts.js";
import { acting, Button, Heard, Mark, tintOf } from "../parts/components.js";
import { Fit, widthOf } from "../parts/fit.js";
import { HeadStartChip } from "../setup/handicap.js";
import { noteOf, standingOf } from "./places.js";

const narrow = matchMedia("(max-width: 760px)");

// With roads the leader is on top; without, everybody sits in the order of play.
/** @param {Page.AtTable<Page.InMatch>} props */
export function Scoreboard({ table, roads = true }) {
  const { match } = table;
  const seats = roads ? inOrder(table) : table.seats;
  const longest = Math.max(...seats.map((seat) => widthOf(seat.name)));
  return html`<div class="scoreboard ${roads ? `roads ${match.scoring}` : "names"} ${crowding(seats.length)}"
    style=${{ "--count": seats.length, "--longest": longest }}>
    <ol class="seats" aria-label=${t("felt.title")}>
      ${seats.map(
        (seat) => html`<${Seat} key=${seat.number} table=${table} seat=${seat}
          roads=${roads} />`,
      )}
    </ol>
    ${roads && html`<${RoadScale} target=${match.target} />`}
  </div>`;
}

/** @param {number} count */
function crowding(count) {
  return count > 7 ? "many" : count > 4 ? "some" : "few";
}

/** @param {Table.View & Page.InMatch} table */
function inOrder({ seats, match }) {
  const better = match.scoring === "classic" ? -1 : 1;
  const worth = (/** @type {Table.SeatShown} */ seat) => better * (seat[match.scoring] ?? 0);
  return [...seats].sort((a, b) => worth(a) - worth(b) || a.number - b.number);
}

/** @param {Page.AtTable<Page.InMatch> & { seat: Table.SeatShown }} props */
function Seat({ table, seat, roads }) {
  const { match } = table;
  const player = match.players.find((one) => one.player === seat.player);
  const kind = player ? standingOf(match, player) : "";
  const total = seat[match.scoring] ?? 0;
  const states = {
    turn: seat.turn,
    racing: seat.racing,
    slapped: seat.slapped,
    last: seat.last,
    out: seat.out,
    one: seat.on_one,
    owes: seat.owes > 0,
    asked: seat.asked || seat.press_again,
    resting: table.round && !seat.playing,
  };
  const classes = Object.entries(states)
    .filter(([, on]) => on)
    .map(([name]) => name);
  return html`<li class=${["seat", kind, ...classes].filter(Boolean).join(" ")} data-seat=${seat.number}>
    <button type="button" class="seat-face" disabled=${!acting()}
      onClick=${() => open("seat", { seat: seat.number })}>
      <span class="seat-name"><${Mark} seat=${seat.number} /><${Fit} text=${seat.name} />
        ${seat.turn && html`<${Heard}>${t("felt.has_turn")}<//>`}</span>
      <span class="seat-facts"><${Facts} table=${table} seat=${seat} /></span>
      ${roads && html`<${Road} share=${total / match.target} seat=${seat.number} />`}
      ${seat.hand !== null && html`<span class="chip hand">${seat.hand}<${Heard}> ${t("felt.cards")}<//></span>`}
      <span class="seat-total"><strong class="total">${total}</strong><${Heard}> ${t("felt.points")}<//>
        ${roads && html`<small>${noteOf(match, kind, total)}</small>`}</span>
    </button>
    <${PressLight} seat=${seat.number} />
    <div class="owed-by"><${Owed} table=${table} seat=${seat} short=${!roads || narrow.matches} /></div>
  </li>`;
}

/** @param {Page.AtTable & { seat: Table.SeatShown }} props */
function Facts({ table, seat }) {
  return html`${seat.dealer && html`<span class="chip dealer">${t("felt.dealer")}</span>`}
    ${
      seat.press_again
        ? html`<span class="chip again">${t("felt.press_again")}</span>`
        : seat.called && html`<span class="chip uno">${t("felt.uno")}</span>`
    }
    ${seat.out && html`<span class="chip gone-out">${t("felt.out")}</span>`}
    <${HeadStartChip} table=${table} seat=${seat} />
    ${seat.aside && html`<span class="chip fault">${t(`fault.${seat.aside}`)}</span>`}`;
}

// A tap says that the cards were drawn.
/** @param {Page.AtTable & { seat: Table.SeatShown; short: boolean }} props */
function Owed({ table, seat, short }) {
  const debts = table.debts.filter((debt) => debt.seat === seat.number);
  return debts.map(
    (debt) => html`<${Button} key=${debt.number} tone="debt" class="owed" disabled=${!acting()}
      onTap=${() => act("drawn", { debt: debt.number })}>
      <${Heard}>${seat.name}<//> ${
        short
          ? html`<${Heard}>${t("felt.draws", { cards: debt.cards })}<//><span aria-hidden="true">+${debt.cards}</span>`
          : t("felt.draws", { cards: debt.cards })
      } <span aria-hidden="true">✓</span>
    <//>`,
  );
}

/** @param {{ share: number; seat: number }} props */
function Road({ share, seat }) {
  const place = { "--way": Math.max(0, Math.min(1, share)).toFixed(4) };
  return html`<span class="run ${tintOf(seat)}" aria-hidden="true" style=${place}>
    <span class="run-way"></span><span class="run-mark"><${Mark} seat=${seat} /></span>
  </span>`;
}

/** @param {{ target: number }} props */
function RoadScale({ target }) {
  const marks = new Set([...marksUpTo(target), target]);
  return html`<div class="road-scale" aria-hidden="true"><span class="road-marks">
    ${[...marks].map(
      (points) => html`<span key=${points} style=${{ "--way": (points / target).toFixed(4) }}>${points}</span>`,
    )}
  </span></div>`;
}
