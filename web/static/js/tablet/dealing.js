// Who deals, the deal, and what can be settled before it.

import { html, useState } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { close, open } from "../core/store.js";
import { t } from "../core/texts.js";
import { acting, Button, Dialog, editionOf, Heard, Mark, Name, nameOf, SeatPicker } from "../parts/components.js";
import { Unheard } from "../parts/unheard.js";
import { Resting } from "./play/resting.js";
import { People } from "./seating.js";

// One tap: a name, or a player drawn by chance. To draw cards for it, enter each number.
/** @param {Page.AtTable<Page.InMatch>} props */
export function WhoDeals({ table }) {
  const [drawing, setDrawing] = useState(table.match.deal_tied.length > 0);
  const choose = (/** @type {Table.SeatShown} */ seat) => act("choose_dealer", { seat: seat.number });
  const any = () => choose(table.seats[Math.floor(Math.random() * table.seats.length)]);
  return html`<section class="deal">
    ${
      drawing || table.match.deal_tied.length
        ? html`<${DrawNumbers} key=${table.match.deal_tied.join()} table=${table} />`
        : html`<${SeatPicker} seats=${table.seats} onPick=${choose} />`
    }
    <div class="actions">
      <${Button} class="action" disabled=${!acting()} onTap=${any}>${t("deal.any")}<//>
      <button type="button" class="button action" aria-pressed=${drawing} onClick=${() => setDrawing(!drawing)}>
        ${t("deal.draw")}</button>
    </div>
  </section>`;
}

// A number for each; a symbol is worth nothing. The last tap finds the dealer.
/** @param {Page.AtTable<Page.InMatch>} props */
function DrawNumbers({ table }) {
  const [drawn, setDrawn] = useState(/** @type {Record<number, string>} */ ({}));
  const { deal_tied: tied } = table.match;
  const seats = tied.length ? tied : table.seats.map((seat) => seat.number);
  const plain = editionOf(table).cards.filter((card) => card.act === "number" || card.act === "skip");
  const faces = [...new Set(plain.map((card) => card.face))];
  const tap = (/** @type {number} */ seat, /** @type {string} */ face) => {
    const next = { ...drawn, [seat]: face };
    setDrawn(next);
    if (seats.every((one) => one in next)) return act("draw_for_deal", { cards: asCards(plain, next) });
    return undefined;
  };
  return html`<ul class="draw-numbers">
    ${seats.map(
      (seat) => html`<li key=${seat} data-seat=${seat}>
        <${Mark} seat=${seat} /><${Name} name=${nameOf(table, seat)} />
        <span class="numbers" role="group" aria-label=${t("deal.whose", { name: nameOf(table, seat) })}>
          ${faces.map(
            (face) => html`<button type="button" class="button" key=${face} data-face=${face} disabled=${!acting()}
              aria-pressed=${drawn[seat] === face} onClick=${() => tap(seat, face)}>
              ${/^\d+$/.test(face) ? face : html`<span aria-hidden="true">⊘</span><${Heard}>${t("deal.symbol")}<//>`}
            </button>`,
          )}
        </span></li>`,
    )}
  </ul>`;
}

// The colour is not asked for, so each takes the next card that has the number.
/**
 * @param {Table.CardShown[]} cards
 * @param {Record<number, string>} drawn
 */
function asCards(cards, drawn) {
  const deck = cards.flatMap((card) => Array.from({ length: card.copies }, () => card));
  return Object.fromEntries(
    Object.entries(drawn).map(([seat, face]) => {
      const at = deck.findIndex((card) => card.face === face);
      const [card] = deck.splice(at, 1);
      return [seat, card.card];
    }),
  );
}

/** @param {Page.AtTable<Page.InMatch>} props */
export function BetweenRounds({ table }) {
  const { way, rounds } = table.match;
  const other = way === "free" ? "refereed" : "free";
  return html`<${Resting} table=${table}>
    <${Button} tone="primary" class="action main" disabled=${!acting() || table.seats.length < 2}
      onTap=${() => act("deal")}>${t("between.deal", { number: rounds.length + 1 })}<//>
    <${Button} class="action" onTap=${() => open("dealer")}>${t("between.dealer")}<//>
    <${Button} class="action" onTap=${() => open("people")}>${t("between.people")}<//>
    <${Button} class="action" disabled=${!acting()} onTap=${() => act("switch_way", { way: other })}>
      <span>${t(`way.${other}.title`)}</span> <small>${t("between.way", { way: t(`way.${way}.title`) })}</small><//>
    <${Unheard} seats=${table.seats.filter((seat) => table.without_button.includes(seat.number))} />
  <//>`;
}

/** @param {Page.AtTable} props */
export function OtherDealer({ table }) {
  const choose = (/** @type {Table.SeatShown} */ seat) => act("choose_dealer", { seat: seat.number }, close);
  return html`<${Dialog} title=${t("deal.who")}><${SeatPicker} seats=${table.seats} onPick=${choose} /><//>`;
}

/** @param {Page.AtTable} props */
export function PeopleBetween({ table }) {
  return html`<${Dialog} title=${t("between.people")} wide><${People} table=${table} /><//>`;
}
