// Between rounds: what the evening has brought so far, and who needs what to win.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { counted } from "../core/counted.js";
import { t } from "../core/texts.js";
import { Fact, told, useFigures } from "../score/awards.js";
import { inOrder } from "../score/places.js";
import { Chart } from "../score/track.js";

const MOST = 5;
const FEW = 2; // facts beside which the chart finds room
const TURN = 12000; // milliseconds

// Where there is enough to tell, words and the chart take turns.
/** @param {Page.AtTable<Page.InMatch>} props */
export function Tonight({ table }) {
  const figures = useFigures(table.match);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((now) => now + 1), TURN);
    return () => clearInterval(timer);
  }, []);
  const facts = [...standing(table.match), ...told(figures)].slice(0, MOST);
  const many = facts.length > FEW;
  return html`<aside class="tonight" aria-label=${t("show.tonight")}>
    <h2>${t("show.tonight")}</h2>
    ${(!many || turn % 2 === 1) && html`<${Chart} match=${table.match} far />`}
    ${
      (!many || turn % 2 === 0) &&
      html`<ul>${facts.map((fact) => html`<li key=${fact.title}><${Fact} ...${fact} /></li>`)}</ul>`
    }
  </aside>`;
}

// What the score sheet alone tells.
/** @param {Table.MatchShown} match */
function standing(match) {
  const [first] = inOrder(match);
  if (!first) return [];
  return [needed(match, first), streak(match), best(match)].filter((fact) => fact !== null);
}

/**
 * @param {Table.MatchShown} match
 * @param {Table.PlayerShown} first
 */
function needed(match, first) {
  if (match.winners.length) return null;
  if (match.scoring === "classic")
    return {
      title: t("show.needs"),
      figure: match.target - first.classic,
      text: t("show.needs_text", { name: first.name }),
    };
  const near = inOrder(match).at(-1) ?? first;
  if (2 * near.alternative < match.target) return null;
  return {
    title: t("show.limit"),
    figure: match.target - near.alternative,
    text: t("show.limit_text", { name: near.name }),
  };
}

/** @param {Table.MatchShown} match */
function streak(match) {
  const outs = match.rounds.map((round) => round.out).reverse();
  const other = outs.findIndex((out) => out !== outs[0]);
  const count = other < 0 ? outs.length : other;
  if (count < 2) return null;
  const text = t("show.streak_text", { name: nameIn(match, outs[0]) });
  return { title: t("show.streak"), figure: counted("rounds", count), text };
}

/** @param {Table.MatchShown} match */
function best(match) {
  const rounds = match.rounds.map(({ out, number, hands }) => {
    const points = Object.values(hands).reduce((sum, hand) => sum + hand.points, 0);
    return { name: nameIn(match, out), number, points };
  });
  if (!rounds.length) return null;
  const top = rounds.reduce((one, other) => (other.points > one.points ? other : one));
  return { title: t("show.best_round"), figure: counted("points", top.points), text: t("show.best_round_text", top) };
}

/**
 * @param {Table.MatchShown} match
 * @param {number} player
 */
function nameIn(match, player) {
  return match.players.find((one) => one.player === player)?.name ?? "";
}
