// Cards as they are drawn on the page, and the grid on which they are tapped.

import { html } from "../../vendor/htm-preact.js";
import { t, titled } from "../core/texts.js";
import { Heard } from "./components.js";

/** @type {Page.Colour[]} */
export const COLOURS = ["blue", "green", "red", "yellow"];

// Each colour has a sign of its own, as on cards made for the colour-blind.
/** @type {Record<string, any>} */
const SIGNS = {
  blue: html`<circle cx="6" cy="6" r="5" />`,
  green: html`<path d="M6 0 12 6 6 12 0 6Z" />`,
  red: html`<path d="M6 0.500 12 11.500H0Z" />`,
  yellow: html`<path d="M1 1h10v10H1Z" />`,
};

/** @type {Record<string, any>} */
const SYMBOLS = {
  reverse: html`<path class="line" d="M8 19V6M8 6 4 10M8 6l4 4M16 5v13M16 18l-4-4M16 18l4-4" />`,
  skip: html`<g class="line"><circle cx="12" cy="12" r="8" /><path d="M6.500 17.500 17.500 6.500" /></g>`,
  race: html`<g><path class="line" d="M6 3v18" /><path d="M7 4h12v9H7Z" fill="#fff" stroke="currentColor" />
    <path d="M7 4h3v3H7zM13 4h3v3h-3zM10 7h3v3h-3zM16 7h3v3h-3zM7 10h3v3H7zM13 10h3v3h-3z" fill="#111" /></g>`,
};

/** @param {{ colour: Page.Colour }} props */
export function Sign({ colour }) {
  return html`<svg class="sign" viewBox="0 0 12 12" aria-hidden="true">${SIGNS[colour]}</svg>`;
}

/** @param {Table.CardShown} card */
export function cardTitle(card) {
  return titled(card.colour, card.title);
}

/** @param {{ card: Table.CardShown; [more: string]: any }} props */
export function CardFace({ card, colour = null, large = false }) {
  const shown = card.colour ?? colour;
  return html`<span class="card ${shown ?? "wild"} ${large ? "large" : ""}" aria-hidden="true">
    <span class="corner">${shown && html`<${Sign} colour=${shown} />`}</span>
    ${!card.colour && !colour && html`<${Quarters} />`}
    <span class="pip">${pip(card)}</span>
  </span>`;
}

// A wild where there is room for its name.
/** @param {{ card: Table.CardShown }} props */
function WideFace({ card }) {
  return html`<span class="card wild" aria-hidden="true"><${Quarters} />
    <span class="wild-title"><span class="pip">${pip(card)}</span><span>${cardTitle(card)}</span></span></span>`;
}

function Quarters() {
  return html`<span class="quarters" aria-hidden="true"><i /><i /><i /><i /></span>`;
}

/** @param {Table.CardShown} card */
function pip(card) {
  if (card.act === "draw" || card.act === "wild_draw") return `+${card.draws}`;
  if (card.act === "wild") return "W";
  if (SYMBOLS[card.act]) return html`<svg viewBox="0 0 24 24" aria-hidden="true">${SYMBOLS[card.act]}</svg>`;
  return card.face;
}

// All cards of an edition: a row for each colour, then the wilds.
/** @param {{ edition: Table.EditionShown; [more: string]: any }} props */
export function CardGrid({
  edition,
  onTap,
  counts = null,
  disabled = false,
  full = (/** @type {Table.CardShown} */ _) => false,
  fits = (/** @type {Table.CardShown} */ _) => true,
}) {
  const cell = (/** @type {Table.CardShown} */ card) => {
    const count = counts?.[card.card] ?? 0;
    const label = count ? t("card.counted", { card: cardTitle(card), count }) : cardTitle(card);
    return html`<button type="button" class="cell ${fits(card) ? "" : "unfit"} ${card.colour ? "" : "wild-cell"}"
      key=${card.card} data-card=${card.card}
      title=${cardTitle(card)} disabled=${disabled || full(card)} onClick=${() => onTap(card)}>
      <${Heard}>${label}<//>${card.colour ? html`<${CardFace} card=${card} />` : html`<${WideFace} card=${card} />`}
      ${count > 0 && html`<span class="count" aria-hidden="true">${count}</span>`}
    </button>`;
  };
  const coloured = (/** @type {Page.Colour} */ colour) => edition.cards.filter((card) => card.colour === colour);
  const wilds = edition.cards.filter((card) => !card.colour);
  return html`<div class="card-grid" role="group" aria-label=${t("card.grid")}>
    ${COLOURS.map((colour) => html`<div class="colour-row" key=${colour}>${coloured(colour).map(cell)}</div>`)}
    <div class="wild-row">${wilds.map(cell)}</div>
  </div>`;
}

/** @param {{ onPick: (colour: Page.Colour) => unknown; current?: Page.Colour | null }} props */
export function ColourPicker({ onPick, current = null }) {
  return html`<div class="colours" role="group" aria-label=${t("card.colours")}>
    ${COLOURS.map(
      (colour) => html`<button type="button" class="colour ${colour}" key=${colour} data-colour=${colour}
        aria-pressed=${current === colour} onClick=${() => onPick(colour)}>
        <${Sign} colour=${colour} /> ${t(`colour.${colour}`)}
      </button>`,
    )}
  </div>`;
}

/**
 * @param {Table.EditionShown} edition
 * @param {string | null} name
 */
export function cardNamed(edition, name) {
  return /** @type {Table.CardShown} */ (edition.cards.find((card) => card.card === name));
}
