// Refereed play: one tap a turn on the cards of the edition.

import { html, useState } from "../vendor/htm-preact.js";
import { CardGrid, ColourPicker, cardTitle } from "./cards.js";
import { act } from "./connection.js";
import { Button, Dialog, acting, editionOf } from "./pieces.js";
import { open } from "./store.js";
import { t } from "./texts.js";

export function RefereedPlay({ table }) {
  const [drawn, setDrawn] = useState(false);
  const [wild, setWild] = useState(null);
  const edition = editionOf(table);
  const play = async (card, colour) => {
    const fields = { card: card.card, ...(colour && { colour }), ...(drawn && { drawn }) };
    setDrawn(false);
    setWild(null);
    await act("play", fields);
  };
  // The last card of a round needs no colour, and whoever holds it is asked for none.
  const last = table.seats.find((seat) => seat.turn)?.hand === 1 && !drawn;
  const tap = (card) => (card.colour || last ? play(card) : setWild(card));
  return html`<section class="block refereed">
    <div class="turn-line">
      <${Button} tone="primary" class="big-action" disabled=${!acting() || drawn} onTap=${() => act("draw")}>${t("refereed.drew")}<//>
      <button type="button" class="button big-action" aria-pressed=${drawn} disabled=${!acting()} onClick=${() => setDrawn(!drawn)}>${t(drawn ? "refereed.drew_which" : "refereed.drew_played")}</button>
      <${Button} tone="quiet" disabled=${!acting()} onTap=${() => open("out")}>${t("refereed.out")}<//>
      <${Button} tone="quiet" disabled=${!acting()} onTap=${() => open("correct")}>${t("refereed.correct")}<//>
    </div>
    <${CardGrid} edition=${edition} disabled=${!acting()} onTap=${tap} />
    ${wild && html`<${Dialog} title=${t("refereed.which_colour", { card: cardTitle(wild) })} onClose=${() => setWild(null)}>
      <${ColourPicker} onPick=${(colour) => play(wild, colour)} />
      <button type="button" class="button quiet" onClick=${() => play(wild, null)}>${t("refereed.colour_later")}</button>
    <//>`}
  </section>`;
}
