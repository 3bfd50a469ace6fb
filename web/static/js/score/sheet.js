// The score: how near everyone is to the target, the sheet round by round.

import { html } from "../../vendor/htm-preact.js";
import { open } from "../core/store.js";
import { t } from "../core/texts.js";
import { acting, Button, Dialog } from "../parts/components.js";
import { Chart, Track } from "./track.js";

/** @param {Page.AtTable<Page.InMatch>} props */
export function Standing({ table }) {
  const match = table.match;
  const other = match.scoring === "classic" ? "alternative" : "classic";
  return html`<div class="standing">
    <div class="standing-head"><h2>${t("sheet.standing")}</h2>
      <span class="hint">${t(`sheet.goal_${match.scoring}`, { target: match.target })}</span></div>
    <${Track} match=${match} />
    <p class="hint">${t("sheet.other_help", { scoring: t(`scoring.${other}.title`) })}</p>
  </div>`;
}

/** @param {Page.AtTable} props */
export function ScoreSheet({ table }) {
  const match = table.match;
  if (!match) return null;
  return html`<${Dialog} title=${t("sheet.title", { number: match.number })} wide>
    <${Standing} table=${table} />
    <${Chart} match=${match} />
    <${SheetTable} match=${match} onEdit=${(round) => open("edit", { round })} />
    <div class="row">
      <${Button} onTap=${() => print()}>${t("sheet.print")}<//>
      <a class="button quiet" href=${`/api/matches/${match.number}.csv`} download>${t("sheet.csv")}</a>
    </div>
  <//>`;
}

// Round by round; of a past match nothing is edited any more.
/** @param {{ match: Table.MatchShown; [more: string]: any }} props */
export function SheetTable({ match, onEdit }) {
  return html`<div class="sheet-scroll" tabindex="0" role="region" aria-label=${t("sheet.rounds")}>
    <table class="sheet">
      <thead><tr><th scope="col">${t("sheet.round")}</th>
        ${match.players.map((player) => html`<th scope="col" key=${player.player}>${player.name}</th>`)}
        ${onEdit && html`<td></td>`}</tr></thead>
      <tbody>
        ${match.rounds.map(
          (round) => html`<tr key=${round.number}>
            <th scope="row">${round.number}${round.edited && html` <small>${t("sheet.edited")}</small>`}</th>
            ${match.players.map(
              (player) => html`<${Cell} key=${player.player} match=${match} round=${round}
                player=${player.player} />`,
            )}
            ${
              onEdit &&
              html`<td>
                <${Button} tone="quiet" disabled=${!acting()} onTap=${() => onEdit(round.number)}>${t("sheet.edit")}<//>
              </td>`
            }
          </tr>`,
        )}
      </tbody>
      <tfoot>
        ${
          /** @type {("classic" | "alternative")[]} */ (["classic", "alternative"]).map(
            (scoring) => html`<tr key=${scoring} class=${scoring === match.scoring ? "own" : ""}>
            <th scope="row">${t(`scoring.${scoring}.title`)}</th>
            ${match.players.map((player) => html`<td key=${player.player}><strong>${player[scoring]}</strong></td>`)}
            ${onEdit && html`<td></td>`}</tr>`,
          )
        }
      </tfoot>
    </table>
  </div>`;
}

/** @param {{ match: Table.MatchShown; round: Table.SheetLine; [more: string]: any }} props */
function Cell({ match, round, player }) {
  const left = round.hands[player];
  if (player === round.out)
    return html`<td class="went-out">${t("sheet.out")}<small>${round[match.scoring][player]}</small></td>`;
  if (!left) return html`<td class="absent">–</td>`;
  return html`<td>${left.points}<small>${round[match.scoring][player]}</small></td>`;
}
