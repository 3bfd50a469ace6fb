// What every picture of the statistics is made of: a frame with a sentence and a table, rows of people, and numbers.

import { html } from "../../../vendor/htm-preact.js";
import { MS } from "../../core/axis.js";
import { number } from "../../core/counted.js";
import { t } from "../../core/texts.js";
import { Heard, Mark } from "../../parts/components.js";
import { Fit } from "../../parts/fit.js";

// Below a tenth of a second the tenths of a millisecond are worth saying.
/** @param {number} nanoseconds */
export function millis(nanoseconds) {
  const ms = nanoseconds / MS;
  return t("statistics.ms", { time: number(ms, ms < 100 ? 1 : 0) });
}

// A picture says in a sentence what is to be seen in it, and tells the same in a table.
/**
 * @param {{ name: string; title?: string; tells: string; note?: string | null;
 *   table?: { columns: string[]; rows: string[][] }; wide?: boolean; children?: object }} props
 */
export function Picture({ name, title = t(`statistics.${name}.title`), tells, note, table, wide = false, children }) {
  return html`<section class="picture ${wide ? "wide" : ""}" data-picture=${name} aria-labelledby=${`picture-${name}`}>
    <h2 id=${`picture-${name}`}>${title}</h2>
    <p class="tells">${tells}</p>
    <div class="drawing" aria-hidden=${table ? "true" : null}>${children}</div>
    ${note && html`<p class="hint">${note}</p>`}
    ${
      table &&
      html`<details class="fold"><summary>${t("statistics.table")}<${Heard}>: ${title}<//></summary>
        <div class="sheet-scroll" tabindex="0" role="region" aria-label=${`${t("statistics.table")}: ${title}`}>
          <table class="sheet">
            <thead><tr>${table.columns.map((column) => html`<th scope="col" key=${column}>${column}</th>`)}</tr></thead>
            <tbody>
              ${table.rows.map(
                ([who, ...cells], at) => html`<tr key=${at}>
                  <th scope="row">${who}</th>${cells.map((cell, place) => html`<td key=${place}>${cell}</td>`)}
                </tr>`,
              )}
            </tbody>
          </table></div></details>`
    }
  </section>`;
}

/** @param {string[]} keys */
export function columns(...keys) {
  return [t("sheet.player"), ...keys.map((key) => t(`statistics.column.${key}`))];
}

// Everybody keeps one mark through all pictures, in the order in which they first sat down.
/**
 * @param {Past.Night} night
 * @param {string} name
 */
export function markOf(night, name) {
  return (night.people.indexOf(name) % 10) + 1;
}

/** @param {{ night: Past.Night; name: string }} props */
export function Person({ night, name }) {
  return html`<span class="person" title=${name}>
    <${Mark} seat=${markOf(night, name)} /><${Fit} text=${name} />
  </span>`;
}

// The best of them, and all who are exactly as good.
/**
 * @template T
 * @param {Iterable<T>} all
 * @param {(one: T, other: T) => number} order
 */
export function foremost(all, order) {
  const sorted = [...all].sort(order);
  return sorted.filter((one) => order(sorted[0], one) === 0);
}

// Whose hand was first most often; of equals, the one who needed fewer races for it.
/**
 * @param {Past.Hand} one
 * @param {Past.Hand} other
 */
export function mostFirst(one, other) {
  return other.first - one.first || one.races - other.races;
}

// With two at a table the one who races is first and last, which says nothing of anybody.
/** @param {Past.Night} night */
export function alone(night) {
  return night.beaten.length === 0 && night.hands.every((hand) => hand.last === hand.races);
}

// One line of a picture: who, what is drawn, and the figure that matters.
/**
 * @param {{ night: Past.Night; name: string; high: number | string; value: string; more?: string | null;
 *   children?: object }} props
 */
export function Row({ night, name, high, value, more, children }) {
  return html`<li class="stat-row tint-${markOf(night, name) - 1}" data-name=${name}>
    <${Person} night=${night} name=${name} />
    <svg class="plot" width="100%" height=${high}>${children}</svg>
    <span class="figure"><strong>${value}</strong>${more && html`<small>${more}</small>`}</span>
  </li>`;
}

// Somebody's figure as a bar.
/** @param {{ night: Past.Night; told: { name: string; value: number }[] }} props */
export function Bars({ night, told }) {
  const most = Math.max(1, ...told.map((one) => one.value));
  return html`<ol class="stat-rows">${told.map(
    (one) => html`<${Row} key=${one.name} night=${night} name=${one.name} high="30" value=${number(one.value)}>
      <rect class="part" x="1" y="5" rx="5" width=${`${(98 * one.value) / most}%`} height="20" />
    <//>`,
  )}</ol>`;
}

/** @param {{ marks: number[]; at: (value: number) => string; label: (value: number) => string }} props */
export function Axis({ marks, at, label }) {
  return html`<div class="stat-axis"><span></span><span class="ticks">
    ${marks.map((mark) => html`<span key=${mark} style=${{ left: at(mark) }}>${label(mark)}</span>`)}
  </span><span></span></div>`;
}

/** @param {{ marks: number[]; at: (value: number) => string; high: number }} props */
export function Grid({ marks, at, high }) {
  return marks.map((mark) => html`<line class="grid" key=${mark} x1=${at(mark)} x2=${at(mark)} y1="0" y2=${high} />`);
}

const DOTS = 60; // where somebody has more of them than this, hills are drawn,
const BARE = 20; // of everybody who has more than this

// Which of the spreads of one picture are hills, and the highest share of its values that one of them holds
// in a step, so that all have one scale.
/** @param {number[][]} spreads */
export function landscape(spreads) {
  const few = spreads.some((spread) => summed(spread) > DOTS) ? BARE : DOTS;
  const isHill = (/** @type {number[]} */ spread) => summed(spread) > few;
  return {
    isHill,
    scale: Math.max(0, ...spreads.filter(isHill).map((spread) => Math.max(...smoothed(spread)) / summed(spread))),
  };
}

/** @param {number[]} spread */
function summed(spread) {
  return spread.reduce((sum, one) => sum + one, 0);
}

// How values are spread: a hill where they are many, else dots, each at its own value where that is known
// and as low as there is room.
/**
 * @param {{ spread: number[]; values: number[] | null; land: { isHill: (spread: number[]) => boolean; scale: number };
 *   at: (value: number) => string; step: number; floor: number; high: number; width: number }} props
 */
export function Spread({ spread, values, land, at, step, floor, high, width }) {
  if (land.isHill(spread))
    return html`<${Hill} spread=${spread} at=${at} step=${step} floor=${floor} high=${high} scale=${land.scale} />`;
  const known = values ?? spread.flatMap((count, bin) => Array.from({ length: count }, () => (bin + 0.5) * step));
  /** @type {number[]} */
  const ends = []; // where each level is taken up to
  const dots = known.map((value) => {
    const free = ends.findIndex((end) => end <= value);
    const level = free < 0 ? ends.length : free;
    ends[level] = value + width;
    return [value, level];
  });
  const apart = Math.min(9, (high - 5) / Math.max(1, ends.length - 1));
  return dots.map(
    ([value, level], index) =>
      html`<circle class="dot" key=${index} cx=${at(value)} cy=${floor - 5 - level * apart} r="4.5" />`,
  );
}

/** @param {number[]} spread */
function smoothed(spread) {
  return spread.map((_, bin) => ((spread[bin - 1] ?? 0) + 2 * spread[bin] + (spread[bin + 1] ?? 0)) / 4);
}

// Percent of the way are no lengths in a path, so that the hill has a drawing of its own that is stretched.
/**
 * @param {{ spread: number[]; at: (value: number) => string; step: number; floor: number; high: number;
 *   scale: number }} props
 */
function Hill({ spread, at, step, floor, high, scale }) {
  const most = scale * summed(spread);
  const points = [
    [0, 0],
    ...smoothed(spread).map((times, bin) => [(bin + 0.5) * step, times]),
    [spread.length * step, 0],
  ];
  const way = points.map(
    ([value, times]) => `${parseFloat(at(value)).toFixed(2)} ${(100 - (100 * times) / most).toFixed(1)}`,
  );
  return html`<svg x="0" y=${floor - high} width="100%" height=${high} viewBox="0 0 100 100" preserveAspectRatio="none">
    <path class="hill" d=${`M${parseFloat(at(0)).toFixed(2)} 100L${way.join("L")}V100Z`} /></svg>`;
}

// What a dot and a hill are, whichever of them are there.
/** @param {{ name: string; hills: boolean; dots: boolean }} props */
export function DotKey({ name, hills, dots }) {
  return html`${
    dots &&
    html`<span>
      <svg class="plot" width="12" height="12"><circle class="dot" cx="6" cy="6" r="4.5" /></svg>
      ${t(`statistics.${name}.dot_key`)}
    </span>`
  }
  ${
    hills &&
    html`<span>
      <svg class="plot" width="30" height="14" viewBox="0 0 30 14">
        <path class="hill" d="M1 13Q9 12 12 5T19 5 29 13Z" />
      </svg>${t(`statistics.${name}.hill_key`)}
    </span>`
  }`;
}

// Stripes beside a plain area, for eyes that do not tell colours apart.
/** @param {{ id: string }} props */
export function Stripes({ id }) {
  return html`<defs>
    <pattern id=${id} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="stripe-ground" width="7" height="7" /><rect class="stripe" width="3.5" height="7" />
    </pattern>
  </defs>`;
}
