// From the start of a match to the first card: who deals, the deal, and the card turned up.

import { html, useState } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { t } from "../core/texts.js";
import { CardFace, CardGrid, cardNamed, cardTitle } from "../parts/cards.js";
import { acting, Button, Choice, editionOf, Heard, Mark, nameOf, SeatPicker } from "../parts/components.js";
import { isCrowded } from "../parts/seat_places.js";
import { ways } from "../parts/setup.js";
import { Unheard } from "../parts/unheard.js";
import { Standing } from "../score/sheet.js";
import { People } from "./seating.js";

/** @param {Page.AtTable<Page.InMatch>} props */
export function DrawForDeal({ table }) {
  const [drawn, setDrawn] = useState({});
  const [choosing, setChoosing] = useState(false);
  const edition = editionOf(table);
  const drawing = table.match.deal_tied.length ? table.match.deal_tied : table.seats.map((seat) => seat.number);
  const cards = Object.fromEntries(Object.entries(drawn).filter(([seat]) => drawing.includes(Number(seat))));
  const next = drawing.find((seat) => !(seat in cards));
  const tap = (card) => next !== undefined && setDrawn({ ...cards, [next]: card.card });
  const used = (card) => Object.values(cards).filter((name) => name === card.card).length >= card.copies;
  const done = async () => {
    if (await act("draw_for_deal", { cards })) setDrawn({});
  };
  return html`<section class="block draw">
    <div class="draw-head">
      <h2>${next ? t("deal.whose", { name: nameOf(table, next) }) : t("deal.all_drawn")}</h2>
      <button type="button" class="button" aria-expanded=${choosing} onClick=${() => setChoosing(!choosing)}>
        ${t("deal.choose")}
      </button>
    </div>
    ${
      choosing &&
      html`<div class="fold">
        <${SeatPicker} seats=${table.seats} onPick=${(seat) => act("choose_dealer", { seat: seat.number })} />
      </div>`
    }
    <ul class="drawn ${isCrowded(drawing.length) ? "crowded" : ""}">
      ${drawing.map(
        (number) => html`<li key=${number} class=${number === next ? "current" : ""}>
          <${Mark} seat=${number} /><span class="name">${nameOf(table, number)}</span>
          ${
            cards[number]
              ? html`<button type="button" class="taken" onClick=${() => setDrawn(without(cards, number))}>
                <${Heard}>
                  ${t("deal.take_back", {
                    name: nameOf(table, number),
                    card: cardTitle(cardNamed(edition, cards[number])),
                  })}
                <//><${CardFace} card=${cardNamed(edition, cards[number])} /></button>`
              : html`<span class="taken"><span class="card empty"></span></span>`
          }
        </li>`,
      )}
    </ul>
    <${CardGrid} edition=${edition} onTap=${tap} disabled=${!acting() || !next} full=${used} />
    ${
      !next &&
      html`<div class="go">
        <${Button} tone="primary" class="huge" disabled=${!acting()} onTap=${done}>${t("deal.find_dealer")}<//>
      </div>`
    }
  </section>`;
}

function without(cards, seat) {
  const { [seat]: _gone, ...rest } = cards;
  return rest;
}

// Only one of these is open at a time, below both, with the whole width to itself.
const FOLDS = ["people", "dealer"];

/** @param {Page.AtTable<Page.InMatch>} props */
export function BetweenRounds({ table }) {
  const [unfolded, setUnfolded] = useState(null);
  const first = table.match.rounds.length === 0;
  return html`<section class="block">
    <div class="go">
      <${Button} tone="primary" class="huge" disabled=${!acting() || table.seats.length < 2} onTap=${() => act("deal")}>
        ${t("between.deal", { number: table.match.rounds.length + 1 })}<//></div>
    <${Unheard} seats=${table.seats.filter((seat) => table.without_button.includes(seat.number))} />
    ${!first && html`<${Standing} table=${table} />`}
    <${Choice} name=${t("setup.way")} value=${table.match.way} options=${ways(editionOf(table))} disabled=${!acting()}
      onChoose=${(way) => act("switch_way", { way })} />
    <div class="folds">
      ${FOLDS.map(
        (name) => html`<button type="button" key=${name} class="button quiet" aria-expanded=${unfolded === name}
          aria-controls="unfolded"
          onClick=${() => setUnfolded(unfolded === name ? null : name)}>${t(`between.${name}`)}</button>`,
      )}
    </div>
    <div class="unfolded" id="unfolded">
      ${unfolded === "people" && html`<${People} table=${table} />`}
      ${
        unfolded === "dealer" &&
        html`<${SeatPicker} seats=${table.seats}
          onPick=${(seat) => act("choose_dealer", { seat: seat.number })} />`
      }
    </div>
  </section>`;
}

/** @param {Page.AtTable<Page.InRound>} props */
export function FirstCard({ table }) {
  return html`<section class="block">
    <h2>${t("first.title", { name: nameOf(table, table.round.dealer) })}</h2>
    <${CardGrid} edition=${editionOf(table)} disabled=${!acting()}
      onTap=${(card) => act("turn_up", { card: card.card })} />
  </section>`;
}
