// The pen for pictures that leave the table: colours, letters that are measured, and marks, with nothing to fetch.

import { html, render } from "../../vendor/htm-preact.js";
import { onEvening } from "../core/evening.js";
import { t } from "../core/texts.js";
import { SHAPES } from "../parts/components.js";

export const WIDE = 1200;
export const HIGH = 1500;
export const EDGE = 84; // from the paper's edge to what is written
export const INK = {
  felt: "#0e5a45",
  deep: "#06291f",
  paper: "#f7f3e8",
  soft: "#c3d3c8",
  gold: "#f4c254",
  road: "#161c25",
  kerb: "#2a3340",
  line: "#46515f",
  dim: "#aab4c2",
  alarm: "#ff9a8f",
  red: "#c8202f",
  night: "#0d1218",
  edge: "#4a4a44",
};
export const TINTS = [
  "#f58a1b",
  "#5bb8f5",
  "#2fc08e",
  "#ff8fc4",
  "#a78bfa",
  "#ff7068",
  "#b5d94c",
  "#c4ccd6",
  "#d96bdc",
  "#d9b382",
];
const FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";
const ALLOWED = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu; // all that XML can hold
const TOWERS = /(\p{M}{2})\p{M}+/gu;
const TURNED =
  /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|[\u200e\u200f\u202a-\u202e]/u;

/** @type {any} */
let ruler = null;

/**
 * @param {string} text
 * @param {number} size
 * @param {number} weight
 * @param {number} spacing
 */
export function widthOf(text, size, weight = 400, spacing = 0) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `${weight} ${size}px ${FONT}`;
  return ruler.measureText(text).width + spacing * letters(text).length;
}

// A name as it may stand in a line: no tower of accents, and one that runs to the left keeps to itself.
/** @param {string} name */
export function tame(name) {
  const short = name.replace(ALLOWED, "").replace(TOWERS, "$1");
  return TURNED.test(short) ? `\u2068${short}\u2069` : short;
}

/** @param {string} text */
function letters(text) {
  return Intl.Segmenter ? [...new Intl.Segmenter().segment(text)].map((one) => one.segment) : [...text];
}

// As much of a name as there is room for.
/**
 * @param {string} name
 * @param {number} room
 * @param {number} size
 * @param {number} weight
 */
export function cut(name, room, size, weight = 400) {
  const plain = name.replace(/[\u2068\u2069]/g, "");
  if (widthOf(plain, size, weight) <= room) return name;
  const all = letters(plain);
  let [least, most] = [0, all.length];
  while (least < most) {
    const half = Math.ceil((least + most) / 2);
    if (widthOf(`${all.slice(0, half).join("")}…`, size, weight) <= room) least = half;
    else most = half - 1;
  }
  return tame(`${all.slice(0, least).join("").trimEnd()}…`);
}

// Written elsewhere with other letters, a line that was nearly full still keeps its width.
/**
 * @param {{ text: string; room?: number; size: number; least?: number; weight?: number; spacing?: number;
 *   [place: string]: any }} props
 */
export function Line({ text, room = Infinity, size, least = size * 0.6, weight = 400, spacing = 0, ...place }) {
  const natural = widthOf(text, size, weight, spacing);
  const fitted = Math.max(least, Math.min(size, (size * room) / natural));
  const shownText = widthOf(text, fitted, weight, spacing) > room + 1 ? cut(text, room, fitted, weight) : text;
  const takes = widthOf(shownText, fitted, weight, spacing);
  const held =
    takes > 0.8 * room && !spacing
      ? { textLength: Math.min(takes, room).toFixed(1), lengthAdjust: "spacingAndGlyphs" }
      : {};
  return html`<text font-size=${fitted.toFixed(1)} font-weight=${weight} letter-spacing=${spacing || undefined}
    ...${held} ...${place}>${shownText}</text>`;
}

// The largest way to set a headline: in one line, or in two that break at a space and are about as long.
/**
 * @param {string} text
 * @param {number} room
 * @param {number} largest
 * @param {number} least
 */
export function headline(text, room, largest, least) {
  const words = text.split(" ");
  const ways = [
    [text],
    ...words.slice(1).map((_, at) => [words.slice(0, at + 1).join(" "), words.slice(at + 1).join(" ")]),
  ];
  const sized = ways.map((lines) => {
    const widest = Math.max(...lines.map((line) => widthOf(line, 100, 800)));
    return { lines, widest, size: Math.min(largest * (lines.length > 1 ? 0.74 : 1), (100 * room) / widest) };
  });
  const better = (/** @type {any} */ one, /** @type {any} */ other) =>
    one.size > other.size || (one.size === other.size && one.widest < other.widest);
  const best = sized.reduce((one, other) => (better(other, one) ? other : one));
  return best.size >= least ? best : null;
}

/** @param {{ seat: number; x: number; y: number; size: number; edge?: string }} props */
export function Mark({ seat, x, y, size, edge = INK.road }) {
  const at = (seat - 1) % SHAPES.length;
  return html`<g
    transform=${`translate(${(x - size / 2).toFixed(1)} ${(y - size / 2).toFixed(1)}) scale(${(size / 24).toFixed(4)})`}
    fill=${TINTS[at]} stroke=${edge} stroke-width="1.2" stroke-linejoin="round">${SHAPES[at]}</g>`;
}

const RING = 8; // from one ring of light to the next; finer than the eye tells two of them apart

// Light that falls off from a point, as rings of plain colours: browsers put noise into a gradient, which
// makes a picture ten times as heavy. `stops` are parts of the way with their colours, `more` is white on top.
/** @param {{ x: number; y: number; far: number; stops: [number, string][]; more?: (r: number) => number }} props */
export function Glow({ x, y, far, stops, more = (_) => 0 }) {
  /** @type {{ r: number; fill: string }[]} */
  const rings = [];
  for (let r = far; r > 0; r -= RING) {
    const fill = shade(stops, (r - RING / 2) / far, more(r - RING / 2));
    if (rings.at(-1)?.fill !== fill) rings.push({ r, fill });
  }
  return html`<rect width=${WIDE} height=${HIGH} fill=${rings[0].fill} />
    ${rings.slice(1).map(
      ({ r, fill }) => html`<circle key=${r} cx=${x} cy=${y} r=${r} fill=${fill}
        shape-rendering="crispEdges" />`,
    )}`;
}

/**
 * @param {[number, string][]} stops
 * @param {number} part
 * @param {number} white
 */
function shade(stops, part, white) {
  const next = Math.max(
    1,
    stops.findIndex(([at]) => at >= part),
  );
  const [[from, one], [to, other]] = [stops[next - 1], stops[next]];
  const way = Math.min(1, Math.max(0, (part - from) / (to - from)));
  const channel = (/** @type {number} */ at) =>
    [one, other].map((colour) => parseInt(colour.slice(at, at + 2), 16)).reduce((a, b) => a + (b - a) * way);
  return `#${[1, 3, 5]
    .map((at) =>
      Math.round(channel(at) + (255 - channel(at)) * white)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

// A chequered band, from left to right or from top to bottom.
/** @param {{ x: number; y: number; wide: number; high: number; side: number; light?: string; dark?: string }} props */
export function Chequers({ x, y, wide, high, side, light = INK.paper, dark = INK.night }) {
  const across = Math.round(wide / side);
  const down = Math.round(high / side);
  const squares = Array.from({ length: across * down }, (_, at) => [at % across, Math.floor(at / across)]).filter(
    ([right, low]) => (right + low) % 2,
  );
  const square = `h${(wide / across).toFixed(2)}v${(high / down).toFixed(2)}h${(-wide / across).toFixed(2)}z`;
  const corner = (/** @type {number[]} */ [right, low]) =>
    `M${(x + (right * wide) / across).toFixed(2)} ${(y + (low * high) / down).toFixed(2)}`;
  const path = squares.map((place) => corner(place) + square).join("");
  return html`<g><rect x=${x} y=${y} width=${wide} height=${high} fill=${light} /><path d=${path} fill=${dark} /></g>`;
}

/** @param {number} seat */
export function tint(seat) {
  return TINTS[(seat - 1) % TINTS.length];
}

/** @param {{ started: string }} props */
export function Head({ started }) {
  return html`<${Sign} x=${EDGE - 20} y="52" size="48" />
    <${Line} text=${t("common.title")} x=${EDGE + 42} y="86" size=${30} room=${480} weight=${700} fill=${INK.paper} />
    <${Line} text=${onEvening(started, { dateStyle: "long" })} x=${WIDE - EDGE + 20} y="86" size=${30} room=${480}
      fill=${INK.paper} text-anchor="end" />`;
}

// The companion's own sign: a button from above.
/** @param {{ x: number; y: number; size: number }} props */
export function Sign({ x, y, size }) {
  return html`<g transform=${`translate(${x} ${y}) scale(${size / 64})`}>
    <circle cx="32" cy="32" r="32" fill=${INK.paper} /><circle cx="32" cy="32" r="21" fill=${INK.red} />
    <circle cx="32" cy="32" r="8" fill=${INK.paper} /></g>`;
}

// "Ana, Ben and Cleo", as the language has it.
/** @param {string[]} names */
export function together(names) {
  return new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(names);
}

// The picture as the text of a file.
/**
 * @param {string} title
 * @param {object} inside
 */
export function written(title, inside) {
  const paper = document.createElement("div");
  render(
    html`<svg xmlns="http://www.w3.org/2000/svg" width=${WIDE} height=${HIGH} viewBox=${`0 0 ${WIDE} ${HIGH}`}
      font-family=${FONT} role="img">
      <title>${title}</title>${inside}</svg>`,
    paper,
  );
  const text = new XMLSerializer().serializeToString(/** @type {Node} */ (paper.firstChild));
  render(null, paper);
  return text;
}
