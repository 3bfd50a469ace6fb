// The night in figures: fastest hands, closest shave, rivals, and who catches whom.

import { html } from "../vendor/htm-preact.js";
import { useAnswer } from "./invite.js";
import { called, t } from "./texts.js";

export function Statistics({ query, matches }) {
  const found = useAnswer(`/api/statistics?${query ?? `from=${Math.min(...matches)}&to=${Math.max(...matches)}`}`);
  if (!found || found.rounds + found.races === 0) return null;
  const night = named(found);
  return html`<section class="statistics" aria-label=${t("history.statistics")}>
    <h3>${t("history.statistics")}</h3>
    <div class="highlights">
      ${night.winners.length > 0 && html`<${Highlight} title=${t("history.most_rounds")} who=${best(night.winners, "rounds").name} what=${t("history.rounds", { count: best(night.winners, "rounds").rounds })} />`}
      ${night.hands.length > 0 && html`<${Highlight} title=${t("history.fastest")} who=${night.hands[0].name} what=${fastest(night.hands[0])} />`}
      ${night.shave && html`<${Highlight} title=${t("history.shave")} who=${t("history.by", { margin: ms(night.shave.margin) })}
        what=${t("history.shave_text", { loser: night.shave.loser, saved: night.shave.saved, match: night.shave.match, round: night.shave.round })} />`}
      ${night.rivals.map((pair) => html`<${Highlight} key=${pair.names.join()} title=${t("history.rivals")} who=${t("history.pair", { one: pair.names[0], other: pair.names[1] })}
        what=${t("history.duels", { count: pair.duels, one: pair.names[0], lost: pair.lost[0], other: pair.names[1], lost_too: pair.lost[1] })} />`)}
    </div>
    ${night.hands.length > 0 && html`<${Figures} caption=${t("history.hands", { races: night.races, heats: night.dead_heats })}
      columns=${["races", "first", "last", "behind", "quickest"]}
      rows=${night.hands.map((hand) => [hand.name, hand.races, hand.first, hand.last, time(hand.behind), time(hand.slaps && hand.slaps.best)])} />`}
    ${night.calls.length > 0 && html`<${Figures} caption=${t("history.catches")} columns=${["caught", "missed", "forgot", "saved"]}
      rows=${night.calls.map((one) => [one.name, one.caught, one.missed, one.forgot, one.saved])} />`}
  </section>`;
}

function named(night) {
  const own = (list) => list.map((one) => ({ ...one, name: called(one.name) }));
  const shave = night.shave && { ...night.shave, loser: called(night.shave.loser), saved: called(night.shave.saved) };
  const rivals = night.rivals.map((pair) => ({ ...pair, names: pair.names.map(called) }));
  return { ...night, winners: own(night.winners), hands: own(night.hands), calls: own(night.calls), shave, rivals };
}

function best(list, field) {
  return list.reduce((one, other) => (other[field] > one[field] ? other : one));
}

function fastest(hand) {
  return !hand.behind ? t("history.firsts", { count: hand.first }) : t("history.fastest_text", { count: hand.first, ms: ms(hand.behind) });
}

function ms(nanoseconds) {
  return (nanoseconds / 1e6).toFixed(nanoseconds < 1e8 ? 1 : 0);
}

function time(nanoseconds) {
  return nanoseconds === null ? "–" : t("race.ms", { ms: ms(nanoseconds) });
}

function Highlight({ title, who, what }) {
  return html`<div class="highlight"><span>${title}</span><strong>${who}</strong><small>${what}</small></div>`;
}

function Figures({ caption, columns, rows }) {
  return html`<div class="sheet-scroll" tabindex="0" role="region" aria-label=${caption}><table class="sheet">
    <caption>${caption}</caption>
    <thead><tr><th scope="col">${t("sheet.player")}</th>${columns.map((name) => html`<th scope="col" key=${name}>${t(`history.column.${name}`)}</th>`)}</tr></thead>
    <tbody>${rows.map(([name, ...figures]) => html`<tr key=${name}><th scope="row">${name}</th>${figures.map((figure, at) => html`<td key=${at}>${figure}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}
