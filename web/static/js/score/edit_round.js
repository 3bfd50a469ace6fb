// An earlier round is changed: who went out, and each hand on the same grid on which it was counted.

import { html, useState } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { counted } from "../core/counted.js";
import { close } from "../core/store.js";
import { t } from "../core/texts.js";
import { acting, Button, Dialog, editionOf, Heard } from "../parts/components.js";
import { Fit } from "../parts/fit.js";
import { isCrowded } from "../setup/seat_places.js";
import { HandEntry } from "./hand_entry.js";

// What is not touched stays as it was counted; nothing happens before it is saved.
/** @param {Page.AtTable<Page.InMatch> & { round: number }} props */
export function EditRound({ table, round: number }) {
  const round = table.match?.rounds.find((one) => one.number === number);
  const [out, setOut] = useState(round?.out);
  const [changed, setChanged] = useState(/** @type {Record<number, Table.Left>} */ ({}));
  const [entering, setEntering] = useState(/** @type {number | null} */ (null));
  if (!round) return null;
  const edition = editionOf(table);
  const players = table.match.players.filter((player) => player.player === round.out || round.hands[player.player]);
  const hands = { ...round.hands, ...changed };
  const counting = players.filter((player) => player.player !== out);
  const enteringPlayer = counting.find((player) => player.player === entering);
  const others = counting.filter((player) => player.player !== entering && hands[player.player]);
  const take = (/** @type {Table.Left} */ hand) => {
    setChanged({ ...changed, [Number(entering)]: hand });
    setEntering(null);
  };
  const save = () => act("edit_round", { round: number, ...fieldsOf(round, out, changed) }, close);
  const crowded = isCrowded(players.length);
  return html`<${Dialog} title=${t("edit.title", { number })} wide=${crowded}>
    <p class="hint">${t("edit.help")}</p>
    <ul class="edit-list ${crowded ? "crowded" : ""}">
      ${players.map(
        (player) => html`<li key=${player.player} data-player=${player.player}>
          <${Fit} text=${player.name} />
          ${
            out !== player.player &&
            html`<button type="button" class="button edit-hand" disabled=${!acting()}
              onClick=${() => setEntering(player.player)}>
              <${Heard}>${t("edit.hand", { name: player.name, number })}: <//>${inWords(hands[player.player])}
            </button>`
          }
          <button type="button" class="button out" aria-pressed=${out === player.player} disabled=${!acting()}
            onClick=${() => setOut(player.player)}><${Heard}>${player.name}: <//>${t("edit.out")}</button>
        </li>`,
      )}
    </ul>
    <div class="go">
      <${Button} tone="primary" disabled=${!acting() || !counting.every((player) => hands[player.player])}
        onTap=${save}>${t("edit.save")}<//>
    </div>
    ${
      enteringPlayer &&
      html`<${Dialog} wide title=${t("edit.hand", { name: enteringPlayer.name, number })}
        onClose=${() => setEntering(null)}>
        <${HandEntry} edition=${edition} name=${enteringPlayer.name} able=${acting()} hand=${hands[Number(entering)]}
          others=${others.map((player) => hands[player.player])}
          onCards=${(cards) => take({ cards, points: pointsOf(edition, cards) })}
          onPoints=${(points) => take({ cards: null, points })} />
      <//>`
    }
  <//>`;
}

/** @param {Table.Left | undefined} hand */
function inWords(hand) {
  if (!hand) return t("edit.count");
  const points = counted("points", hand.points);
  if (!hand.cards) return html`<span>${points} <small>${t("hands.unchecked")}</small></span>`;
  const count = Object.values(hand.cards).reduce((sum, copies) => sum + copies, 0);
  return t("hands.running", { cards: counted("cards", count), points });
}

/**
 * The command says only what was changed: cards where they are known, or a bare total.
 * @param {Table.SheetLine} round
 * @param {number | undefined} out
 * @param {Record<number, Table.Left>} changed
 */
function fieldsOf(round, out, changed) {
  const hands = Object.entries(changed).filter(([player]) => Number(player) !== out);
  const cards = hands.filter(([, hand]) => hand.cards).map(([player, hand]) => [player, hand.cards]);
  const points = hands.filter(([, hand]) => !hand.cards).map(([player, hand]) => [player, hand.points]);
  return {
    ...(out !== round.out && { out }),
    ...(cards.length && { hands: Object.fromEntries(cards) }),
    ...(points.length && { points: Object.fromEntries(points) }),
  };
}

/**
 * @param {Table.EditionShown} edition
 * @param {Record<string, number>} cards
 */
function pointsOf(edition, cards) {
  return edition.cards.reduce((sum, card) => sum + card.points * (cards[card.card] ?? 0), 0);
}
