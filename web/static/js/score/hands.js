// The end of a round: each hand left is tapped in, then both scorings are shown before the score.

import { html, useState } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { counted } from "../core/counted.js";
import { t } from "../core/texts.js";
import { CardFace, CardGrid, cardTitle } from "../parts/cards.js";
import { acting, Button, editionOf, Heard, Mark, nameOf } from "../parts/components.js";
import { isCrowded, sizeOf } from "../parts/seat_places.js";

/** @param {Page.AtTable<Page.InRound>} props */
export function Hands({ table }) {
  const round = table.round;
  const scored = table.seats.filter((seat) => seat.scored).map((seat) => seat.number);
  const others = scored.filter((seat) => seat !== round.out);
  const [chosen, setChosen] = useState(null);
  const current = others.includes(chosen) ? chosen : (round.missing_hands[0] ?? null);
  return html`<section class="block hands">
    <ul class="tabs ${isCrowded(scored.length) ? "crowded" : ""}" role="tablist" aria-label=${t("hands.title")}>
      ${others.map(
        (seat) => html`<li key=${seat} role="presentation">
          <button type="button" role="tab" class="tab ${round.left[seat] ? "counted" : ""}"
            aria-selected=${seat === current}
            data-seat=${seat} onClick=${() => setChosen(seat)}>
            <${Mark} seat=${seat} /><span class=${sizeOf(nameOf(table, seat))}>${nameOf(table, seat)}</span>
            <strong>${round.left[seat] ? t("hands.points", { points: round.left[seat].points }) : "…"}</strong>
          </button></li>`,
      )}
    </ul>
    ${
      current === null
        ? html`<${Result} table=${table} />`
        : html`<${Entry} key=${current} table=${table} seat=${current} onDone=${() => setChosen(null)} />`
    }
  </section>`;
}

// On the tablet the referee counts; on a phone its player does.
/** @param {Page.AtTable<Page.InRound>} props */
export function Entry({ table, seat, onDone, able = acting(), own = false }) {
  const edition = editionOf(table);
  const before = table.round.left[seat];
  const [cards, setCards] = useState(before?.cards ?? {});
  const [typed, setTyped] = useState(before && !before.cards ? String(before.points) : "");
  const name = nameOf(table, seat);
  const held = edition.cards.filter((card) => cards[card.card]);
  const points = held.reduce((sum, card) => sum + card.points * cards[card.card], 0);
  const count = held.reduce((sum, card) => sum + cards[card.card], 0);
  const add = (card, more) => setCards({ ...cards, [card.card]: (cards[card.card] ?? 0) + more });
  const elsewhere = (card) =>
    Object.entries(table.round.left).reduce(
      (sum, [one, left]) => sum + (Number(one) === seat ? 0 : (left.cards?.[card.card] ?? 0)),
      0,
    );
  const full = (card) => (cards[card.card] ?? 0) + elsewhere(card) >= card.copies;
  const enter = async () => {
    const kept = Object.fromEntries(Object.entries(cards).filter(([, copies]) => copies > 0));
    if (await act("enter_hand", { seat, cards: kept })) onDone();
  };
  const enterPoints = async () => {
    if (await act("enter_points", { seat, points: Number(typed) })) onDone();
  };
  return html`<div class="entry" data-seat=${seat}>
    <div class="held" role="group" aria-label=${t("hands.held", { name })}>
      ${count === 0 && html`<p class="hint">${own ? t("phone.tap") : t("hands.tap", { name })}</p>`}
      ${held.map(
        (card) => html`<button type="button" class="taken" key=${card.card} onClick=${() => add(card, -1)}>
          <${Heard}>${t("hands.take_out", { card: cardTitle(card) })}<//><${CardFace} card=${card} />
          ${cards[card.card] > 1 && html`<span class="count" aria-hidden="true">${cards[card.card]}</span>`}</button>`,
      )}
    </div>
    <${CardGrid} edition=${edition} counts=${cards} disabled=${!able} full=${full} onTap=${(card) => add(card, 1)} />
    <div class="entry-foot">
      <output class="running">
        ${t("hands.running", { cards: counted("cards", count), points: counted("points", points) })}
      </output>
      <${Button} tone="primary" class="big-action" disabled=${!able || count === 0} onTap=${enter}>
        ${own ? t("phone.enter") : t("hands.enter", { name })}
      <//>
      <label class="typed">${t("hands.typed")}
        <input class="field number" inputmode="numeric" pattern="[0-9]*" value=${typed} disabled=${!able} maxlength="5"
          onInput=${(event) => setTyped(event.target.value.replace(/\D/g, ""))} /></label>
      <${Button} disabled=${!able || typed === ""} onTap=${enterPoints}>${t("hands.enter_points")}<//>
      ${
        before &&
        html`<${Button} tone="quiet" disabled=${!able} onTap=${() => act("clear_hand", { seat })}>
          ${t("hands.clear")}
        <//>`
      }
    </div>
  </div>`;
}

// Both scorings from the same hands; the match's own one decides.
/** @param {Page.AtTable<Page.InRound>} props */
function Result({ table }) {
  const { preview, out, left } = table.round;
  if (!preview) return null;
  const scoring = table.match.scoring;
  const nobody = preview.winners.length === 0;
  const names = (players) => table.match.players.filter((one) => players.includes(one.player)).map((one) => one.name);
  return html`<div class="result">
    <table class="sheet">
      <caption>${t("hands.result")}</caption>
      <thead><tr><th scope="col">${t("sheet.player")}</th><th scope="col">${t("hands.left")}</th>
        ${["classic", "alternative"].map(
          (one) => html`<th scope="col" key=${one} class=${one === scoring ? "own" : ""}>
            ${t(`scoring.${one}.title`)}
          </th>`,
        )}</tr></thead>
      <tbody>
        ${table.seats
          .filter((seat) => seat.scored)
          .map(
            (seat) => html`<tr key=${seat.number}>
              <th scope="row"><${Mark} seat=${seat.number} /> ${seat.name}</th>
              <td>
                ${seat.number === out ? t("sheet.out") : left[seat.number].points}
                ${seat.number !== out && !left[seat.number].cards && html` <small>${t("hands.unchecked")}</small>`}
              </td>
              ${["classic", "alternative"].map(
                (one) => html`<td key=${one} class=${one === scoring ? "own" : ""}>
                  +${preview[one][seat.player]} → <strong>${preview[`${one}_totals`][seat.player]}</strong>
                </td>`,
              )}
            </tr>`,
          )}
      </tbody>
    </table>
    ${
      !nobody &&
      html`<p class="wins">
        ${t("hands.would_win", { names: names(preview.winners).join(t("list.separator")) })}
      </p>`
    }
    <div class="go">
      <${Button} tone="primary" class="huge" disabled=${!acting()} onTap=${() => act("score_round")}>
        ${t("hands.score")}
      <//>
    </div>
  </div>`;
}
