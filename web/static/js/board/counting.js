// The end of a round: what everybody still held, and what that comes to.

import { html } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { CardFace } from "../parts/cards.js";
import { editionOf, Mark, nameOf } from "../parts/components.js";
import { Fit } from "../parts/fit.js";

/** @param {Page.AtTable<Page.InRound>} props */
export function Counting({ table }) {
  const { round, match } = table;
  const points = (/** @type {Table.SeatShown} */ seat) => round.left[seat.number]?.points;
  return html`<section class="counting" aria-label=${t("hands.title")}>
    <ul>
      ${table.seats
        .filter((seat) => seat.scored)
        .map(
          (seat) => html`<li key=${seat.number} class=${seat.out ? "out" : points(seat) === undefined ? "" : "counted"}
            data-seat=${seat.number}>
            <${Mark} seat=${seat.number} /><${Fit} text=${seat.name} />
            <span class="counting-cards">
              ${cardsOf(table, seat).map(
                ({ card, copies }) => html`<span class="held-card" key=${card.card}>
                  <${CardFace} card=${card} />${copies > 1 && html`<span class="count">${copies}</span>`}
                </span>`,
              )}
            </span>
            <strong>${seat.out ? t("sheet.out") : (points(seat) ?? "…")}</strong>
          </li>`,
        )}
    </ul>
    ${round.preview && html`<p class="counting-sum">${summed(table, match, round.preview)}</p>`}
  </section>`;
}

/**
 * @param {Table.View & Page.InRound} table
 * @param {Table.MatchShown} match
 * @param {Table.Preview} preview
 */
function summed(table, match, preview) {
  if (match.scoring !== "classic") return t("board.adds");
  const points = preview.classic[table.seats.find((seat) => seat.out)?.player ?? 0];
  return t("board.takes", { name: nameOf(table, table.round.out), points });
}

/**
 * @param {Table.View & Page.InRound} table
 * @param {Table.SeatShown} seat
 */
function cardsOf(table, seat) {
  const left = table.round.left[seat.number]?.cards;
  return left
    ? editionOf(table)
        .cards.filter((card) => left[card.card])
        .map((card) => ({ card, copies: left[card.card] }))
    : [];
}
