// Some matches in figures and pictures: large ones first, to be read across the table.

import { html, useEffect, useRef, useState } from "../../../vendor/htm-preact.js";
import { counted, number } from "../../core/counted.js";
import { displayName, listed, t } from "../../core/texts.js";
import { Button, Mark } from "../../parts/components.js";
import { Declared } from "./declared.js";
import { LastPlaces, Rivals, SlapTimes } from "./hands.js";
import { alone, foremost, markOf, millis, mostFirst } from "./parts.js";
import { Catches, Comebacks, PointsPerRound, WinRates } from "./rounds.js";

/** @param {{ query?: string }} props */
export function Statistics({ query = "" }) {
  const { found, failed, again } = useFigures(query);
  if (failed)
    return html`<div class="statistics" role="alert">
      <p class="hint">${t("statistics.failed")}</p><${Button} onTap=${again}>${t("statistics.again")}<//>
    </div>`;
  if (!found) return html`<p class="hint statistics" role="status">${t("statistics.waiting")}</p>`;
  if (found.rounds + found.races + found.calls.length === 0)
    return html`<p class="hint statistics">${t("statistics.none")}</p>`;
  const night = named(found);
  return html`<section class="statistics" aria-label=${t("statistics.title")}>
    <${Totals} night=${night} />
    <${Highlights} night=${night} />
    <div class="pictures">
      <${SlapTimes} night=${night} />
      <${LastPlaces} night=${night} />
      <${Catches} night=${night} />
      <${Rivals} night=${night} />
      <${PointsPerRound} night=${night} />
      <${WinRates} night=${night} />
      <${Comebacks} night=${night} />
      <${Declared} night=${night} />
    </div>
  </section>`;
}

// What was shown stays until the next answer is there, so that nothing jumps while somebody filters;
// where none comes, only figures of these very matches stay.
/** @param {string} query */
function useFigures(query) {
  /** @type {{ query: string | null, found: any, failed: boolean }} */
  const nothingAsked = { query: null, found: null, failed: false };
  const [answer, setAnswer] = useState(nothingAsked);
  const asked = useRef(query);
  asked.current = query;
  const ask = async () => {
    const found = await fetch(`/api/statistics${query && `?${query}`}`)
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    if (asked.current !== query) return;
    setAnswer((before) => (found || before.query !== query ? { query, found, failed: !found } : before));
  };
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && ask();
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [query]);
  return { ...answer, again: ask };
}

// A player without a name is called as the page's language has it, in every list.
/**
 * @param {any} value
 * @param {string} key
 * @returns {any}
 */
function named(value, key = "") {
  if (Array.isArray(value)) return value.map((one) => (typeof one === "string" ? displayName(one) : named(one)));
  if (typeof value === "string") return ["name", "by", "loser", "saved"].includes(key) ? displayName(value) : value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, named(one, name)]));
}

/** @param {{ night: Past.Night }} props */
function Totals({ night }) {
  /** @type {[string, number][]} */
  const races = [
    ["races", night.races],
    ["heats", night.dead_heats],
  ];
  /** @type {[string, number][]} */
  const figures = [["matches", night.matches.length], ["rounds", night.rounds], ...(night.races ? races : [])];
  return html`<dl class="totals">${figures.map(
    ([what, count]) => html`<div key=${what} data-total=${what}>
      <dt>${t(`statistics.total.${what}`)}</dt><dd>${number(count)}</dd></div>`,
  )}</dl>`;
}

/** @param {{ night: Past.Night }} props */
function Highlights({ night }) {
  const { shave } = night;
  const winners = foremost(night.winners, (one, other) => other.rounds - one.rounds);
  const firsts = foremost(alone(night) ? [] : night.hands, mostFirst);
  return html`<div class="highlights">
    ${
      stands(firsts) &&
      firsts[0].first > 0 &&
      html`<${Highlight} night=${night} kind="first" names=${firsts.map((one) => one.name)}
        small=${t("statistics.first_text", {
          count: number(firsts[0].first),
          races: counted("races", firsts[0].races),
        })} />`
    }
    ${
      shave &&
      html`<${Highlight} night=${night} kind="shave" names=${[shave.loser]} big=${millis(shave.margin)}
        href=${`/history?match=${shave.match}&race=${shave.ruling}`}
        small=${t("statistics.shave_text", {
          loser: shave.loser,
          saved: shave.saved,
          match: number(shave.match),
          round: number(shave.round),
        })} />`
    }
    ${
      stands(winners) &&
      html`<${Highlight} night=${night} kind="rounds" names=${winners.map((one) => one.name)}
        small=${t("statistics.rounds_text", { rounds: counted("rounds", winners[0].rounds) })} />`
    }
  </div>`;
}

// Where more than these are the best together, none stands out.
const TOGETHER = 3;

/** @param {unknown[]} best */
function stands(best) {
  return best.length > 0 && best.length <= TOGETHER;
}

/** @param {{ night: Past.Night; kind: string; names: string[]; big?: string; small: string; href?: string }} props */
function Highlight({ night, kind, names, big = listed(names), small, href }) {
  return html`<div class="highlight" data-highlight=${kind}>
    <span class="what">${t(`statistics.highlight.${kind}`)}</span>
    <span class="big">
      ${names.map((name) => html`<${Mark} key=${name} seat=${markOf(night, name)} />`)}
      <strong class=${big.length > 12 ? "long" : ""}>${big}</strong>
    </span>
    <small>${small}</small>
    ${href && html`<a class="button quiet" href=${href}>${t("statistics.look")}</a>`}
  </div>`;
}
