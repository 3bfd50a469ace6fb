// The latest plays as a row of small cards; a wrong one is tapped and changed, and all after it is read again.

import { html, useState } from "../../../vendor/htm-preact.js";
import { act } from "../../core/connection.js";
import { close, open } from "../../core/store.js";
import { t } from "../../core/texts.js";
import { CardFace, CardGrid, ColourPicker, cardNamed, cardTitle } from "../../parts/cards.js";
import { acting, Button, Dialog, editionOf, Heard, Mark, nameOf } from "../../parts/components.js";

/** @param {Page.AtTable<Page.InRound>} props */
export function Plays({ table }) {
  const newest = [...table.round.turns].reverse();
  return html`<ol class="plays" aria-label=${t("plays.title")}>
    ${newest.map(
      (turn, at) => html`<li key=${turn.number}><button type="button" class="play" data-turn=${turn.number}
        disabled=${!acting()} onClick=${() => open("play", { turn: turn.number })}>
        <${Heard}>${played(table, turn)}<//><${PlayedCard} table=${table} turn=${turn} latest=${at === 0} />
        <${Mark} seat=${turn.seat} /></button></li>`,
    )}
    ${newest.length > 0 && html`<li class="hint">${t("plays.fix")}</li>`}
  </ol>`;
}

/** @param {Page.AtTable<Page.InRound>} props */
function PlayedCard({ table, turn, latest }) {
  if (turn.card === null) return html`<span class="card back" aria-hidden="true">+1</span>`;
  const colour = latest && table.round.top === turn.card ? table.round.colour : null;
  return html`<${CardFace} card=${cardNamed(editionOf(table), turn.card)} colour=${colour} />`;
}

/**
 * @param {Table.View} table
 * @param {Table.TurnShown} turn
 */
function played(table, turn) {
  const card = turn.card === null ? t("plays.drew") : cardTitle(cardNamed(editionOf(table), turn.card));
  return t("plays.one", { name: nameOf(table, turn.seat), card });
}

/** @param {Page.AtTable<Page.InRound>} props */
export function ChangePlay({ table, turn: number }) {
  const turn = table.round?.turns.find((one) => one.number === number);
  const [drawn, setDrawn] = useState(false);
  const [wild, setWild] = useState(null);
  if (!turn) return null;
  const edition = editionOf(table);
  const send = (/** @type {object} */ fields) => act("change_play", { turn: number, ...fields }, close);
  const lay = (/** @type {Table.CardShown} */ card, /** @type {Page.Colour | null} */ colour = null) =>
    send({ card: card.card, ...(colour && { colour }), ...(drawn && { drawn }) });
  // The colour of the latest card is asked for beside the game; that of an older one must be known here.
  const latest = table.round.turns.at(-1) === turn;
  const tap = (/** @type {Table.CardShown} */ card) => (card.colour || latest ? lay(card) : setWild(card));
  return html`<${Dialog} title=${t("plays.change", { play: played(table, turn) })} wide>
    <div class="turn-line change-play">
      <${Button} disabled=${!acting() || drawn} onTap=${() => send({})}>${t("refereed.drew")}<//>
      <button type="button" class="button" aria-pressed=${drawn} disabled=${!acting()}
        onClick=${() => setDrawn(!drawn)}>${t("refereed.drew_played")}</button>
      <${Button} tone="danger" disabled=${!acting()} onTap=${() => send({ remove: true })}>${t("plays.remove")}<//>
    </div>
    ${
      wild
        ? html`<h3>${t("refereed.which_colour", { card: cardTitle(wild) })}</h3>
          <${ColourPicker} onPick=${(colour) => lay(wild, colour)} />`
        : html`<${CardGrid} edition=${edition} disabled=${!acting()} onTap=${tap} />`
    }
  <//>`;
}
