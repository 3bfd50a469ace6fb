// The score as a race: a track to the target on which the players move, and their way over the rounds.

import { html } from "../../vendor/htm-preact.js";
import { marksUpTo, scale } from "../core/axis.js";
import { t } from "../core/texts.js";
import { Mark, tintOf } from "../parts/components.js";
import { Fit, widthOf } from "../parts/fit.js";
import { noteOf, standingOf } from "./places.js";

// Everybody keeps the mark of the seat; who has none any more, or never had, gets one that is free.
/** @param {{ players: { player: number; seat: number | null }[] }} match */
export function marksOf(match) {
  const taken = match.players.map((player) => player.seat).filter(Boolean);
  const free = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].filter((number) => !taken.includes(number));
  return Object.fromEntries(match.players.map((player) => [player.player, player.seat || free.shift() || 1]));
}

// Reaching the end wins in one scoring; in the other one the player nearest to it is in danger.
/** @param {{ match: Table.MatchShown; [more: string]: any }} props */
export function Track({ match }) {
  const classic = match.scoring === "classic";
  const other = classic ? "alternative" : "classic";
  const worth = (/** @type {Table.PlayerShown} */ player) => player[match.scoring];
  const order = [...match.players].sort(
    (a, b) => Number(b.present) - Number(a.present) || (classic ? worth(b) - worth(a) : worth(a) - worth(b)),
  );
  const marks = marksOf(match);
  return html`<div class="course ${match.scoring}">
    <ol class="bars">
      ${order.map((player) => {
        const kind = standingOf(match, player);
        return html`<li key=${player.player} class="bar-line ${kind}" data-player=${player.player}>
          <span class="bar-name"><${Mark} seat=${marks[player.player]} /><${Fit} text=${player.name} /></span>
          <span class="strip-of-road" aria-hidden="true"><span class="road">
            <span class="runner" style=${{ left: `${Math.min(100, (100 * worth(player)) / match.target)}%` }}>
              <${Mark} seat=${marks[player.player]} />
            </span>
          </span></span>
          <strong class="bar-total">${worth(player)}</strong>
          <small class="bar-other" title=${t(`scoring.${other}.title`)}>
            ${t("sheet.other", { points: player[other] })}
          </small>
          <small class="bar-note">${noteOf(match, kind, worth(player))}</small>
        </li>`;
      })}
    </ol>
    <${Scale} target=${match.target} />
  </div>`;
}

/** @param {{ target: number }} props */
function Scale({ target }) {
  const marks = new Set([...marksUpTo(target), target]);
  return html`<div class="course-scale" aria-hidden="true"><span class="scale-marks">
    ${[...marks].map(
      (points) => html`<span key=${points} style=${{ left: `${(100 * points) / target}%` }}>
        ${points}
      </span>`,
    )}
  </span></div>`;
}

const NAMES = 17; // pixels, of the letters at the ends of the lines
const NEAR = { wide: 640, high: 250, left: 46, right: 118, top: 14, bottom: 30 };
const FAR = { wide: 380, high: 300, left: 44, right: 20, top: 14, bottom: 26 };

// A line of totals for each player, from the first deal on; the table of rounds says the same in words.
// Read from afar, or on a phone, it is drawn coarser, and the marks at its ends stand for the names.
/** @param {{ match: Table.MatchShown; [more: string]: any }} props */
export function Chart({ match, far = matchMedia("(max-width: 700px)").matches }) {
  const rounds = match.rounds;
  if (!rounds.length) return null;
  const longest = Math.max(...match.players.map((player) => widthOf(player.name)));
  const size = far ? FAR : { ...NEAR, right: 24 + longest * NAMES };
  const marks = marksOf(match);
  const top = Math.max(match.target, ...rounds.flatMap((round) => Object.values(round[match.scoring])));
  const x = scale(0, rounds.length, size.left, size.wide - size.right);
  const y = scale(0, top, size.high - size.bottom, size.top);
  const across = (/** @type {number} */ points) => `M${size.left} ${y(points)}H${size.wide - size.right}`;
  const lines = linesOf(match);
  const levels = marksUpTo(top);
  const every = Math.ceil(rounds.length / (far ? 6 : 10));
  const title = t("track.chart", { scoring: t(`scoring.${match.scoring}.title`) });
  return html`<figure class="chart">
    <figcaption>${title}</figcaption>
    <svg viewBox=${`0 0 ${size.wide} ${size.high}`} role="img" aria-label=${title}>
      ${levels.map(
        (points) => html`<g key=${points}>
          <path class="level" d=${across(points)} />
          <text class="axis-y" x=${size.left - 8} y=${y(points) + 5}>${points}</text>
        </g>`,
      )}
      <path class="goal" d=${across(match.target)} />
      ${rounds.map(
        (round, at) =>
          at % every === 0 &&
          html`<text class="axis-x" key=${round.number} x=${x(at + 1)}
            y=${size.high - 8}>${round.number}</text>`,
      )}
      ${lines.map(({ player, points }) => {
        const way = points
          .map(([at, sum], index) => `${index ? "L" : "M"}${x(at).toFixed(1)} ${y(sum).toFixed(1)}`)
          .join("");
        return html`<g key=${player.player}
          class="${tintOf(marks[player.player])} dash-${(marks[player.player] - 1) % 3}">
          <path class="casing" d=${way} /><path class="line" d=${way} /></g>`;
      })}
      ${apart(lines, y, size).map(
        ({ player, end, at }) => html`<g key=${player.player} class="line-end">
          <${Mark} seat=${marks[player.player]} x=${x(end[0]) - 9} y=${y(end[1]) - 9} width="18" height="18" />
          ${!far && html`<text x=${size.wide - size.right + 16} y=${at + 5}>${player.name}</text>`}</g>`,
      )}
    </svg>
  </figure>`;
}

// The totals of each player by rounds played; who came later begins later.
/**
 * @template {{ player: number; name: string }} Player
 * @param {{ players: Player[]; rounds: Past.SheetLine[]; scoring: "classic" | "alternative" }} match
 */
export function linesOf(match) {
  const lines = match.players.map((player) => {
    const points = match.rounds
      .map((round, at) => [at + 1, round[match.scoring][player.player]])
      .filter(([, sum]) => sum !== undefined);
    return { player, points: points[0]?.[0] === 1 ? [[0, 0], ...points] : points };
  });
  return lines.filter((line) => line.points.length);
}

// Names at the ends of the lines are moved apart, so that equal totals can still be read.
/**
 * @template {{ player: number; name: string }} Player
 * @param {{ player: Player; points: number[][] }[]} lines
 * @param {(points: number) => number} y
 * @param {{ high: number; top: number }} size
 * @param {number} most
 */
export function apart(lines, y, size, most = 20) {
  const ends = lines
    .map(({ player, points }) => ({ player, end: points[points.length - 1] }))
    .map((line) => ({ ...line, at: y(line.end[1]) }))
    .sort((a, b) => a.at - b.at);
  const gap = Math.min(most, (size.high - size.top) / ends.length);
  ends.forEach((end, index) => {
    if (index) end.at = Math.max(end.at, ends[index - 1].at + gap);
  });
  let floor = size.high - 10;
  for (const end of [...ends].reverse()) {
    end.at = Math.min(end.at, floor);
    floor = end.at - gap;
  }
  return ends;
}
