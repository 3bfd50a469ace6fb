// The lanes of a second look: the photo finish as an instrument, down to what each contact did.

import { html } from "../../vendor/htm-preact.js";
import { MS, marksOfTime, scale } from "../core/axis.js";
import { t } from "../core/texts.js";
import { Heard, Mark } from "../parts/components.js";
import { landedAt, signed } from "./margin.js";

const NARROWEST = 4 * MS; // what the closest look shows, for as long as a contact bounces
const UP = 80;
const DOWN = 20;
const FIRST_KEPT = 20; // of a bad contact's edges so many are from the beginning, the rest from the end

export function slapsOf(finish) {
  return (finish?.places ?? [])
    .filter((place) => place.press && place.after !== null)
    .map((place) => ({ ...place, real: place.after + (place.handicap ?? 0) }));
}

// The whole race: from the first hand, or the light, to the last.
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
export function zoomed(whole, focus, zoom) {
  const all = whole.to - whole.from;
  const width = all * (Math.min(NARROWEST, all) / all) ** (zoom / 100);
  const from = focus - ((focus - whole.from) * width) / all;
  return { from, to: from + width };
}

export function zoomFor(whole, width) {
  const all = whole.to - whole.from;
  if (all <= NARROWEST) return 0;
  return Math.min(100, Math.max(0, (100 * Math.log(width / all)) / Math.log(NARROWEST / all)));
}

// All contacts one above the other, each from its own first edge as it closed, or as it opened.
export function contactSpan(look, finish, opening) {
  const ends = slapsOf(finish)
    .map((slap) => pressOf(look, slap))
    .filter((press) => press?.edges.length)
    .map((press) => lastEdge(press, opening));
  const span = Math.min(15 * MS, Math.max(1 * MS, ...ends) * 1.4);
  return { from: -span / 8, to: span };
}

function lastEdge(press, opening) {
  const letGo = press.held ?? Infinity;
  const near = press.edges
    .filter(([after]) => (opening ? after >= letGo : after < letGo))
    .map(([after]) => (opening ? after - letGo : after));
  return Math.max(0, ...near);
}

function pressOf(look, slap) {
  return look.presses.find((press) => press.seat === slap.seat && Math.abs(press.after - slap.real) < 1000);
}

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

function Lane({ look, finish, seat, slap, span, at, ticks, aligned, last, focused, onFocus, name }) {
  const presses = look.presses.filter((press) => press.seat === seat);
  const own = slap && pressOf(look, slap);
  const shown = aligned ? [own].filter(Boolean) : presses;
  const gaps = aligned ? [] : look.gaps.filter((gap) => gap.seats.length === 0 || gap.seats.includes(seat));
  const kind = seat === look.layer ? "layer" : slap ? "landed" : "";
  const place = (from, to) => ({ left: `${clamp(at(from))}%`, right: `${100 - clamp(at(to))}%` });
  return html`<div class="lane look-lane ${kind} ${last ? "last" : ""}" data-seat=${seat}>
    <span class="lane-name">${
      onFocus
        ? html`<button type="button" class="lane-focus" aria-pressed=${focused} onClick=${onFocus}>
          <${Mark} seat=${seat} /><span class="name">${name}</span>
        </button>`
        : html`<${Mark} seat=${seat} /><span class="name">${name}</span>`
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
        slap?.handicap > 0 &&
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
  return html`${landedAt(slap, look.kind === "slap_off")}
    <small class="exact-doubt">± ${t("race.ms", { ms: exact(slap.press.uncertainty) })}</small>
    ${
      slap.handicap > 0 &&
      html`<small class="taken-off">
        <${Heard}>${t("handicap.heard", { ms: slap.handicap / MS })}<//>
        <span aria-hidden="true">${t("race.ms", { ms: `−${slap.handicap / MS}` })}</span>
      </small>`
    }`;
}

function missing(look, finish, seat) {
  const place = finish?.places.find((one) => one.seat === seat);
  if (place?.press) return landedAt(place, look.kind === "slap_off");
  if (look.unusable.includes(seat)) return t("race.unusable");
  return look.racers.includes(seat) ? t("race.no_slap") : "–";
}

function alignment(press, aligned) {
  return aligned === "opening" ? -(press.held ?? 0) : 0;
}

// A contact as a logic analyser draws it: high while it is closed. What was not seen is dashed.
function Wave({ press, at, start }) {
  const x = (after) => Math.max(-50, Math.min(1050, 10 * at(start + after))).toFixed(2);
  const tone = press.why === "slap" ? "slap" : "void";
  if (press.edges.length === 0) {
    if (press.held === null) return html`<path class="wave guessed ${tone}" d=${`M${x(0)} ${UP}V${DOWN}`} />`;
    return html`<path class="wave guessed ${tone}" d=${`M${x(0)} ${UP}V${DOWN}H${x(press.held)}V${UP}`} />`;
  }
  const parts = press.left_out ? [press.edges.slice(0, FIRST_KEPT), press.edges.slice(FIRST_KEPT)] : [press.edges];
  const [head, tail] = parts;
  const path = (edges, before) => edges.map(([after, down]) => `H${x(after)}V${down ? DOWN : UP}`).join("") || before;
  const level = ([, down]) => (down ? DOWN : UP);
  return html`<path class="wave ${tone}" d=${`M${x(0)} ${UP}${path(head)}`} />
    ${
      tail?.length > 0 &&
      html`<path class="wave unknown ${tone}" d=${`M${x(head.at(-1)[0])} 50H${x(tail[0][0])}`} />
        <path class="wave ${tone}" d=${`M${x(tail[0][0])} ${level(tail[0])}${path(tail.slice(1))}`} />`
    }`;
}

function inside(after, span) {
  return after >= span.from && after <= span.to;
}

function clamp(percent) {
  return Math.min(100, Math.max(0, percent));
}

function exact(uncertainty) {
  return (uncertainty / MS).toFixed(uncertainty < MS ? 2 : 1);
}

function short(tick) {
  return signed(tick).replace(".", t("number.decimal"));
}
