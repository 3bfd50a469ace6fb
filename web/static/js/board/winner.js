// The winner, with what the match will be remembered for.

import { html } from "../../vendor/htm-preact.js";
import { listed, t } from "../core/texts.js";
import { Mark } from "../parts/components.js";
import { Confetti } from "../parts/confetti.js";
import { Fit } from "../parts/fit.js";
import { marksOf } from "../score/track.js";
import { inOrder } from "./standings.js";
import { told, useFigures } from "./tonight.js";
import { inTwo } from "./verdict.js";

const AWARDS = 4;

/** @param {Page.AtTable<Page.InMatch>} props */
export function Winner({ table }) {
  const { match } = table;
  const figures = useFigures(match);
  const marks = marksOf(match);
  const winners = match.players.filter((player) => match.winners.includes(player.player));
  const names = listed(winners.map((winner) => winner.name));
  const { before, after } = inTwo(winners.length > 1 ? "won.shared" : "won.one", "names", {});
  const ends = /\p{Letter}/u.test(after) ? "" : after; // a bare mark has no line of its own
  const seats = winners.flatMap((winner) => winner.seat ?? []);
  return html`<main class="winner-show">
    <${Confetti} seats=${seats} />
    <div class="winner-name">
      <${Mark} seat=${seats[0] ?? 1} />
      <h1 class="verdict-line"
        style=${{ "--letters": Math.max(10, before.length, names.length + ends.length, after.length) }}>
        ${before && html`<span>${before}</span>`}<span><em>${names}</em>${ends}</span>
        ${!ends && html`<span>${after}</span>`}</h1>
      <${Mark} seat=${seats.at(-1) ?? 1} />
    </div>
    <div class="show-chequers" aria-hidden="true"></div>
    <ul class="show-awards">
      ${[...comeback(figures), ...told(figures)].slice(0, AWARDS).map(
        (fact) => html`<li key=${fact.title}><p class="fact"><span class="fact-title">${fact.title}</span>
          <strong class="fact-figure">${fact.figure}</strong><span class="fact-text">${fact.text}</span></p></li>`,
      )}
    </ul>
    <ol class="winner-standing">
      ${inOrder(match).map(
        (player) => html`<li key=${player.player} class=${match.winners.includes(player.player) ? "leader" : ""}>
          <${Mark} seat=${marks[player.player]} /><${Fit} text=${player.name} /> <strong>${player[match.scoring]}</strong></li>`,
      )}
    </ol>
    <p class="winner-after">${t("felt.after", { count: match.rounds.length })}</p>
  </main>`;
}

/** @param {any} figures */
function comeback(figures) {
  const [one] = figures?.comebacks ?? [];
  return one ? [{ title: t("show.comeback"), figure: one.behind, text: t("show.comeback_text", one) }] : [];
}
