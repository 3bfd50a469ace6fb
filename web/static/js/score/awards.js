// What a match is remembered for, alike on every screen: a title, a figure, and whose it is.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { counted } from "../core/counted.js";
import { listed, t } from "../core/texts.js";
import { ms } from "../race/margin.js";

const BEHIND = 2000; // milliseconds after which the past has surely caught up with the table
const AWARDS = 4;

// The rarest first.
/** @param {{ match: Table.MatchShown }} props */
export function Awards({ match }) {
  const figures = useFigures(match);
  const facts = [...comeback(figures), ...told(figures)].slice(0, AWARDS);
  return html`<ul class="awards">
    ${facts.map((fact) => html`<li key=${fact.title}><${Fact} ...${fact} /></li>`)}
  </ul>`;
}

/** @param {{ title: string; figure: string | number; text: string }} props */
export function Fact({ title, figure, text }) {
  return html`<p class="fact"><span class="fact-title">${title}</span>
    <strong class="fact-figure">${figure}</strong><span class="fact-text">${text}</span></p>`;
}

// The figures of this match; asked for once more a moment later, when the past has it too.
/**
 * @param {Table.MatchShown} match
 * @returns {any}
 */
export function useFigures({ number, rounds }) {
  const [figures, setFigures] = useState(null);
  useEffect(() => {
    let wanted = true;
    const ask = () =>
      fetch(`/api/statistics?from=${number}&to=${number}`)
        .then((answer) => (answer.ok ? answer.json() : null))
        .then((answer) => wanted && answer && setFigures(answer))
        .catch(() => undefined);
    ask();
    const timer = setTimeout(ask, BEHIND);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [number, rounds.length]);
  return figures;
}

/** @param {any} figures */
function comeback(figures) {
  const [one] = figures?.comebacks ?? [];
  return one ? [{ title: t("show.comeback"), figure: one.behind, text: t("show.comeback_text", one) }] : [];
}

// What the presses tell: the closest race, who is never last, the first hands, the sharpest eye.
/** @param {any} figures */
export function told(figures) {
  if (!figures) return [];
  const { shave, hands, calls } = figures;
  const facts = [];
  if (shave)
    facts.push({
      title: t("show.closest"),
      figure: t("race.ms", { ms: ms(shave.margin) }),
      text: t("show.closest_text", shave),
    });
  const safe = top(hands, "safe");
  if (safe.most > 2) facts.push({ title: t("show.unbeaten"), figure: counted("races", safe.most), text: safe.names });
  const first = top(hands, "first");
  if (first.most > 0)
    facts.push({ title: t("show.first_hand"), figure: t("show.times", { count: first.most }), text: first.names });
  const forgot = top(calls, "forgot");
  if (forgot.most > 0)
    facts.push({ title: t("share.caught"), figure: t("show.times", { count: forgot.most }), text: forgot.names });
  const caught = top(calls, "caught");
  if (caught.most > 0)
    facts.push({ title: t("show.sharp_eye"), figure: t("show.times", { count: caught.most }), text: caught.names });
  return facts;
}

/**
 * @param {any[]} people
 * @param {string} what
 */
function top(people, what) {
  const most = Math.max(0, ...people.map((one) => one[what]));
  const names = listed(people.filter((one) => one[what] === most).map((one) => one.name));
  return { most, names };
}
