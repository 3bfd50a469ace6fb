// The end of a round: each hand left is tapped in, then both scorings are shown before the score.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { t } from "../core/texts.js";
import { acting, Button, editionOf, Mark, nameOf } from "../parts/components.js";
import { Fit } from "../parts/fit.js";
import { isCrowded } from "../setup/seat_places.js";
import { HandEntry } from "./hand_entry.js";

/** @type {("classic" | "alternative")[]} */
const SCORINGS = ["classic", "alternative"];

/** @param {Page.AtTable<Page.InRound>} props */
export function Hands({ table, children }) {
  const round = table.round;
  const scored = table.seats.filter((seat) => seat.scored).map((seat) => seat.number);
  const others = scored.filter((seat) => seat !== round.out);
  const [chosen, setChosen] = useState(null);
  const current = others.includes(chosen) ? chosen : (round.missing_hands[0] ?? null);
  useEffect(() => {
    // Beside each other on a phone, tabs may lie beyond the edge.
    document.querySelector(".tab[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return html`<section class="hands">
    <div class="beside-hand"><ul class="tabs" role="tablist" aria-orientation="vertical" aria-label=${t("hands.title")}>
      ${others.map(
        (seat) => html`<li key=${seat} role="presentation">
          <button type="button" role="tab" class="tab ${round.left[seat] ? "counted" : ""}"
            aria-selected=${seat === current}
            data-seat=${seat} onClick=${() => setChosen(seat)}>
            <${Mark} seat=${seat} /><${Fit} text=${nameOf(table, seat)} />
            <strong>${round.left[seat] ? t("hands.points", { points: round.left[seat].points }) : "…"}</strong>
          </button></li>`,
      )}
    </ul>${children}</div>
    ${
      current === null
        ? html`<${Result} table=${table} />`
        : html`<${EnterHand} key=${current} table=${table} seat=${current} onDone=${() => setChosen(null)} />`
    }
  </section>`;
}

// On the tablet the referee counts; on a phone its player does.
/** @param {Page.AtTable<Page.InRound>} props */
export function EnterHand({ table, seat, onDone, able = acting(), own = false }) {
  const left = table.round.left;
  const others = Object.keys(left).filter((one) => Number(one) !== seat);
  return html`<${HandEntry} edition=${editionOf(table)} name=${nameOf(table, seat)} able=${able} own=${own}
    hand=${left[seat]} others=${others.map((one) => left[one])}
    onCards=${(cards) => act("enter_hand", { seat, cards }, onDone)}
    onPoints=${(points) => act("enter_points", { seat, points }, onDone)}
    onClear=${left[seat] && (() => act("clear_hand", { seat }))} />`;
}

// Both scorings from the same hands; the match's own one decides.
/** @param {Page.AtTable<Page.InRound>} props */
function Result({ table }) {
  const { preview, out, left } = table.round;
  if (!preview) return null;
  const scoring = table.match.scoring;
  const totals = { classic: preview.classic_totals, alternative: preview.alternative_totals };
  const nobody = preview.winners.length === 0;
  const names = (/** @type {number[]} */ players) =>
    table.match.players.filter((one) => players.includes(one.player)).map((one) => one.name);
  return html`<div class="result ${isCrowded(table.seats.length) ? "crowded" : ""}">
    <table class="sheet">
      <caption>${t("hands.result")}</caption>
      <thead><tr><th scope="col">${t("sheet.player")}</th><th scope="col">${t("hands.left")}</th>
        ${SCORINGS.map(
          (one) => html`<th scope="col" key=${one} class=${one === scoring ? "own" : ""}>
            ${t(`scoring.${one}.title`)}
          </th>`,
        )}</tr></thead>
      <tbody>
        ${table.seats
          .filter((seat) => seat.scored)
          .map(
            (seat) => html`<tr key=${seat.number}>
              <th scope="row"><span class="result-name"><${Mark} seat=${seat.number} /><${Fit} text=${seat.name} />
                </span></th>
              <td>
                ${seat.number === out ? t("sheet.out") : left[seat.number].points}
                ${seat.number !== out && !left[seat.number].cards && html` <small>${t("hands.unchecked")}</small>`}
              </td>
              ${SCORINGS.map(
                (one) => html`<td key=${one} class=${one === scoring ? "own" : ""}>
                  +${preview[one][seat.player]} → <strong>${totals[one][seat.player]}</strong>
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
