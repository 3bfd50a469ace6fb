// The winner, alike on every screen: confetti in the own mark, the awards of the match, and where everybody stands.

import { html } from "../../vendor/htm-preact.js";
import { listed, t } from "../core/texts.js";
import { Mark } from "../parts/components.js";
import { Confetti } from "../parts/confetti.js";
import { Fit } from "../parts/fit.js";
import { bright, Large } from "../race/large.js";
import { Awards } from "./awards.js";
import { inOrder } from "./places.js";
import { marksOf } from "./track.js";

/** @param {Page.AtTable<Page.InMatch>} props */
export function Winner({ table }) {
  const { match } = table;
  const marks = marksOf(match);
  const winners = match.players.filter((player) => match.winners.includes(player.player));
  const names = listed(winners.map((winner) => bright(winner.name)));
  const seats = winners.flatMap((winner) => winner.seat ?? []);
  return html`<div class="winner-show">
    <div class="winner-rays" aria-hidden="true"></div>
    <${Confetti} seats=${seats} />
    <div class="winner-name">
      <${Crowned} seat=${seats[0] ?? 1} />
      <${Large} text=${t(winners.length > 1 ? "won.shared" : "won.one", { names })} />
      <${Crowned} seat=${seats.at(-1) ?? 1} />
    </div>
    <div class="chequers winner-line" aria-hidden="true"></div>
    <${Awards} match=${match} />
    <ol class="winner-standing" style=${{ "--columns": columnsFor(match.players.length) }}>
      ${inOrder(match).map(
        (player) => html`<li key=${player.player} class=${match.winners.includes(player.player) ? "leader" : ""}>
          <${Mark} seat=${marks[player.player]} /><${Fit}
            text=${player.name} /> <strong>${player[match.scoring]}</strong></li>`,
      )}
    </ol>
    <p class="winner-after">${t("felt.after", { count: match.rounds.length })}</p>
  </div>`;
}

/** @param {{ seat: number }} props */
function Crowned({ seat }) {
  return html`<span class="crowned"><svg class="crown" viewBox="-4 -4 108 84" aria-hidden="true">
    <path d="M8 58 0 14 27 36 50 0 73 36 100 14 92 58ZM8 64H92V76H8Z" /></svg><${Mark} seat=${seat} /></span>`;
}

// Up to five beside each other, in lines that are as full as each other.
/** @param {number} players */
function columnsFor(players) {
  return Math.ceil(players / Math.ceil(players / 5));
}
