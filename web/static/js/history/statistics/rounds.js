// Calls, points, comebacks and wins in pictures.

import { html } from "../../../vendor/htm-preact.js";
import { marksUpTo, scale } from "../../core/axis.js";
import { counted, number, percent } from "../../core/counted.js";
import { listed, t } from "../../core/texts.js";
import {
  Axis,
  alone,
  Bars,
  columns,
  DotKey,
  foremost,
  Grid,
  landscape,
  markOf,
  Person,
  Picture,
  Row,
  Spread,
  Stripes,
} from "./parts.js";

/** @param {{ night: Past.Night }} props */
export function Catches({ night }) {
  const callers = [...night.calls].sort((a, b) => b.caught - a.caught || a.forgot - b.forgot || b.calls - a.calls);
  if (callers.length === 0) return null;
  const most = Math.max(...callers.map((one) => Math.max(one.caught, one.forgot)));
  const [eye, ...others] = foremost(callers, (a, b) => b.caught - a.caught);
  const loudest = foremost(callers, (a, b) => b.calls - a.calls);
  const calls = loudest[0].calls
    ? t("statistics.catches.calls", {
        name: listed(loudest.map((one) => one.name)),
        calls: counted("calls", loudest[0].calls),
      })
    : null;
  const says = others.length ? "tie" : "tells";
  const sharpest = t(`statistics.catches.${eye.caught ? says : "nobody"}`, {
    name: eye.name,
    names: listed([eye, ...others].map((one) => one.name)),
    times: counted("times", eye.caught),
  });
  const table = {
    columns: columns("calls", "caught", "missed", "forgot", "saved"),
    rows: callers.map((one) => [
      one.name,
      ...[one.calls, one.caught, one.missed, one.forgot, one.saved].map((count) => number(count)),
    ]),
  };
  if (most === 0)
    return html`<${Picture} name="catches" wide=${alone(night)} table=${table} tells=${calls ?? sharpest}>
      <${Bars} night=${night}
        told=${callers.filter((one) => one.calls).map(({ name, calls }) => ({ name, value: calls }))} />
    <//>`;
  return html`<${Picture} name="catches" wide=${alone(night)} table=${table} tells=${sharpest} note=${calls}>
    <div class="sides">
      <span></span>
      <span>
        <b>${t("statistics.catches.taken")}<i class="swatch striped"></i></b>
        <b><i class="swatch part"></i>${t("statistics.catches.given")}</b>
      </span><span>${t("statistics.column.calls")}</span>
    </div>
    <ol class="stat-rows">${callers.map(
      (one) => html`<${Row} key=${one.name} night=${night} name=${one.name} high="34" value=${number(one.calls)}>
        <${Stripes} id=${`taken-${markOf(night, one.name)}`} />
        <${Side} count=${one.forgot} from=${50 - (44 * one.forgot) / most} to=${50}
          fill=${`url(#taken-${markOf(night, one.name)})`} />
        <${Side} count=${one.caught} from=${50} to=${50 + (44 * one.caught) / most} />
        <line class="zero" x1="50%" x2="50%" y1="0" y2="34" />
      <//>`,
    )}</ol>
  <//>`;
}

/** @param {{ count: number; from: number; to: number; fill?: string }} props */
function Side({ count, from, to, fill }) {
  if (count === 0) return null;
  const left = to === 50;
  return html`<g>
    <rect class=${left ? "taken" : "part"} x=${`${from}%`} y="6" width=${`${to - from}%`} height="22"
      style=${fill && { fill }} />
    <text class="count" x=${`${left ? from : to}%`} dx=${left ? -7 : 7} y="23" text-anchor=${left ? "end" : "start"}>
      ${number(count)}
    </text></g>`;
}

const STEP = 10; // points in a bin, as the table counts them
const HIGH = 60;
const FLOOR = 48;

/** @param {{ night: Past.Night }} props */
export function PointsPerRound({ night }) {
  const players = night.points;
  if (players.length === 0) return null;
  const bins = (/** @type {"left_spread" | "won_spread"} */ field) =>
    Math.max(0, ...players.map((one) => one[field].length)) * STEP;
  const [left, right] = [Math.max(20, bins("left_spread")), Math.max(20, bins("won_spread"))];
  const place = scale(-left, right, 2, 98);
  const at = (/** @type {number} */ points) => `${place(points)}%`;
  const back = (/** @type {number} */ points) => at(-points);
  const marks = [
    ...marksUpTo(left, 2)
      .slice(1)
      .map((one) => -one)
      .reverse(),
    ...marksUpTo(right, 4),
  ];
  const best = players.reduce((one, other) => ((other.best ?? -1) > (one.best ?? -1) ? other : one));
  const behind = landscape(players.map((one) => one.left_spread));
  const ahead = landscape(players.map((one) => one.won_spread));
  const hills = players.some((one) => behind.isHill(one.left_spread) || ahead.isHill(one.won_spread));
  const dots = players.some(
    (one) =>
      (one.out < one.rounds && !behind.isHill(one.left_spread)) || (one.out > 0 && !ahead.isHill(one.won_spread)),
  );
  const width = (left + right) / 60;
  const per = (/** @type {number} */ sum, /** @type {number} */ rounds) => number(sum / rounds, 1);
  const table = {
    columns: columns("rounds", "out", "won_average", "best_round", "left_average", "worst_round"),
    rows: players.map((one) => [
      one.name,
      number(one.rounds),
      number(one.out),
      per(one.won, one.rounds),
      one.best === null ? "–" : number(one.best),
      per(one.left, one.rounds),
      number(one.worst),
    ]),
  };
  return html`<${Picture} name="points" wide table=${table}
    tells=${t("statistics.points.tells", { name: best.name, points: number(best.best ?? 0) })}
    note=${t("statistics.points.note")}>
    <div class="sides points">
      <span></span><span><b>${t("statistics.points.left")}</b><b>${t("statistics.points.won")}</b></span>
      <span>${t("statistics.points.average")}</span>
    </div>
    <ol class="stat-rows">${players.map(
      (one) => html`<${Row} key=${one.name} night=${night} name=${one.name} high=${HIGH}
        value=${signed((one.won - one.left) / one.rounds)} more=${counted("rounds", one.rounds)}>
        <${Grid} marks=${marks} at=${at} high=${FLOOR} />
        <line class="floor" x1="0" x2="100%" y1=${FLOOR} y2=${FLOOR} />
        <g class="left">
          <${Spread} spread=${one.left_spread} values=${exactly(one.rounds - one.out, one.left, one.worst)}
            land=${behind}
            at=${back} step=${STEP} floor=${FLOOR} high=${FLOOR - 4} width=${width} />
        </g>
        <${Spread} spread=${one.won_spread} values=${exactly(one.out, one.won, one.best)} land=${ahead} at=${at}
          step=${STEP} floor=${FLOOR} high=${FLOOR - 4} width=${width} />
        <line class="zero" x1=${at(0)} x2=${at(0)} y1="0" y2=${FLOOR + 8} />
        ${
          one.rounds > 1 &&
          html`<svg x=${at((one.won - one.left) / one.rounds)} y=${FLOOR} overflow="visible">
            <path class="best" d="M0 1 6 11H-6Z" />
          </svg>`
        }
      <//>`,
    )}</ol>
    <${Axis} marks=${marks} at=${at} label=${(points) => number(Math.abs(points))} />
    <p class="key"><${DotKey} name="points" hills=${hills} dots=${dots} />
      ${
        players.some((one) => one.rounds > 1) &&
        html`<span>
          <svg width="14" height="14" viewBox="-7 0 14 14"><path class="best" d="M0 1 6 12H-6Z" /></svg>
          ${t("statistics.points.average_key")}
        </span>`
      }</p>
  <//>`;
}

// One or two rounds are known to the point from their sum and the largest of them.
/**
 * @param {number} count
 * @param {number} sum
 * @param {number | null} largest
 * @returns {number[] | null}
 */
function exactly(count, sum, largest) {
  if (count === 1) return [sum];
  return count === 2 && largest !== null ? [sum - largest, largest] : null;
}

/** @param {number} value */
export function signed(value) {
  return new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 0, signDisplay: "exceptZero" })
    .format(value)
    .replace("-", "−");
}

const SHOWN = 3;

/** @param {{ night: Past.Night }} props */
export function Comebacks({ night }) {
  const comebacks = night.comebacks;
  if (comebacks.length === 0) return null;
  const [best] = comebacks;
  const facts = {
    name: best.name,
    points: number(best.behind),
    rounds: number(best.rounds),
    match: number(best.match),
  };
  const table = {
    columns: columns("match", "behind_points", "rounds_later", "leads"),
    rows: comebacks.map((one) => [
      one.name,
      number(one.match),
      number(one.behind),
      number(one.rounds),
      one.leads.map(signed).join(" · "),
    ]),
  };
  return html`<${Picture} name="comebacks" wide table=${table}
    tells=${t(best.rounds === 1 ? "statistics.comebacks.tells_next" : "statistics.comebacks.tells", facts)}
    note=${t("statistics.comebacks.note")}>
    <ul class="ways">${comebacks.slice(0, SHOWN).map(
      (one) => html`<li key=${`${one.match} ${one.name}`} class="tint-${markOf(night, one.name) - 1}">
        <span class="way-head">
          <${Person} night=${night} name=${one.name} />
          <small>${t("history.match", { number: number(one.match) })}</small>
        </span><${Lead} comeback=${one} /></li>`,
    )}</ul>
    <p class="key">
      <span>
        <svg class="way" width="30" height="6"><line class="zero" x1="0" x2="30" y1="3" y2="3" /></svg>
        ${t("statistics.comebacks.level_key")}
      </span>
    </p>
  <//>`;
}

// The way from behind to the win, round by round, above and below the best of the others.
/** @param {{ comeback: Past.Comeback }} props */
function Lead({ comeback }) {
  const leads = [0, ...comeback.leads];
  const [low, top] = [Math.min(...leads), Math.max(...leads)];
  const x = scale(0, leads.length - 1, 3, 93);
  const y = scale(top, Math.min(low, top - 1), 26, 82);
  const worst = leads.lastIndexOf(low);
  const won = leads[leads.length - 1];
  const way = leads.map((lead, at) => `${x(at).toFixed(1)} ${y(lead).toFixed(1)}`).join("L");
  return html`<svg class="way" width="100%" height="104">
    <svg width="100%" height="104" viewBox="0 0 100 104" preserveAspectRatio="none">
      <path class="under" d=${`M${x(0)} ${y(0)}L${way}V${y(0)}Z`} /><path class="zero" d=${`M0 ${y(0)}H100`} />
      <path class="line casing" d=${`M${way}`} /><path class="line" d=${`M${way}`} />
    </svg>
    <circle class="dot" cx=${`${x(worst)}%`} cy=${y(low)} r="5" />
    <text class="count" x=${`${x(worst)}%`} y=${y(low) + 17} text-anchor=${anchor(worst, leads.length)}>
      ${signed(low)}
    </text>
    <circle class="dot won" cx=${`${x(leads.length - 1)}%`} cy=${y(won)} r="7" />
    <text class="count" x=${`${x(leads.length - 1)}%`} y=${y(won) - 12} dx="8" text-anchor="end">
      ${signed(won)}
    </text>
  </svg>`;
}

/**
 * @param {number} at
 * @param {number} length
 */
function anchor(at, length) {
  if (at < 2 && at < length / 4) return "start";
  return "middle";
}

const ENOUGH = 5; // a share of fewer matches than these says nothing

/** @param {{ night: Past.Night }} props */
export function WinRates({ night }) {
  if (night.rates.length === 0) return null;
  const kinds = new Map();
  for (const rate of night.rates) {
    const kind = t("statistics.wins.kind", { edition: rate.edition_name, scoring: t(`scoring.${rate.scoring}.title`) });
    kinds.set(kind, [...(kinds.get(kind) ?? []), rate]);
  }
  const most = Math.max(...night.rates.map((rate) => rate.played));
  const all = new Map();
  for (const rate of night.rates) {
    const known = all.get(rate.name) ?? { name: rate.name, won: 0, played: 0 };
    all.set(rate.name, { ...known, won: known.won + rate.won, played: known.played + rate.played });
  }
  const [best, ...others] = foremost(all.values(), (a, b) => b.won - a.won || a.played - b.played);
  const facts = {
    name: best.name,
    names: listed([best, ...others].map((one) => one.name)),
    won: number(best.won),
    played: counted("matches", best.played),
  };
  const rows = foremost(night.winners, (a, b) => b.row - a.row);
  const table = {
    columns: columns("kind", "played", "won", "share"),
    rows: [...kinds].flatMap(([kind, rates]) =>
      rates.map((/** @type {Past.Rate} */ rate) => [
        rate.name,
        kind,
        number(rate.played),
        number(rate.won),
        rate.played < ENOUGH ? "–" : percent(rate.won, rate.played),
      ]),
    ),
  };
  return html`<${Picture} name="wins" wide table=${table}
    tells=${t(`statistics.wins.${others.length ? "tie" : "tells"}`, facts)}
    note=${
      rows[0].row > 1
        ? t("statistics.wins.row", { name: listed(rows.map((one) => one.name)), count: number(rows[0].row) })
        : t("statistics.wins.note")
    }>
    <div class="kinds">${[...kinds].map(
      ([kind, rates]) => html`<div class="kind" key=${kind}><h3>${kind}</h3>
        <ol class="stat-rows">${rates.map(
          (/** @type {Past.Rate} */ rate) => html`<${Row} key=${rate.name} night=${night} name=${rate.name} high="30"
            value=${t("statistics.wins.of", { won: number(rate.won), played: number(rate.played) })}
            more=${rate.played < ENOUGH ? null : percent(rate.won, rate.played)}>
            <rect class="whole" x="1" y="5" rx="5" width=${`${(98 * rate.played) / most}%`} height="20" />
            ${
              rate.won > 0 &&
              html`<rect class="part" x="1" y="5" rx="5" width=${`${(98 * rate.won) / most}%`}
                height="20" />`
            }
          <//>`,
        )}</ol></div>`,
    )}</div>
    <p class="key">
      <span><i class="swatch part"></i>${t("statistics.wins.part_key")}</span>
      <span><i class="swatch whole"></i>${t("statistics.wins.whole_key")}</span>
    </p>
  <//>`;
}
