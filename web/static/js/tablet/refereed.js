// Refereed play: one tap a turn on the cards of the edition.

import { html, useState } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { open } from "../core/store.js";
import { t } from "../core/texts.js";
import { CardGrid } from "../parts/cards.js";
import { acting, Button, editionOf } from "../parts/components.js";
import { WildColour } from "../race/wild_colour.js";
import { Plays } from "./plays.js";

/** @param {Page.AtTable} props */
export function RefereedPlay({ table }) {
  const [drawn, setDrawn] = useState(false);
  // A wild goes out at once too, because a race begins with its card; the colour follows.
  const play = (card) => {
    setDrawn(false);
    return act("play", { card: card.card, ...(drawn && { drawn }) });
  };
  return html`<section class="block refereed">
    <div class="turn-line">
      <${Button} tone="primary" class="big-action" disabled=${!acting() || drawn}
        onTap=${() => act("draw")}>${t("refereed.drew")}<//>
      <button type="button" class="button big-action" aria-pressed=${drawn} disabled=${!acting()}
        onClick=${() => setDrawn(!drawn)}>${t(drawn ? "refereed.drew_which" : "refereed.drew_played")}</button>
      <${Button} tone="quiet" disabled=${!acting()} onTap=${() => open("out")}>${t("refereed.out")}<//>
      <${Button} tone="quiet" disabled=${!acting()} onTap=${() => open("correct")}>${t("refereed.correct")}<//>
    </div>
    <div class="plays-line"><${Plays} table=${table} /><${WildColour} table=${table} /></div>
    <${CardGrid} edition=${editionOf(table)} disabled=${!acting()} onTap=${play} />
  </section>`;
}
