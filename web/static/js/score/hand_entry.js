// One hand left: its cards are tapped in, or its total is typed.

import { html, useState } from "../../vendor/htm-preact.js";
import { counted } from "../core/counted.js";
import { t } from "../core/texts.js";
import { CardFace, CardGrid, cardTitle } from "../parts/cards.js";
import { Button, Heard } from "../parts/components.js";

const DIGITS = 5;

/**
 * Begins with the hand as it was entered before; no card can be tapped more often than the deck still has it.
 * @param {{ edition: Table.EditionShown; name: string; able: boolean; own?: boolean;
 *   hand?: Table.Left; others: Table.Left[]; onCards: (cards: Record<string, number>) => unknown;
 *   onPoints: (points: number) => unknown; onClear?: () => unknown }} props
 */
export function HandEntry({ edition, name, able, own = false, hand, others, onCards, onPoints, onClear }) {
  const [cards, setCards] = useState(hand?.cards ?? {});
  const [typed, setTyped] = useState(hand && !hand.cards ? String(hand.points) : "");
  const [pad, setPad] = useState(false);
  const held = edition.cards.filter((card) => cards[card.card]);
  const points = held.reduce((sum, card) => sum + card.points * cards[card.card], 0);
  const count = held.reduce((sum, card) => sum + cards[card.card], 0);
  const add = (/** @type {Table.CardShown} */ card, /** @type {number} */ more) =>
    setCards({ ...cards, [card.card]: (cards[card.card] ?? 0) + more });
  const elsewhere = (/** @type {Table.CardShown} */ card) =>
    others.reduce((sum, other) => sum + (other.cards?.[card.card] ?? 0), 0);
  const full = (/** @type {Table.CardShown} */ card) => (cards[card.card] ?? 0) + elsewhere(card) >= card.copies;
  const most = edition.cards.reduce((sum, card) => sum + card.points * (card.copies - elsewhere(card)), 0);
  const total = able && typed !== "" && Number(typed) <= most;
  const enter = () => onCards(Object.fromEntries(held.map((card) => [card.card, cards[card.card]])));
  const useTotal = () => onPoints(Number(typed));
  const totalWords = Number(typed) > most ? t("hands.too_many", { most }) : t("hands.enter_points");
  const type = (/** @type {string} */ text) => setTyped(text.replace(/\D/g, "").slice(0, DIGITS));
  return html`<div class="entry">
    <div class="held" role="group" aria-label=${t("hands.held", { name })}>
      ${count === 0 && html`<p class="hint">${own ? t("phone.tap") : t("hands.tap", { name })}</p>`}
      ${held.map(
        (card) => html`<button type="button" class="taken" key=${card.card} disabled=${!able}
          onClick=${() => add(card, -1)}>
          <${Heard}>${t("hands.take_out", { card: cardTitle(card) })}<//><${CardFace} card=${card} />
          ${cards[card.card] > 1 && html`<span class="count" aria-hidden="true">${cards[card.card]}</span>`}</button>`,
      )}
    </div>
    <div class="entry-cards ${pad ? "behind" : ""}">
      <${CardGrid} edition=${edition} counts=${cards} disabled=${!able} full=${full} onTap=${(card) => add(card, 1)} />
      ${
        pad &&
        html`<${NumberPad} typed=${typed} able=${able} onType=${type}>
          <${Button} tone="primary" class="pad-key words" disabled=${!total} onTap=${useTotal}>${totalWords}<//>
        <//>`
      }
    </div>
    <div class="entry-foot">
      <output class="running">
        ${t("hands.running", { cards: counted("cards", count), points: counted("points", points) })}
      </output>
      <${Button} tone="primary" class="big-action" disabled=${!able || count === 0} onTap=${enter}>
        ${own ? t("phone.enter") : t("hands.enter", { name })}
      <//>
      <label class="typed">${t("hands.typed")}
        <input class="field number" inputmode="none" pattern="[0-9]*" value=${typed} disabled=${!able}
          maxlength=${DIGITS}
          enterkeyhint="done" onFocus=${() => setPad(true)} onInput=${(event) => type(event.target.value)}
          onKeyDown=${(event) => event.key === "Enter" && total && useTotal()} /></label>
      ${
        pad
          ? html`<${Button} class="entry-total" onTap=${() => setPad(false)}>${t("hands.cards")}<//>`
          : html`<${Button} class="entry-total" disabled=${!total} onTap=${useTotal}>${totalWords}<//>`
      }
      ${onClear && html`<${Button} tone="quiet" disabled=${!able} onTap=${onClear}>${t("hands.clear")}<//>`}
    </div>
  </div>`;
}

// In the place of the cards, where fingers already are: no keyboard covers what is counted, and nothing moves.
/** @param {{ typed: string; able: boolean; onType: (text: string) => void; children?: object }} props */
function NumberPad({ typed, able, onType, children }) {
  const key = (/** @type {string} */ sign, /** @type {string} */ next, label = sign) =>
    html`<button type="button" key=${sign} class="button pad-key" disabled=${!able} aria-label=${label}
      onClick=${() => onType(next)}>${sign}</button>`;
  return html`<div class="number-pad" role="group" aria-label=${t("hands.pad")}>
    ${[..."789456123"].map((digit) => key(digit, typed + digit))}
    ${key("⌫", typed.slice(0, -1), t("hands.erase"))}${key("0", `${typed}0`)}${children}
  </div>`;
}
