// Setting right what the companion believes of a refereed round.

import { html, useState } from "../../../vendor/htm-preact.js";
import { act } from "../../core/connection.js";
import { close } from "../../core/store.js";
import { t } from "../../core/texts.js";
import { CardFace, CardGrid, ColourPicker, cardNamed } from "../../parts/cards.js";
import { Button, Choice, Dialog, editionOf, Mark } from "../../parts/components.js";
import { Fit } from "../../parts/fit.js";
import { Stepper } from "../../parts/stepper.js";

/** @param {Page.AtTable} props */
export function Correct({ table }) {
  const round = table.round;
  const [change, setChange] = useState({});
  if (!round) return null;
  const edition = editionOf(table);
  const playing = table.seats.filter((seat) => seat.playing);
  const set = (/** @type {object} */ part) => setChange({ ...change, ...part });
  const hand = (/** @type {Table.SeatShown} */ seat) => change.hands?.[seat.number] ?? seat.hand;
  const top = change.top ?? round.top;
  const save = () => act("correct", change, close);
  return html`<${Dialog} title=${t("correct.title")} wide>
    <div class="correct">
      <h3>${t("correct.turn")}</h3>
      <${Choice} name=${t("correct.turn")} value=${change.turn ?? round.turn} onChoose=${(turn) => set({ turn })}
        options=${playing.map((seat) => ({ value: seat.number, title: html`<${Fit} text=${seat.name} />` }))} />
      <h3>${t("correct.direction")}</h3>
      <${Choice} name=${t("correct.direction")} value=${change.direction ?? round.direction}
        onChoose=${(direction) => set({ direction })}
        options=${[
          { value: 1, title: `↻ ${t("felt.clockwise")}` },
          { value: -1, title: `↺ ${t("felt.anticlockwise")}` },
        ]} />
      <h3>${t("correct.hands")}</h3>
      <ul class="edit-list">${playing.map(
        (seat) => html`<li key=${seat.number}><${Mark} seat=${seat.number} /><${Fit} text=${seat.name} />
          <${Stepper} value=${hand(seat)} least=${1} most=${edition.size} label=${seat.name}
            onChange=${(count) => set({ hands: { ...change.hands, [seat.number]: count } })} /></li>`,
      )}</ul>
      <h3>${t("correct.top")}</h3>
      <details class="fold">
        <summary>
          ${top ? html`<${CardFace} card=${cardNamed(edition, top)} />` : t("felt.no_top")} ${t("correct.change_top")}
        </summary>
        <${CardGrid} edition=${edition}
          onTap=${(card) => set({ top: card.card, ...(card.colour && { colour: card.colour }) })} /></details>
      <h3>${t("correct.colour")}</h3>
      <${ColourPicker} current=${change.colour ?? round.colour} onPick=${(colour) => set({ colour })} />
    </div>
    <div class="go">
      <${Button} tone="primary" disabled=${Object.keys(change).length === 0} onTap=${save}>${t("correct.save")}<//>
    </div>
  <//>`;
}
