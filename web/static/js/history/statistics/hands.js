// Hands in pictures: how fast they are, whose is last, and whose comes behind whose.

import { html } from "../../../vendor/htm-preact.js";
import { MS, marksUpTo, scale } from "../../core/axis.js";
import { counted, number } from "../../core/counted.js";
import { listed, t } from "../../core/texts.js";
import { Heard, Mark } from "../../parts/components.js";
import {
  Axis,
  alone,
  columns,
  DotKey,
  foremost,
  Grid,
  landscape,
  markOf,
  millis,
  Person,
  Picture,
  Row,
  Spread,
} from "./parts.js";

const ENOUGH = 5; // a hand that slapped less often than this may only have been lucky
const STEP = 20; // milliseconds in a bin, as the table counts them
const LONGEST = 2000; // the last bin holds all that came later than it begins
const HIGH = 62;
const FLOOR = 50;

/** @typedef {Past.Hand & { slaps: Past.Slaps }} TimedHand */

/** @param {{ night: Past.Night }} props */
export function SlapTimes({ night }) {
  const often = (/** @type {TimedHand} */ { slaps }) => slaps.count >= ENOUGH;
  const timed = night.hands
    .filter((hand) => hand.slaps !== null)
    .map((hand) => /** @type {TimedHand} */ (hand))
    .sort((a, b) => Number(often(b)) - Number(often(a)) || a.slaps.median - b.slaps.median);
  if (night.hands.length === 0) return null;
  if (timed.length === 0) return html`<${Picture} name="slaps" tells=${t("statistics.slaps.unknown")} />`;
  const most = reach(timed);
  const place = scale(0, most, 2, 96);
  const at = (/** @type {number} */ ms) => `${place(Math.min(ms, most))}%`;
  const isSeen = (/** @type {number} */ time) => time / MS <= most;
  const marks = marksUpTo(most);
  const bins = Math.min(Math.ceil(most / STEP), LONGEST / STEP - 1);
  const shown = (/** @type {Past.Slaps} */ slaps) => slaps.spread.slice(0, bins);
  const land = landscape(timed.map(({ slaps }) => shown(slaps)));
  const isHill = (/** @type {TimedHand} */ { slaps }) => land.isHill(shown(slaps));
  const [best] = timed;
  const some = often(best) && timed.some((hand) => !often(hand));
  const table = {
    columns: columns("slaps", "best", "quarter", "median", "three_quarters"),
    rows: timed.map(({ name, slaps }) => [
      name,
      number(slaps.count),
      millis(slaps.best),
      millis(slaps.lower),
      millis(slaps.median),
      millis(slaps.upper),
    ]),
  };
  return html`<${Picture} name="slaps" wide table=${table}
    note=${[t("statistics.slaps.note"), some && t("statistics.slaps.enough", { count: number(ENOUGH) })]
      .filter(Boolean)
      .join(" ")}
    tells=${t(often(best) ? "statistics.slaps.tells" : "statistics.slaps.once", {
      name: best.name,
      time: millis(best.slaps.median),
      count: number(best.slaps.count),
    })}>
    <ol class="stat-rows">${timed.map((hand) => {
      const { slaps } = hand;
      const beyond = slaps.times.length
        ? slaps.times.filter((time) => time / MS >= most).length
        : slaps.spread.slice(bins).reduce((sum, one) => sum + one, 0);
      return html`<${Row} key=${hand.name} night=${night} name=${hand.name} high=${HIGH} value=${millis(slaps.median)}
        more=${slaps.count > 1 && t("statistics.slaps.best", { time: millis(slaps.best) })}>
        <${Grid} marks=${marks} at=${at} high=${FLOOR} />
        <line class="floor" x1="0" x2="100%" y1=${FLOOR} y2=${FLOOR} />
        ${slaps.count > 2 && !isHill(hand) && isSeen(slaps.median) && html`<${Median} x=${at(slaps.median / MS)} />`}
        <${Spread} spread=${shown(slaps)}
          values=${slaps.times.length ? slaps.times.map((time) => time / MS).filter((ms) => ms < most) : null}
          land=${land} at=${at} step=${STEP} floor=${FLOOR} high=${FLOOR - 4} width=${most / 60} />
        ${
          slaps.count > 3 &&
          isSeen(slaps.lower) &&
          html`<line class="middle-half" x1=${at(slaps.lower / MS)}
            x2=${at(slaps.upper / MS)} y1=${FLOOR + 6} y2=${FLOOR + 6} />`
        }
        ${isHill(hand) && isSeen(slaps.median) && html`<${Median} x=${at(slaps.median / MS)} casing />`}
        ${
          isSeen(slaps.best) &&
          html`<svg x=${at(slaps.best / MS)} y=${FLOOR} overflow="visible">
            <path class="best" d="M0 1 6 11H-6Z" />
          </svg>`
        }
        ${
          beyond > 0 &&
          html`<text class="beyond" x="100%" y="14" text-anchor="end">
            ${t("statistics.slaps.beyond", { count: number(beyond) })}
          </text>`
        }
      <//>`;
    })}</ol>
    <${Axis} marks=${marks} at=${at}
      label=${(ms) => (ms === marks.at(-1) ? t("statistics.ms", { time: number(ms) }) : number(ms))} />
    <p class="key">
      <${DotKey} name="slaps" hills=${timed.some(isHill)} dots=${!timed.every(isHill)} />
      ${
        timed.some(({ slaps }) => slaps.count > 2) &&
        html`<span>
          <svg width="12" height="22"><line class="median" x1="6" x2="6" y1="1" y2="21" /></svg>
          ${t("statistics.slaps.median_key")}
        </span>`
      }
      <span>
        <svg width="14" height="14" viewBox="-7 0 14 14"><path class="best" d="M0 1 6 12H-6Z" /></svg>
        ${t("statistics.slaps.best_key")}
      </span>
      ${
        timed.some(({ slaps }) => slaps.count > 3) &&
        html`<span>
          <svg width="26" height="10"><line class="middle-half" x1="3" x2="23" y1="5" y2="5" /></svg>
          ${t("statistics.slaps.half_key")}
        </span>`
      }</p>
  <//>`;
}

/** @param {{ x: string; casing?: boolean }} props */
function Median({ x, casing = false }) {
  return html`<g>
    ${casing && html`<line class="median casing" x1=${x} x2=${x} y1="4" y2=${FLOOR + 10} />`}
    <line class="median" x1=${x} x2=${x} y1="4" y2=${FLOOR + 10} />
  </g>`;
}

// The axis ends where nearly all hands have come, and not before the middle of one that is compared; a hand
// that dozed off must not press the others together, and what lies beyond is told in figures only.
/** @param {TimedHand[]} timed */
function reach(timed) {
  /** @type {number[]} */
  const all = [];
  for (const { slaps } of timed)
    slaps.spread.forEach((times, bin) => {
      all[bin] = (all[bin] ?? 0) + times;
    });
  const total = all.reduce((sum, one) => sum + (one ?? 0), 0);
  let seen = 0;
  const bin = Array.from(all).findIndex((times) => {
    seen += times ?? 0;
    return seen >= 0.97 * total;
  });
  const middles = timed
    .filter(({ slaps }) => slaps.count >= ENOUGH)
    .map(({ slaps }) => Math.min(slaps.median / MS, LONGEST));
  return Math.max(200, ...[(bin + 1) * STEP, ...middles].map((ms) => Math.ceil(ms / 100) * 100));
}

/** @param {{ night: Past.Night }} props */
export function LastPlaces({ night }) {
  const raced = [...night.hands].sort((a, b) => b.last - a.last || a.races - b.races || a.name.localeCompare(b.name));
  if (raced.length === 0) return null;
  const most = Math.max(...raced.map((hand) => hand.races));
  const worst = foremost(raced, (a, b) => b.last - a.last || a.races - b.races);
  const table = {
    columns: columns("races", "first", "last", "behind", "safe"),
    rows: raced.map((hand) => [
      hand.name,
      ...[hand.races, hand.first, hand.last].map((one) => number(one)),
      hand.behind === null ? "–" : millis(hand.behind),
      number(hand.safe),
    ]),
  };
  if (alone(night)) return html`<${Picture} name="last" wide table=${table} tells=${t("statistics.last.alone")} />`;
  const facts = {
    name: worst[0].name,
    names: listed(worst.map((one) => one.name)),
    count: number(worst[0].last),
    races: counted("races", worst[0].races),
  };
  const says = worst.length > 1 ? "tie" : "tells";
  const longest = foremost(raced, (a, b) => b.safe - a.safe);
  return html`<${Picture} name="last" wide=${night.calls.length === 0} table=${table}
    tells=${t(`statistics.last.${worst[0].last ? says : "nobody"}`, facts)}
    note=${
      longest[0].safe > 1
        ? t("statistics.last.safe", { name: listed(longest.map((one) => one.name)), count: number(longest[0].safe) })
        : null
    }>
    <ol class="stat-rows">${raced.map(
      (hand) => html`<${Row} key=${hand.name} night=${night} name=${hand.name} high="30" value=${number(hand.last)}
        more=${t("statistics.of", { count: number(hand.races) })}>
        <rect class="whole" x="1" y="5" rx="5" width=${`${(98 * hand.races) / most}%`} height="20" />
        ${
          hand.last > 0 &&
          html`<rect class="part" x="1" y="5" rx="5" width=${`${(98 * hand.last) / most}%`}
            height="20" />`
        }
      <//>`,
    )}</ol>
    <p class="key">
      <span><i class="swatch part"></i>${t("statistics.last.part_key")}</span>
      <span><i class="swatch whole"></i>${t("statistics.last.whole_key")}</span>
    </p>
  <//>`;
}

/** @param {{ night: Past.Night }} props */
export function Rivals({ night }) {
  const names = night.hands
    .map((hand) => hand.name)
    .filter((name) => night.beaten.some((one) => one.name === name || one.by === name));
  if (names.length < 2) return null;
  const order = night.people.filter((name) => names.includes(name));
  const lost = new Map(night.beaten.map((one) => [`${one.name}\n${one.by}`, one.times]));
  const times = (/** @type {string} */ name, /** @type {string} */ by) => lost.get(`${name}\n${by}`) ?? 0;
  const most = night.beaten.reduce((one, other) => (weight(other, times) > weight(one, times) ? other : one));
  const duel = night.rivals[0];
  const facts = {
    name: most.name,
    other: most.by,
    count: number(most.times),
    met: number(most.times + times(most.by, most.name)),
  };
  return html`<${Picture} name="rivals" wide tells=${t("statistics.rivals.tells", facts)}
    note=${
      duel &&
      t("statistics.rivals.duel", {
        one: duel.names[0],
        other: duel.names[1],
        count: number(duel.duels),
        lost: number(duel.lost[0]),
        lost_too: number(duel.lost[1]),
      })
    }>
    <p class="hint">${t("statistics.rivals.read")}</p>
    <div class="sheet-scroll" tabindex="0" role="region" aria-label=${t("statistics.rivals.read")}>
      <table class="matrix ${order.length > 6 ? "dense" : ""}" style=${{ maxWidth: `${order.length * 140 + 170}px` }}>
        <thead>
          <tr>
            <td></td>
            ${order.map(
              (name) => html`<th scope="col" key=${name} title=${name}>
                <${Mark} seat=${markOf(night, name)} /><span class="name">${name}</span>
              </th>`,
            )}
          </tr>
        </thead>
        <tbody>${order.map(
          (name) => html`<tr key=${name}><th scope="row"><${Person} night=${night} name=${name} /></th>
            ${order.map(
              (by) => html`<${Meeting} key=${by} same=${name === by} lost=${times(name, by)}
                won=${times(by, name)} />`,
            )}</tr>`,
        )}</tbody>
      </table></div>
    <p class="key">
      <span><i class="swatch loses"></i>${t("statistics.rivals.more")}</span>
      <span><i class="swatch share"></i>${t("statistics.rivals.share")}</span>
    </p>
  <//>`;
}

// A pair that met often says more than one that met once.
/**
 * @param {Past.Beaten} beaten
 * @param {(name: string, by: string) => number} times
 */
function weight({ name, by, times: lost }, times) {
  const met = lost + times(by, name);
  return (lost / met - 0.5) * Math.sqrt(met) + lost / 1e6;
}

/** @param {{ same: boolean; lost: number; won: number }} props */
function Meeting({ same, lost, won }) {
  const met = lost + won;
  if (same || met === 0) return html`<td class="none">${same ? "" : "–"}</td>`;
  return html`<td class=${lost > won ? "loses" : ""} style=${{ "--share": `${Math.round((100 * lost) / met)}%` }}>
    <strong>${number(lost)}</strong>${" "}<small>${t("statistics.of", { count: number(met) })}</small>
    ${lost > won && html`<${Heard}>, ${t("statistics.rivals.more")}<//>`}</td>`;
}
