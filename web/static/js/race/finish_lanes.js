// The lanes of a second look: the photo finish as an instrument, down to what each contact did.

import { html } from "../../vendor/htm-preact.js";
import { MS, marksOfTime, scale } from "../core/axis.js";
import { t } from "../core/texts.js";
import { Heard, Mark } from "../parts/components.js";
import { Fit } from "../parts/fit.js";
import { digitsOf, exact, landedAt, signed } from "./margin.js";

const NARROWEST = 4 * MS; // what the closest look shows, for as long as a contact bounces
const UP = 80;
const DOWN = 20;
const FIRST_KEPT = 20; // of a bad contact's edges so many are from the beginning, the rest from the end

/**
 * @param {Past.Finish | null} finish
 * @returns {Page.PlacedSlap[]}
 */
export function slapsOf(finish) {
  return (finish?.places ?? []).flatMap(({ press, after, ...place }) =>
    press && after !== null ? [{ ...place, press, after, real: after + place.handicap }] : [],
  );
}

// The whole race: from the first hand, or the light, to the last.
/**
 * @param {Past.RaceReview} look
 * @returns {Page.Span}
 */
export function wholeOf(look) {
  const near = look.presses
    .filter((press) => press.why !== "after_ruling" && press.why !== "too_early")
    .map((press) => press.after);
  const from = Math.min(0, ...near);
  const to = Math.max(from + 100 * MS, ...near);
  const room = (to - from) / 12;
  return { from: from - room, to: to + room };
}

// The same place of the picture stays under the eye while it grows.
/**
 * @param {Page.Span} whole
 * @param {number} focus
 * @param {number} zoom
 * @returns {Page.Span}
 */
export function zoomed(whole, focus, zoom) {
  const all = whole.to - whole.from;
  const width = all * (Math.min(NARROWEST, all) / all) ** (zoom / 100);
  const from = focus - ((focus - whole.from) * width) / all;
  return { from, to: from + width };
}

/**
 * @param {Page.Span} whole
 * @param {number} width
 */
export function zoomFor(whole, width) {
  const all = whole.to - whole.from;
  if (all <= NARROWEST) return 0;
  return Math.min(100, Math.max(0, (100 * Math.log(width / all)) / Math.log(NARROWEST / all)));
}

// All contacts one above the other, each from its own first edge as it closed, or as it opened.
/**
 * @param {Past.RaceReview} look
 * @param {Past.Finish | null} finish
 * @param {boolean} opening
 * @returns {Page.Span}
 */
export function contactSpan(look, finish, opening) {
  const ends = slapsOf(finish)
    .map((slap) => pressOf(look, slap))
    .map((press) => (press?.edges.length ? lastEdge(press, opening) : 0));
  const span = Math.min(15 * MS, Math.max(1 * MS, ...ends) * 1.4);
  return { from: -span / 8, to: span };
}

/**
 * @param {Past.PressSeen} press
 * @param {boolean} opening
 */
function lastEdge(press, opening) {
  const letGo = press.held ?? Infinity;
  const near = press.edges
    .filter(([after]) => (opening ? after >= letGo : after < letGo))
    .map(([after]) => (opening ? after - letGo : after));
  return Math.max(0, ...near);
}

/**
 * @param {Past.RaceReview} look
 * @param {Page.PlacedSlap} slap
 */
function pressOf(look, slap) {
  return look.presses.find((press) => press.seat === slap.seat && Math.abs(press.after - slap.real) < 1000);
}

/**
 * @param {{ look: Past.RaceReview; finish: Past.Finish | null; last: number[]; span: Page.Span;
 *   aligned?: string | null;
 *   focus?: number; onFocus: ((seat: number) => void) | null; names: Record<number, string> }} props
 */
export function LookLanes({ look, finish, last, span, aligned = null, focus, onFocus, names }) {
  const slaps = slapsOf(finish);
  const placed = [...(finish?.places ?? []).map((place) => place.seat), ...(finish?.unusable ?? [])];
  const lanes = [...new Set([look.layer, ...placed, ...look.presses.map((press) => press.seat)])].filter(
    (seat) => seat !== null,
  );
  const at = scale(span.from, span.to, 0, 100);
  const ticks = marksOfTime(span.from, span.to, 7);
  return html`<div class="lanes look-lanes" data-aligned=${aligned}>
    ${lanes.map((seat) => {
      const slap = slaps.find((one) => one.seat === seat);
      return html`<${Lane} key=${seat} look=${look} finish=${finish} seat=${seat} slap=${slap} span=${span} at=${at}
        ticks=${ticks} aligned=${aligned}
        last=${last.includes(seat)} focused=${focus === seat} onFocus=${slap && onFocus ? () => onFocus(seat) : null}
        name=${names[seat] ?? t("common.seat", { number: seat })} />`;
    })}
    <div class="lane-axis" aria-hidden="true"><span></span><span class="axis-marks">
      ${ticks.map((tick) => html`<span key=${tick} style=${{ left: `${at(tick * MS)}%` }}>${short(tick)}</span>`)}
    </span><span>${t("race.ms", { ms: "" })}</span></div>
  </div>`;
}

/**
 * @param {{ look: Past.RaceReview; finish: Past.Finish | null; seat: number; slap?: Page.PlacedSlap; span: Page.Span;
 *   at: (time: number) => number; ticks: number[]; aligned: string | null; last: boolean; focused: boolean;
 *   onFocus: (() => void) | null; name: string }} props
 */
function Lane({ look, finish, seat, slap, span, at, ticks, aligned, last, focused, onFocus, name }) {
  const presses = look.presses.filter((press) => press.seat === seat);
  const own = slap && pressOf(look, slap);
  const shown = aligned ? presses.filter((press) => press === own) : presses;
  const gaps = aligned ? [] : look.gaps.filter((gap) => gap.seats.length === 0 || gap.seats.includes(seat));
  const kind = seat === look.layer ? "layer" : slap ? "landed" : "";
  const place = (/** @type {number} */ from, /** @type {number} */ to) => ({
    left: `${clamp(at(from))}%`,
    right: `${100 - clamp(at(to))}%`,
  });
  return html`<div class="lane look-lane ${kind} ${last ? "last" : ""}" data-seat=${seat}>
    <span class="lane-name">${
      onFocus
        ? html`<button type="button" class="lane-focus" aria-pressed=${focused} onClick=${onFocus}>
          <${Mark} seat=${seat} /><${Fit} text=${name} />
        </button>`
        : html`<${Mark} seat=${seat} /><${Fit} text=${name} />`
    }</span>
    <span class="track">
      ${
        !aligned &&
        html`<span class="before" style=${place(span.from, look.since)} aria-hidden="true"></span>
          <span class="before" style=${place(look.deadline, span.to)} aria-hidden="true"></span>`
      }
      ${gaps.map(
        (gap, index) => html`<span class="unseen" key=${index} style=${place(gap.since, gap.until)}
          title=${t("look.gap")}></span>`,
      )}
      ${ticks.map(
        (tick) => html`<span class="tick-line ${tick === 0 ? "zero" : ""}" key=${tick}
          style=${{ left: `${at(tick * MS)}%` }} aria-hidden="true"></span>`,
      )}
      ${
        !aligned &&
        slap &&
        html`<span class="doubt"
          style=${place(slap.after - slap.press.uncertainty, slap.after + slap.press.uncertainty)} aria-hidden="true">
        </span>`
      }
      <svg class="trace" viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
        ${shown.map(
          (press) => html`<${Wave} key=${press.after} press=${press} at=${at}
            start=${aligned ? alignment(press, aligned) : press.after} />`,
        )}
      </svg>
      ${
        !aligned &&
        slap &&
        slap.handicap > 0 &&
        html`<span class="real-hand" style=${{ left: `${at(slap.real)}%` }}
          aria-hidden="true"></span>`
      }
      ${
        !aligned &&
        slap &&
        inside(slap.after, span) &&
        html`<span class="hand-mark"
          style=${{ left: `${at(slap.after)}%` }} aria-hidden="true"></span>`
      }
      ${
        aligned &&
        own &&
        own.edges.length === 0 &&
        html`<span class="no-edges">
          ${t("look.no_edges", { source: t(`look.source.${own.source}`) })}
        </span>`
      }
    </span>
    <span class="lane-time">
      <${Time} look=${look} finish=${finish} slap=${slap} own=${own} aligned=${aligned} seat=${seat} />
    </span>
  </div>`;
}

/**
 * @param {{ look: Past.RaceReview; finish: Past.Finish | null; slap?: Page.PlacedSlap; own?: Past.PressSeen;
 *   aligned: string | null; seat: number }} props
 */
function Time({ look, finish, slap, own, aligned, seat }) {
  if (aligned) {
    if (!own?.edges.length) return "–";
    const letGo = own.held ?? Infinity;
    const count = own.edges.filter(([after]) => (aligned === "opening" ? after >= letGo : after < letGo)).length;
    const bounces = Math.max(0, count - 1) + (aligned === "opening" ? 0 : own.left_out);
    return html`${t("race.ms", { ms: (lastEdge(own, aligned === "opening") / MS).toFixed(2) })}
      <small>${t(bounces === 1 ? "look.bounce" : "look.bounces", { count: bounces })}</small>`;
  }
  if (seat === look.layer) return html`<small>${t(`look.how.${look.how}`)}</small>`;
  if (!slap) return missing(look, finish, seat);
  const doubts = slapsOf(finish).map((one) => one.press.uncertainty);
  const digits = digitsOf(finish);
  return html`${landedAt(slap, look.kind === "slap_off", digits)}
    <small class="exact-doubt">± ${t("race.ms", { ms: exact(slap.press.uncertainty, doubts) })}</small>
    ${
      slap.handicap > 0 &&
      html`<small class="taken-off">
        <${Heard}>${t("handicap.heard", { ms: slap.handicap / MS })}<//>
        <span aria-hidden="true">${t("race.ms", { ms: `−${slap.handicap / MS}` })}</span>
      </small>`
    }`;
}

/**
 * @param {Past.RaceReview} look
 * @param {Past.Finish | null} finish
 * @param {number} seat
 */
function missing(look, finish, seat) {
  const place = finish?.places.find((one) => one.seat === seat);
  if (place?.press) return landedAt(place, look.kind === "slap_off");
  if (look.unusable.includes(seat)) return t("race.unusable");
  return look.racers.includes(seat) ? t("race.no_slap") : "–";
}

/**
 * @param {Past.PressSeen} press
 * @param {string} aligned
 */
function alignment(press, aligned) {
  return aligned === "opening" ? -(press.held ?? 0) : 0;
}

// A contact as a logic analyser draws it: high while it is closed. What was not seen is dashed.
/** @param {{ press: Past.PressSeen; at: (time: number) => number; start: number }} props */
function Wave({ press, at, start }) {
  const x = (/** @type {number} */ after) => Math.max(-50, Math.min(1050, 10 * at(start + after))).toFixed(2);
  const tone = press.why === "slap" ? "slap" : "void";
  if (press.edges.length === 0) {
    if (press.held === null) return html`<path class="wave guessed ${tone}" d=${`M${x(0)} ${UP}V${DOWN}`} />`;
    return html`<path class="wave guessed ${tone}" d=${`M${x(0)} ${UP}V${DOWN}H${x(press.held)}V${UP}`} />`;
  }
  const parts = press.left_out ? [press.edges.slice(0, FIRST_KEPT), press.edges.slice(FIRST_KEPT)] : [press.edges];
  const [head, tail = []] = parts;
  const level = (/** @type {Past.RawEdge} */ [, down]) => (down ? DOWN : UP);
  const path = (/** @type {Past.RawEdge[]} */ edges) => edges.map((edge) => `H${x(edge[0])}V${level(edge)}`).join("");
  return html`<path class="wave ${tone}" d=${`M${x(0)} ${UP}${path(head)}`} />
    ${
      tail.length > 0 &&
      html`<path class="wave unknown ${tone}" d=${`M${x(head[head.length - 1][0])} 50H${x(tail[0][0])}`} />
        <path class="wave ${tone}" d=${`M${x(tail[0][0])} ${level(tail[0])}${path(tail.slice(1))}`} />`
    }`;
}

/**
 * @param {number} after
 * @param {Page.Span} span
 */
function inside(after, span) {
  return after >= span.from && after <= span.to;
}

/** @param {number} percent */
function clamp(percent) {
  return Math.min(100, Math.max(0, percent));
}

/** @param {number} tick */
function short(tick) {
  return signed(tick).replace(".", t("number.decimal"));
}
