// Refereed play: one tap a turn on the cards of the edition. Whatever appears, the cards keep their place.

import { html, useState } from "../../../vendor/htm-preact.js";
import { act } from "../../core/connection.js";
import { open } from "../../core/store.js";
import { t } from "../../core/texts.js";
import { CardFace, CardGrid, cardNamed, cardTitle, Sign } from "../../parts/cards.js";
import { acting, Button, editionOf } from "../../parts/components.js";
import { WildColour } from "../../race/wild_colour.js";
import { Scoreboard } from "../../score/scoreboard.js";
import { Challenge, Uno } from "./attention.js";
import { Plays } from "./plays.js";
import { LatestRuling } from "./rulings.js";

/** @param {Page.AtTable<Page.InRound>} props */
export function RefereedPlay({ table }) {
  const [drawn, setDrawn] = useState(false);
  const first = table.phase === "first_card";
  const able = acting() && !first;
  // A wild goes out at once too, because a race begins with its card; the colour follows.
  const play = (/** @type {Table.CardShown} */ card) => {
    if (first) return act("turn_up", { card: card.card });
    setDrawn(false);
    return act("play", { card: card.card, ...(drawn && { drawn }) });
  };
  return html`<div class="refereed">
    <div class="beside">
      <${Scoreboard} table=${table} roads=${false} />
      <${LatestRuling} table=${table} />
      <${Plays} table=${table} />
    </div>
    <div class="cards-side">
      <${Top} table=${table} />
      <${CardGrid} edition=${editionOf(table)} disabled=${!acting()} onTap=${play} fits=${fitting(table)} />
      <div class="actions">
        <${Button} tone="primary" class="action" disabled=${!able || drawn} onTap=${() => act("draw")}>
          ${t("refereed.drew")}<//>
        <button type="button" class="button action" aria-pressed=${drawn} disabled=${!able}
          onClick=${() => setDrawn(!drawn)}>${t(drawn ? "refereed.drew_which" : "refereed.drew_played")}</button>
        <${Button} class="action" disabled=${!able} onTap=${() => open("out")}>${t("refereed.out")}<//>
        <${Button} class="action" disabled=${!able} onTap=${() => open("correct")}>${t("refereed.correct")}<//>
      </div>
    </div>
  </div>`;
}

// R5. The same colour, number or symbol as the top card, or a wild; every card while there is none.
/** @param {Table.View & Page.InRound} table */
function fitting(table) {
  const { top, colour } = table.round;
  const face = top && cardNamed(editionOf(table), top).face;
  return (/** @type {Table.CardShown} */ card) =>
    !top || !colour || !card.colour || card.colour === colour || card.face === face;
}

// What lies there, and what has to be settled about it: always as high, so that nothing below moves.
/** @param {Page.AtTable<Page.InRound>} props */
function Top({ table }) {
  const { round } = table;
  const top = round.top ? cardNamed(editionOf(table), round.top) : null;
  return html`<section class="top" aria-label=${t("felt.top")}>
    ${
      top
        ? html`<${CardFace} card=${top} colour=${top.colour ? null : round.colour} large />`
        : html`<span class="card empty large"></span>`
    }
    <div class="top-words">
      <p class="display">${top ? t("felt.lies", { card: cardTitle(top) }) : t("felt.no_top")}
        ${
          round.colour &&
          html` <span class="in-play ${round.colour}"><${Sign}
            colour=${round.colour} /> ${t(`colour.${round.colour}`)}</span>`
        }</p>
      <p><span class="direction" role="img" aria-label=${t(`felt.${turnOf(round)}`)}>
        ${round.direction === 1 ? "↻" : "↺"}</span> <small>${t("felt.draw_pile", { cards: round.draw_pile })}</small>
          </p>
    </div>
    <div class="top-now"><${Challenge} table=${table} /><${Uno} table=${table} /></div>
    <div class="top-colour"><${WildColour} table=${table} /></div>
  </section>`;
}

/** @param {Table.RoundInPlay} round */
function turnOf(round) {
  return round.direction === 1 ? "clockwise" : "anticlockwise";
}
