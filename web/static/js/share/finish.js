// The photo finish of a Street Race as a poster: by how much, who drew, and a lens on the last two hands.

import { html } from "../../vendor/htm-preact.js";
import { MS, marksOfTime, scale } from "../core/axis.js";
import { displayName, sentenceText, t } from "../core/texts.js";
import { digitsOf, landedAt, ms } from "../race/margin.js";
import {
  Chequers,
  cut,
  EDGE,
  Glow,
  Head,
  HIGH,
  headline,
  INK,
  Line,
  Mark,
  Sign,
  tame,
  tint,
  together,
  WIDE,
  widthOf,
  written,
} from "./pen.js";

const WARM = { bright: "#b8233a", felt: "#7d1326", deep: "#2b060e" };
const BOTTOM = HIGH - 68;
const UNDER = 436; // where the headline ends

/** @typedef {ReturnType<typeof raceFacts>} RaceFacts */
/** @typedef {RaceFacts["lanes"][number]} LaneFacts */
/** @typedef {LaneFacts & { after: number }} LandedLane */
/** @typedef {ReturnType<typeof axisOf>} LaneAxis */
/** @typedef {{ x: number; y: number; r: number }} Glass */

// A race as it is told here; a player who never slapped comes after all others.
/**
 * @param {Past.RaceReview} look
 * @param {string} started
 */
export function raceFacts(look, started) {
  const { finish, draws } = look;
  const names = Object.fromEntries(look.seats.map((seat) => [seat.number, tame(displayName(seat.name))]));
  const name = (/** @type {number} */ seat) => names[seat] ?? t("common.seat", { number: seat });
  const last = draws.length ? draws.map((one) => one.seat) : (finish?.last ?? []);
  const nobody = { press: null, after: null, behind: null, handicap: 0, early: false, hammered: false };
  const places = finish?.places ?? look.racers.map((seat) => ({ seat, ...nobody }));
  const off = look.kind === "slap_off";
  const digits = digitsOf(finish);
  const lanes = places.map((place) => ({
    seat: place.seat,
    name: name(place.seat),
    after: place.press && place.after,
    handicap: place.handicap,
    hammered: place.hammered,
    doubt: place.press?.uncertainty ?? 0,
    last: last.includes(place.seat),
    time: place.press ? landedAt(place, off, digits) : t("race.no_slap"),
  }));
  const came = lanes.flatMap(({ after, ...lane }) => (after === null || lane.hammered ? [] : [{ ...lane, after }]));
  return {
    started,
    number: look.match,
    round: look.round,
    off,
    lanes,
    margin: finish?.margin ?? null,
    digits,
    layer: look.layer === null ? t("uno.somebody") : name(look.layer),
    close: came.length > 1 && came.length === lanes.length ? came.slice(-2) : [],
    clear: look.outcome === "last" && finish?.margin != null && !finish.by_handicap,
    sentence: sentenceText(look.sentence),
    cards: draws[0]?.cards ?? 0,
  };
}

/** @param {RaceFacts} race */
export function finishTitle(race) {
  if (!race.clear) return race.sentence;
  return t("share.last", {
    names: together(losers(race)),
    cards: race.cards,
    margin: ms(race.margin ?? 0, race.digits),
  });
}

/** @param {RaceFacts} race */
export function finishPicture(race) {
  const lens = race.close.length > 0;
  const rows = Math.min(86, (BOTTOM - 930 - 96) / race.lanes.length);
  const high = race.lanes.length * rows + 96;
  const top = BOTTOM - high;
  const axis = axisOf(race.lanes);
  const glass = { x: WIDE / 2, y: (UNDER + top) / 2, r: Math.min(286, (top - UNDER) / 2 - 22) };
  return written(
    finishTitle(race),
    html`<${Night} />
      <${Head} started=${race.started} />
      <${Verdict} race=${race} lens=${lens} middle=${(168 + top) / 2} />
      <${Lanes} race=${race} axis=${axis} top=${top} rows=${rows} high=${high} />
      ${
        lens &&
        html`<${Beam} axis=${axis} race=${race} top=${top} rows=${rows} glass=${glass} />
          <${Lens} race=${race} glass=${glass} />`
      }`,
  );
}

/** @param {RaceFacts} race */
function losers(race) {
  return race.lanes.filter((lane) => lane.last).map((lane) => lane.name);
}

function Night() {
  const streaks = [
    [1, 330],
    [4, 470],
    [2, 610],
    [6, 790],
    [3, 930],
    [1, 1090],
    [5, 1250],
    [2, 1390],
  ];
  return html`<${Glow} x=${WIDE / 2} y=${420} far=${1250}
    stops=${[[0, WARM.bright], [0.5, WARM.felt], [1, WARM.deep]]} />
  <g stroke="#ffffff" stroke-opacity="0.07" stroke-linecap="round">
    ${streaks.map(([thick, y]) => html`<path key=${y} d=${`M-60 ${y}L1260 ${y - 300}`} stroke-width=${thick * 7} />`)}
  </g>
  <${Chequers} x=${0} y=${HIGH - 36} wide=${WIDE} high=${36} side=${18} />`;
}

/** @param {{ race: RaceFacts; lens: boolean; middle: number }} props */
function Verdict({ race, lens, middle }) {
  const room = WIDE - 2 * EDGE;
  const kicker = [
    t(race.off ? "race.slap_off" : "race.photo"),
    t("race.by", { name: cut(race.layer, 420, 32) }),
    t("share.where", { number: race.number, round: race.round }),
  ].join(" · ");
  const above = html`<${Line} text=${kicker} x=${WIDE / 2} y="168" size=${32} room=${room} fill=${INK.gold}
    weight=${600} text-anchor="middle" />`;
  if (race.clear) {
    const names = together(losers(race).map((name) => cut(name, 640, 58, 700)));
    return html`${above}
      <${Line} text=${t("share.draws", { names, cards: race.cards })} x=${WIDE / 2} y="252" size=${64} room=${room}
        weight=${700} fill=${INK.paper} text-anchor="middle" />
      <${Line} text=${t("share.by", { margin: ms(race.margin ?? 0, race.digits) })} x=${WIDE / 2} y="402" size=${158}
        room=${room}
        weight=${800} fill=${INK.paper} text-anchor="middle" />`;
  }
  const title = headline(race.sentence, room, lens ? 100 : 112, 46) ?? { lines: [race.sentence], size: 46 };
  const first = lens ? 300 - 30 * (title.lines.length - 1) : middle + 190;
  return html`${above}
    ${!lens && html`<${Sign} x=${WIDE / 2 - 150} y=${middle - 230} size=${300} />`}
    ${title.lines.map(
      (line, at) => html`<${Line} key=${at} text=${line} x=${WIDE / 2}
        y=${(first + at * title.size * 1.12).toFixed(1)} size=${title.size} room=${room} weight=${800} fill=${INK.paper}
        text-anchor="middle" />`,
    )}`;
}

// From just before the first hand, or the light, to just after the last hand.
/** @param {LaneFacts[]} lanes */
function axisOf(lanes) {
  const moments = lanes.flatMap(({ after, handicap }) => (after === null ? [] : [after, after + handicap]));
  const to = Math.max(200 * MS, ...moments) * 1.04 + 10 * MS;
  const from = -to / 40;
  const names = Math.min(330, Math.max(...lanes.map((lane) => widthOf(lane.name, 36, 700)))) + 4;
  const box = { left: EDGE + 56 + names + 24, right: WIDE - EDGE - 214, names };
  return { ...box, ticks: marksOfTime(from, to, 5), x: scale(from, to, box.left, box.right) };
}

/** @param {{ race: RaceFacts; axis: LaneAxis; top: number; rows: number; high: number }} props */
function Lanes({ race, axis, top, rows, high }) {
  const first = top + 28;
  const end = first + race.lanes.length * rows;
  return html`<rect x=${EDGE - 36} y=${top} width=${WIDE - 2 * EDGE + 72} height=${high} rx="36" fill=${INK.road}
    stroke=${INK.paper} stroke-opacity="0.2" stroke-width="3" />
  ${axis.ticks.map(
    (tick) => html`<g key=${tick}>
      <path d=${`M${axis.x(tick * MS).toFixed(1)} ${first}V${end}`} stroke=${INK.line}
        stroke-width=${tick === 0 ? 4 : 2} />
      <text x=${axis.x(tick * MS).toFixed(1)} y=${end + 38} text-anchor="middle" font-size="24" fill=${INK.dim}>
        ${String(tick).replace("-", "−")}
      </text></g>`,
  )}
  <text x=${WIDE - EDGE} y=${end + 38} text-anchor="end" font-size="24" fill=${INK.dim}>
    ${t("race.ms", { ms: "" }).trim()}
  </text>
  ${race.lanes.map(
    (lane, at) => html`<${Lane} key=${lane.seat} lane=${lane} axis=${axis}
      middle=${first + (at + 0.5) * rows} rows=${rows} />`,
  )}`;
}

/** @param {{ lane: LaneFacts; axis: LaneAxis; middle: number; rows: number }} props */
function Lane({ lane, axis, middle, rows }) {
  const size = Math.min(36, rows * 0.52);
  const half = rows * 0.34;
  const colour = lane.last ? INK.alarm : INK.paper;
  const came = lane.after !== null;
  const base = middle + size * 0.36;
  return html`<${Mark} seat=${lane.seat} x=${EDGE + 16} y=${middle} size=${size} />
    <${Line} text=${lane.name} x=${EDGE + 50} y=${(middle + size * 0.36).toFixed(1)} size=${size} room=${axis.names}
      weight=${700} fill=${colour} />
    <rect x=${axis.left} y=${(middle - half).toFixed(1)} width=${axis.right - axis.left} height=${(2 * half).toFixed(1)}
      rx="10" fill=${lane.last ? INK.alarm : tint(lane.seat)} fill-opacity="0.13" />
    ${
      came &&
      html`<${Hand} lane=${lane} x=${axis.x} middle=${middle} half=${half} wide=${9} />
        <${HeadStart} lane=${lane} axis=${axis} middle=${middle} size=${Math.min(26, rows * 0.4)} />`
    }
    <${Line} text=${lane.time} x=${WIDE - EDGE} y=${base.toFixed(1)} size=${came ? size : size * 0.85} room=${196}
      weight=${came ? 800 : 700} fill=${colour} text-anchor="end" />`;
}

// Before the hand that it moved, or behind it, wherever there is room.
/** @param {{ lane: LandedLane; axis: LaneAxis; middle: number; size: number }} props */
function HeadStart({ lane, axis, middle, size }) {
  if (!lane.handicap) return null;
  const [counts, real] = [axis.x(lane.after), axis.x(lane.after + lane.handicap)];
  const before = counts - 46 - axis.left;
  const beyond = axis.right - real - 46;
  if (Math.max(before, beyond) < 5 * size) return null;
  const place = before > beyond ? { x: counts - 34, anchor: "end" } : { x: real + 34, anchor: "start" };
  return html`<${Line} text=${t("share.handicap", { ms: Math.round(lane.handicap / MS) })} x=${place.x.toFixed(1)}
    y=${(middle + 9).toFixed(1)} size=${size} room=${Math.max(before, beyond)} fill=${INK.gold}
    text-anchor=${place.anchor} />`;
}

// A hand and its doubt; with a handicap, where it really fell and how far it was moved.
/** @param {{ lane: LandedLane; x: (after: number) => number; middle: number; half: number; wide: number }} props */
function Hand({ lane, x, middle, half, wide }) {
  const [from, to] = [x(lane.after - lane.doubt), x(lane.after + lane.doubt)];
  const at = x(lane.after);
  const real = x(lane.after + lane.handicap);
  return html`<rect x=${from.toFixed(2)} y=${(middle - half).toFixed(1)} width=${(to - from).toFixed(2)}
    height=${(2 * half).toFixed(1)} fill=${tint(lane.seat)} fill-opacity="0.45" />
  ${
    lane.handicap > 0 &&
    html`<path d=${`M${real.toFixed(1)} ${middle}H${at.toFixed(1)}`} stroke=${INK.gold} stroke-width="3"
      stroke-dasharray="8 6" />
    <rect x=${(real - wide / 2).toFixed(1)} y=${(middle - half).toFixed(1)} width=${wide}
      height=${(2 * half).toFixed(1)} rx=${wide / 2} fill=${INK.road} stroke=${INK.gold} stroke-width="2.5" />`
  }
  <rect x=${(at - wide / 2).toFixed(1)} y=${(middle - half).toFixed(1)} width=${wide} height=${(2 * half).toFixed(1)}
    rx=${wide / 2} fill=${INK.paper} />`;
}

// Light from the lanes into the lens, so that one sees what it enlarges.
/** @param {{ axis: LaneAxis; race: RaceFacts; top: number; rows: number; glass: Glass }} props */
function Beam({ axis, race, top, rows, glass }) {
  const places = race.close.map((lane) => axis.x(lane.after));
  const low = top + 28 + (race.lanes.length - 2) * rows;
  const [from, to] = [Math.min(...places) - 18, Math.max(...places) + 18];
  const side = glass.r * 0.94;
  const high = glass.y + glass.r * 0.34;
  const way = `M${glass.x - side} ${high}L${from.toFixed(1)} ${low}H${to.toFixed(1)}L${glass.x + side} ${high}Z`;
  return html`<path d=${way} fill=${INK.gold} fill-opacity="0.17" />
  <rect x=${from.toFixed(1)} y=${low} width=${(to - from).toFixed(1)} height=${2 * rows} rx="14" fill="none"
    stroke=${INK.gold} stroke-width="4" />`;
}

/** @param {{ race: RaceFacts; glass: Glass }} props */
function Lens({ race, glass }) {
  const { x: centre, y, r } = glass;
  const [before, last] = race.close;
  const doubt = Math.max(before.doubt, last.doubt);
  const apart = last.after - before.after;
  const per = Math.min(
    apart > 0 ? (0.76 * r) / apart : Infinity,
    (1.12 * r) / Math.max(1, apart + before.doubt + last.doubt),
  );
  const x = (/** @type {number} */ after) => centre + 0.18 * r + (after - (before.after + last.after) / 2) * per;
  const plumb = (/** @type {LandedLane} */ lane) => `M${x(lane.after).toFixed(1)} ${y - 0.58 * r}V${y + 0.74 * r}`;
  return html`<clipPath id="lens"><circle cx=${centre} cy=${y} r=${r} /></clipPath>
    <g clip-path="url(#lens)">
      <rect x=${centre - r} y=${y - r} width=${2 * r} height=${2 * r} fill=${INK.road} />
      ${[before, last].map((lane, at) => {
        const low = y + (at ? 0.27 : -0.27) * r;
        return html`<g key=${lane.seat}>
          <rect x=${centre - r} y=${low - 0.22 * r} width=${2 * r} height=${0.44 * r}
            fill=${lane.last ? INK.alarm : tint(lane.seat)} fill-opacity="0.16" />
          <${Hand} lane=${{ ...lane, handicap: 0 }} x=${x} middle=${low} half=${0.22 * r} wide=${16} />
          <${Mark} seat=${lane.seat} x=${centre - 0.7 * r} y=${low} size=${0.26 * r} /></g>`;
      })}
      <path d=${plumb(before) + plumb(last)} stroke=${INK.paper} stroke-width="2.5" stroke-dasharray="4 7" />
      ${
        apart > 0 &&
        html`<path d=${`M${x(before.after).toFixed(1)} ${y + 0.64 * r}H${x(last.after).toFixed(1)}`}
          stroke=${INK.gold} stroke-width="9" />`
      }
    </g>
    <circle cx=${centre} cy=${y} r=${r} fill="none" stroke=${WARM.deep} stroke-width="28" stroke-opacity="0.55" />
    <circle cx=${centre} cy=${y} r=${r} fill="none" stroke=${INK.gold} stroke-width="14" />
    <${Line} text=${`± ${t("race.ms", { ms: (doubt / MS).toFixed(doubt < MS ? 2 : 1) })}`}
      x=${centre} y=${y - 0.66 * r} size=${28} room=${0.9 * r} fill=${INK.dim} text-anchor="middle" />`;
}
