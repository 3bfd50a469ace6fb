// The table seen from above: seats in their real order, and what lies in the middle.

import { html } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { PressLight } from "../core/flashes.js";
import { open } from "../core/store.js";
import { t } from "../core/texts.js";
import { CardFace, cardNamed, cardTitle, Sign } from "../parts/cards.js";
import { acting, Button, editionOf, Heard, Mark } from "../parts/components.js";
import { HeadStartChip } from "../parts/handicap.js";
import { pressedWith } from "../parts/invite.js";
import { isCrowded, placeOf, sizeOf } from "../parts/seat_places.js";

/** @param {Page.AtTable} props */
export function Felt({ table }) {
  const count = table.seats.length;
  return html`<section class="felt ${isCrowded(count) ? "crowded" : ""}" aria-label=${t("felt.title")}>
    <div class="cloth" aria-hidden="true"></div>
    <div class="middle"><${Middle} table=${table} /></div>
    <ol class="seats" data-count=${count}>
      ${table.seats.map(
        (seat, at) => html`<${Seat} key=${seat.number} table=${table} seat=${seat}
          place=${placeOf(at, count)} />`,
      )}
    </ol>
  </section>`;
}

/** @param {Page.AtTable & { seat: Table.SeatShown }} props */
function Seat({ table, seat, place }) {
  const scoring = table.match?.scoring;
  const total = scoring ? seat[scoring] : null;
  const states = {
    turn: seat.turn,
    racing: seat.racing,
    slapped: seat.slapped,
    last: seat.last,
    out: seat.out,
    one: seat.on_one,
    asked: seat.asked || seat.press_again,
    resting: table.round && !seat.playing,
  };
  const classes = Object.keys(states)
    .filter((name) => states[name])
    .join(" ");
  return html`<li class="seat ${classes}" style=${place.style} data-seat=${seat.number}>
    <button type="button" class="seat-face" disabled=${!acting()}
      onClick=${() => open("seat", { seat: seat.number })}>
      <span class="seat-name"><${Mark} seat=${seat.number} /><span class=${sizeOf(seat.name)}>${seat.name}</span>
        ${seat.turn && html`<${Heard}>${t("felt.has_turn")}<//>`}</span>
      <span class="seat-facts">
        ${
          seat.dealer &&
          html`<span class="chip dealer" title=${t("felt.dealer")}>
            <span aria-hidden="true">${t("felt.dealer_short")}</span><${Heard}>${t("felt.dealer")}<//>
          </span>`
        }
        ${seat.hand !== null && html`<span class="chip hand">${seat.hand}<${Heard}> ${t("felt.cards")}<//></span>`}
        ${
          seat.press_again
            ? html`<span class="chip again">${t("felt.press_again")}</span>`
            : seat.called && html`<span class="chip uno">${t("felt.uno")}</span>`
        }
        <${HeadStartChip} table=${table} seat=${seat} />
        ${seat.aside && html`<span class="chip fault">${t(`fault.${seat.aside}`)}</span>`}
        ${total !== null && html`<span class="total">${total}<${Heard}> ${t("felt.points")}<//></span>`}
        ${!table.match && html`<span class="total">${pressedWith(seat)}</span>`}
      </span>
    </button>
    <${PressLight} seat=${seat.number} />
    <div class="owed-by ${place.y > 0.55 ? "above" : "below"}"><${Owed} table=${table} seat=${seat} /></div>
  </li>`;
}

/** @param {Page.AtTable & { seat: Table.SeatShown }} props */
function Owed({ table, seat }) {
  const debts = table.debts.filter((debt) => debt.seat === seat.number);
  return debts.map(
    (debt) => html`<${Button} key=${debt.number} tone="debt" class="owed" disabled=${!acting()}
      onTap=${() => act("drawn", { debt: debt.number })}>
      <${Heard}>${seat.name}<//> ${
        isCrowded(table.seats.length)
          ? html`<${Heard}>${t("felt.draws", { cards: debt.cards })}<//><span aria-hidden="true">+${debt.cards}</span>`
          : t("felt.draws", { cards: debt.cards })
      } <span class="tick" aria-hidden="true">✓</span>
    <//>`,
  );
}

/** @param {Page.AtTable} props */
function Middle({ table }) {
  const round = table.round;
  if (!round) return html`<${Between} table=${table} />`;
  if (round.way === "free")
    return html`<p class="big">${t("felt.round", { number: round.number })}</p>
      <p class="small">${t("way.free.title")}</p>`;
  const edition = editionOf(table);
  const top = round.top && cardNamed(edition, round.top);
  const turn = round.direction === 1 ? "clockwise" : "anticlockwise";
  return html`<div class="piles">
    <div class="pile"><span class="card back large" aria-hidden="true"></span>
      <span class="pile-count">${t("felt.draw_pile", { cards: round.draw_pile })}</span></div>
    <div class="pile">
      ${
        top
          ? html`<${CardFace} card=${top} colour=${top.colour ? null : round.colour} large />`
          : html`<span class="card empty large"></span>`
      }
      <span class="pile-count">${top ? cardTitle(top) : t("felt.no_top")}</span></div>
  </div>
  <p class="play-line">
    <span class="direction ${turn}" role="img" aria-label=${t(`felt.${turn}`)}>
      ${turn === "clockwise" ? "↻" : "↺"}
    </span>
    ${
      round.colour &&
      html`<span class="in-play ${round.colour}">
        <${Sign} colour=${round.colour} /> ${t(`colour.${round.colour}`)}
      </span>`
    }
  </p>`;
}

/** @param {Page.AtTable} props */
function Between({ table }) {
  const edition = editionOf(table);
  if (!table.match)
    return html`<p class="big">${edition.name}</p>
      <p class="small">${t("felt.seated", { count: table.seats.length })}</p>`;
  if (table.phase === "won")
    return html`<p class="big">${t("felt.over")}</p>
      <p class="small">${t("felt.after", { count: table.match.rounds.length })}</p>`;
  return html`<p class="big">${t("felt.before", { number: table.match.rounds.length + 1 })}</p>
    <p class="small">${edition.name}</p>`;
}
