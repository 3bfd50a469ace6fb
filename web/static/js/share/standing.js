// The final standing as a poster: who won, how near everybody came, and the way there.

import { html } from "../../vendor/htm-preact.js";
import { marksUpTo, scale } from "../core/axis.js";
import { displayName, t } from "../core/texts.js";
import { apart, linesOf, marksOf } from "../score/track.js";
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
  tame,
  tint,
  together,
  WIDE,
  widthOf,
  written,
} from "./pen.js";

const DASHES = [undefined, "20 11", "1 11"]; // as on the tablet, for those who cannot tell the colours apart
const TITLE = 16; // from the medal to the headline
const HEROES = {
  few: { y: 262, r: 108, size: 128 },
  crowd: { y: 236, r: 84, size: 104 },
  short: { y: 400, r: 160, size: 150 },
};
const NAMED = 4; // so many winners are called by name

/** @typedef {ReturnType<typeof placed>} Standing */

// The match as it is told here: winners first, then by points; who left has no place.
/**
 * @param {Past.MatchRecord} record
 * @param {Page.Seats} seats
 */
export function placed({ number, started, sheet }, seats = {}) {
  const classic = sheet.scoring === "classic";
  const players = sheet.players.map((player) => ({
    ...player,
    name: tame(displayName(player.name)),
    seat: seats[player.player] ?? null,
    points: player[sheet.scoring],
    present: player.stints.at(-1)?.left == null,
    won: sheet.winners.includes(player.player),
  }));
  const order = [...players].sort(
    (a, b) =>
      Number(b.won) - Number(a.won) ||
      Number(b.present) - Number(a.present) ||
      (classic ? b.points - a.points : a.points - b.points),
  );
  const here = order.filter((one) => one.won || one.present);
  const better = (/** @type {any} */ one, /** @type {any} */ other) =>
    one.won > other.won || (one.won === other.won && (classic ? one.points > other.points : one.points < other.points));
  const place = (/** @type {any} */ one) =>
    here.includes(one) ? 1 + here.filter((other) => better(other, one)).length : null;
  const match = { ...sheet, players };
  return {
    ...match,
    number,
    started,
    classic,
    marks: marksOf(match),
    order: order.map((one) => ({ ...one, place: place(one) })),
  };
}

/** @param {Standing} match */
export function standingTitle(match) {
  const winners = match.order.filter((one) => one.won).map((one) => one.name);
  if (!winners.length) return t("share.after", { rounds: match.rounds.length });
  if (winners.length > NAMED) return t("share.many", { count: winners.length });
  return t(winners.length > 1 ? "won.shared" : "won.one", { names: together(winners) });
}

/**
 * @param {Past.MatchRecord} record
 * @param {Page.Seats} seats
 * @param {Page.Fact[]} facts
 */
export function standingPicture(record, seats, facts = []) {
  const match = placed(record, seats);
  const crowd = match.order.length > 6;
  const chart = match.rounds.length > 1;
  const hero = HEROES[crowd ? "crowd" : chart ? "few" : "short"];
  const title = titleLines(match, hero.size);
  const room = {
    top: hero.y + hero.r + TITLE + title.size * (1.08 * title.lines.length) + 84,
    bottom: facts.length ? 1346 : HIGH - 60,
  };
  return written(
    standingTitle(match),
    html`
      <${Felt} y=${hero.y} />
      <${Head} started=${match.started} />
      <${Hero} match=${match} hero=${hero} title=${title} />
      <${Road} match=${match} room=${room} chart=${chart} />
      <${Facts} facts=${facts} />`,
  );
}

// Rays from behind the winner, as from the lamp above the table.
/** @param {{ y: number }} props */
function Felt({ y }) {
  const rays = Array.from({ length: 16 }, (_, at) => {
    const [one, other] = [at / 16, (at + 0.5) / 16].map((part) => 2 * Math.PI * part + 0.098);
    const end = (/** @type {number} */ angle) =>
      `${(WIDE / 2 + 1700 * Math.cos(angle)).toFixed(0)} ${(y + 1700 * Math.sin(angle)).toFixed(0)}`;
    return `M${WIDE / 2} ${y}L${end(one)}L${end(other)}z`;
  }).join("");
  const light = {
    x: WIDE / 2,
    y,
    far: 1150,
    stops: [
      [0, "#1a8466"],
      [0.45, INK.felt],
      [1, INK.deep],
    ],
  };
  return html`<clipPath id="rays"><path d=${rays} /></clipPath>
    <${Glow} ...${light} />
    <g clip-path="url(#rays)"><${Glow} ...${light} more=${(r) => 0.17 * Math.max(0, 1 - r / 900)} /></g>`;
}

/**
 * @param {{ match: Standing; hero: { y: number; r: number; size: number };
 *   title: { lines: string[]; size: number } }} props
 */
function Hero({ match, hero, title }) {
  const winners = match.order.filter((one) => one.won);
  const shown = (winners.length ? winners : match.order).slice(0, 5);
  const r = shown.length > 2 ? hero.r * 0.72 : hero.r;
  const x = (/** @type {number} */ at) => WIDE / 2 + (at - (shown.length - 1) / 2) * r * 2.2;
  const first = hero.y + hero.r + TITLE + title.size;
  const below = first + (title.lines.length - 1) * title.size * 1.08;
  const facts = [
    match.edition_name,
    t(`scoring.${match.scoring}.title`),
    t(`sheet.goal_${match.scoring}`, { target: match.target }),
  ].join(" · ");
  return html`${shown.map(
    (one, at) => html`<g key=${one.player}>
      <circle cx=${x(at)} cy=${hero.y} r=${r} fill=${INK.paper} stroke=${winners.length ? INK.gold : INK.dim}
        stroke-width=${r * 0.11} />
      <${Mark} seat=${match.marks[one.player]} x=${x(at)} y=${hero.y} size=${r * 1.16} edge=${INK.edge} />
      ${winners.length > 0 && html`<${Crown} x=${x(at)} y=${hero.y - r * 0.98} size=${r * 0.9} />`}</g>`,
  )}
  ${title.lines.map(
    (line, at) => html`<${Line} key=${at} text=${line} x=${WIDE / 2}
      y=${(first + at * title.size * 1.08).toFixed(1)} size=${title.size} room=${WIDE - 2 * EDGE} weight=${800}
      fill=${INK.paper} text-anchor="middle" />`,
  )}
  <${Line} text=${facts} x=${WIDE / 2} y=${(below + 54).toFixed(1)} size=${34} room=${WIDE - 2 * EDGE}
    fill=${INK.soft} text-anchor="middle" />`;
}

// Long names are cut until the headline can be read from across a chat.
/**
 * @param {Standing} match
 * @param {number} size
 */
function titleLines(match, size) {
  const room = WIDE - 2 * EDGE;
  for (const part of [1, 0.8, 0.6, 0.45, 0.3]) {
    const short = {
      ...match,
      order: match.order.map((one) => ({ ...one, name: cut(one.name, part * room, 64, 800) })),
    };
    const found = headline(standingTitle(short), room, size, 60);
    if (found) return found;
  }
  return { lines: [t("share.many", { count: match.winners.length })], size: 60 };
}

/** @param {{ x: number; y: number; size: number }} props */
function Crown({ x, y, size }) {
  const scale = size / 100;
  return html`<g
    transform=${`translate(${(x - 50 * scale).toFixed(1)} ${(y - 62 * scale).toFixed(1)}) scale(${scale.toFixed(4)})`}>
    <path d="M8 62 0 14 27 36 50 0 73 36 100 14 92 62Z" fill=${INK.gold} stroke=${INK.deep} stroke-width="5"
      stroke-linejoin="round" />
    <path d="M8 62H92V76H8Z" fill=${INK.gold} stroke=${INK.deep} stroke-width="5" stroke-linejoin="round" /></g>`;
}

// Everybody on the way to the target, and below it how the totals came about.
/** @param {{ match: Standing; room: { top: number; bottom: number }; chart: boolean }} props */
function Road({ match, room, chart }) {
  const count = match.order.length;
  const high = room.bottom - room.top;
  const row = Math.min(chart ? 78 : 130, (high - (chart ? 330 : 90)) / count);
  const top = room.top + (chart ? 26 : (high - count * row - 38) / 2);
  const size = Math.min(42, row * 0.6);
  const names = Math.min(360, Math.max(...match.order.map((one) => widthOf(one.name, size, 800)))) + 4;
  const totals = Math.max(...match.order.map((one) => widthOf(String(one.points), size * 1.1, 800)));
  const from = EDGE + 62 + size + 20 + names + 18 + row * 0.3;
  const to = WIDE - EDGE - totals - 24 - row * 0.3;
  const most = Math.max(match.target, ...match.order.map((one) => one.points));
  const at = scale(0, most, from, to);
  const goal = at(match.target);
  const below = top + count * row;
  return html`<rect x=${EDGE - 36} y=${room.top} width=${WIDE - 2 * EDGE + 72} height=${high} rx="40" fill=${INK.road}
    stroke=${INK.paper} stroke-opacity="0.2" stroke-width="3" />
  ${match.order.map(
    (one, index) => html`<path key=${one.player} d=${`M${from} ${top + (index + 0.5) * row}H${to}`}
      stroke=${INK.kerb} stroke-width=${(row * 0.2).toFixed(1)} stroke-linecap="round" />`,
  )}
  ${
    match.classic
      ? html`<${Chequers} x=${goal - 12} y=${top + 6} wide=${24} high=${count * row - 12} side=${12} />`
      : html`<rect x=${goal - 4} y=${top + 6} width="8" height=${count * row - 12} fill=${INK.alarm} />`
  }
  ${match.order.map(
    (one, index) => html`<${Runner} key=${one.player} one=${one} seat=${match.marks[one.player]}
      middle=${top + (index + 0.5) * row} row=${row} size=${size} names=${names} from=${from} at=${at(one.points)} />`,
  )}
  <${Line} text=${t("share.way", { number: match.number, rounds: match.rounds.length })} x=${EDGE} y=${below + 34}
    size=${25} room=${goal - EDGE - 140} fill=${INK.dim} />
  <${Line} text=${t(match.classic ? "share.target" : "share.limit", { target: match.target })} x=${goal.toFixed(1)}
    y=${below + 34} size=${25} room=${2 * Math.min(130, WIDE - EDGE + 16 - goal)} text-anchor="middle"
    fill=${match.classic ? INK.dim : INK.alarm} />
  ${
    chart &&
    html`<${Ways} match=${match}
      box=${{ left: EDGE + 50, right: WIDE - EDGE - 40, top: below + 72, bottom: room.bottom - 66 }} />`
  }`;
}

/**
 * @param {{ one: Standing["order"][number]; seat: number; middle: number; row: number; size: number; names: number;
 *   from: number; at: number }} props
 */
function Runner({ one, seat, middle, row, size, names, from, at }) {
  const base = (middle + size * 0.36).toFixed(1);
  return html`<g opacity=${one.place === null ? 0.6 : 1}>
    <text x=${EDGE + 22} y=${base} text-anchor="middle" font-size=${(size * 0.82).toFixed(1)} font-weight="700"
      fill=${one.won ? INK.gold : INK.dim}>${one.place ?? "–"}</text>
    <${Mark} seat=${seat} x=${EDGE + 62 + size / 2} y=${middle} size=${size} />
    <${Line} text=${one.name} x=${EDGE + 62 + size + 20} y=${base} size=${size} least=${size * 0.72} room=${names}
      weight=${one.won ? 800 : 600} fill=${INK.paper} />
    ${
      one.points > 0 &&
      html`<path d=${`M${from} ${middle}H${at.toFixed(1)}`} stroke=${tint(seat)}
        stroke-width=${(row * 0.2).toFixed(1)} stroke-linecap="round" />`
    }
    <circle cx=${at.toFixed(1)} cy=${middle} r=${(row * 0.3).toFixed(1)} fill=${INK.paper} />
    <${Mark} seat=${seat} x=${at} y=${middle} size=${row * 0.38} edge=${INK.edge} />
    <text x=${WIDE - EDGE} y=${(middle + size * 0.4).toFixed(1)} text-anchor="end" font-size=${(size * 1.1).toFixed(1)}
      font-weight="800" fill=${one.won ? INK.gold : INK.paper}>${one.points}</text></g>`;
}

/** @param {{ match: Standing; box: { left: number; right: number; top: number; bottom: number } }} props */
function Ways({ match, box }) {
  const { rounds, scoring, target } = match;
  const top = Math.max(target, ...rounds.flatMap((round) => Object.values(round[scoring])));
  const x = scale(0, rounds.length, box.left, box.right);
  const y = scale(0, top, box.bottom, box.top);
  const levels = marksUpTo(top);
  const every = Math.ceil(rounds.length / 14);
  const lines = linesOf(match).reverse();
  const goal = match.classic ? INK.paper : INK.alarm;
  return html`<g stroke-linejoin="round" stroke-linecap="round" fill="none">
    ${levels.map(
      (points) => html`<path key=${points} d=${`M${box.left} ${y(points).toFixed(1)}H${box.right}`}
        stroke=${INK.kerb} stroke-width="2" />`,
    )}
    <path d=${`M${box.left} ${y(target).toFixed(1)}H${box.right}`} stroke=${goal} stroke-width="4"
      stroke-dasharray="2 12" />
    ${lines.map(({ player, points }) => {
      const way = points
        .map(([at, sum], index) => `${index ? "L" : "M"}${x(at).toFixed(1)} ${y(sum).toFixed(1)}`)
        .join("");
      const seat = match.marks[player.player];
      return html`<g key=${player.player}>
        <path d=${way} stroke=${INK.road} stroke-width="9" />
        <path d=${way} stroke=${tint(seat)} stroke-width="6" stroke-dasharray=${DASHES[(seat - 1) % 3]} />
      </g>`;
    })}
  </g>
  ${apart(lines, y, { top: box.top - 16, high: box.bottom + 26 }, 26).map(
    ({ player, end, at }) => html`<g key=${player.player}>
      <path d=${`M${x(end[0]).toFixed(1)} ${y(end[1]).toFixed(1)}L${(x(end[0]) + 26).toFixed(1)} ${at.toFixed(1)}`}
        stroke=${tint(match.marks[player.player])} stroke-width="3" />
      <${Mark} seat=${match.marks[player.player]} x=${x(end[0]) + 34} y=${at} size=${25} /></g>`,
  )}
  <g font-size="23" fill=${INK.dim}>
    ${[...new Set([...levels, target])].map(
      (points) =>
        (points === target || Math.abs(y(points) - y(target)) > 26) &&
        html`<text key=${points} x=${box.left - 16} y=${(y(points) + 8).toFixed(1)} text-anchor="end"
          fill=${points === target ? goal : undefined} font-weight=${points === target ? 700 : undefined}>${points}
        </text>`,
    )}
    ${rounds.map(
      (round, at) =>
        (rounds.length - 1 - at) % every === 0 &&
        html`<text key=${round.number}
          x=${x(at + 1).toFixed(1)} y=${box.bottom + 42} text-anchor="middle">${round.number}</text>`,
    )}
  </g>`;
}

/** @param {{ facts: Page.Fact[] }} props */
function Facts({ facts }) {
  const wide = (WIDE - 2 * EDGE + 72) / Math.max(1, facts.length);
  return html`${facts.map(
    ({ title, text }, at) => html`<g key=${title}>
      <${Line} text=${title} x=${(EDGE - 36 + wide * (at + 0.5)).toFixed(1)} y="1396" size=${25} room=${wide - 40}
        weight=${700} fill=${INK.gold} text-anchor="middle" />
      <${Line} text=${text} x=${(EDGE - 36 + wide * (at + 0.5)).toFixed(1)} y="1438" size=${32} room=${wide - 40}
        weight=${600} fill=${INK.paper} text-anchor="middle" /></g>`,
  )}`;
}
