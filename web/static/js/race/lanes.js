// The pieces of a race, alike on every screen: start lights, lanes that fill while hands land, the photo finish.

import { html, useEffect, useRef } from "../../vendor/htm-preact.js";
import { MS, marksOfTime, scale } from "../core/axis.js";
import { tableNow } from "../core/connection.js";
import { ordinal } from "../core/counted.js";
import { t } from "../core/texts.js";
import { Mark, nameOf, seatOf, tintOf } from "../parts/components.js";
import { Fit } from "../parts/fit.js";
import { whyUnheard } from "../parts/unheard.js";
import { HeadStartNote, RealHand, TakenOff } from "../setup/handicap.js";
import { Lens } from "./lens.js";
import { digitsOf, exact, landedAt, marginOf, ms, signed } from "./margin.js";

const upright = matchMedia("(max-aspect-ratio: 1 / 1)");
const SHORTEST = 500; // milliseconds after the first hand that such a lane shows at least
const QUICK = 500; // milliseconds in which a lane comes half way to the place of the first hand
const AHEAD = { upright: 1.75, wide: 1.45 }; // as much as the latest hand: beyond it stands how late each came
const LEAST = 200 * MS; // that a photo finish spans at least, so that a hair looks like one

// Five lamps: red while one has to wait, green from the start on. Where something else says so they are only seen.
/** @param {{ dark: boolean; heard?: boolean }} props */
export function Lights({ dark, heard = false }) {
  const told = heard ? { role: "img", "aria-label": t(dark ? "race.light_off" : "race.light_on") } : {};
  return html`<div class="lights ${dark ? "hold" : "go"}" aria-hidden=${!heard} ...${told}><i /><i /><i /><i /><i />
    </div>`;
}

// A lane for each who is awaited, in a race or at the light of a slap-off; it fills until the hand comes down.
/** @param {Page.AtTable<Page.InRace>} props */
export function LiveLanes({ table }) {
  const { race } = table;
  const light = race.state === "slap_off" ? race.slap_off : null;
  const dark = light !== null && !light.lit;
  const slaps = dark ? light.slaps : race.slaps;
  const seats = light?.seats ?? race.racers;
  const timed = slaps.filter(isTimed).filter((slap) => !slap.early);
  const latest = Math.max(0, ...timed.map((slap) => slap.after / MS));
  const zero = timed.length ? timed[0].at - timed[0].handicap - timed[0].after : null;
  const box = useRef(null);
  const from = light?.light_at ?? race.anchor;
  useEffect(() => (dark ? undefined : runOn(box.current, from, zero, latest)), [from, zero, latest, dark]);
  return html`<ol class="live-lanes" ref=${box} style=${{ "--lanes": seats.length }}>
    ${seats.map((seat) => {
      const slap = slaps.find((one) => one.seat === seat);
      return html`<li key=${seat} class="lane live-lane ${slap ? "landed" : "awaited"} ${tintOf(seat)}"
        data-seat=${seat} style=${slap ? { "--after": Number(slap.after ?? 0) / MS } : {}}>
        <span class="live-way" aria-hidden="true"></span>
        <span class="lane-name"><${Mark} seat=${seat} /><${Fit} text=${nameOf(table, seat)} /></span>
        <strong class="lane-time">${slap ? soFar(slap, timed) : awaited(table, seat, dark)}</strong>
      </li>`;
    })}
  </ol>`;
}

/**
 * @param {Table.Slap} slap
 * @param {Table.Slap[]} timed
 */
function soFar(slap, timed) {
  if (slap.early || slap.hammered) return html`<small>${landedAt(slap, true)}</small>`;
  const after = `+${ms(slap.after ?? 0, 0)}`;
  if (timed[0] === slap) return ordinal(1);
  return upright.matches ? after : t("race.ms", { ms: after });
}

/**
 * @param {Table.View & Page.InRace} table
 * @param {number} seat
 * @param {boolean} dark
 */
function awaited(table, seat, dark) {
  if (table.race.unusable.includes(seat)) return html`<small>${whyUnheard(seatOf(table, seat))}</small>`;
  return dark ? "…" : t("race.slap_now");
}

// The lanes creep to where the first hand will land, then grow with the time, frame by frame; who wants less motion
// sees hands land, and nothing creep.
/**
 * @param {HTMLElement | null} box
 * @param {number} from
 * @param {number | null} zero
 * @param {number} latest
 */
function runOn(box, from, zero, latest) {
  if (!box) return undefined;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const name = Number(getComputedStyle(box).getPropertyValue("--name"));
  let frame = 0;
  const draw = () => {
    const gone = zero === null || still ? latest : Math.max(latest, (tableNow() - zero) / MS);
    const span = Math.max(SHORTEST, gone * (upright.matches ? AHEAD.upright : AHEAD.wide));
    const waited = Math.max(0, (tableNow() - from) / MS);
    const crept = still ? name : name * (1 - 2 ** (-waited / QUICK));
    box.style.setProperty("--span", String(span));
    box.style.setProperty("--now", String(zero === null ? crept : name + ((1 - name) * gone) / span));
    if (!still) frame = requestAnimationFrame(draw);
  };
  draw();
  return () => cancelAnimationFrame(frame);
}

// The photo finish, the loser on top: everybody looks there first. Who is near also sees how exact the hands are: each
// in its lane, or all of them at the end of the axis.
/** @param {Page.AtTable<Page.InRace> & { near?: boolean }} props */
export function PhotoLanes({ table, near = false }) {
  const { race } = table;
  const { finish } = race;
  const lanes = placesOf(race).reverse();
  const axis = axisOf(lanes.map((lane) => lane.slap).filter(isTimed));
  const first = isFromLight(race) ? "0" : t("race.first");
  const alike = new Set(axis.doubts).size === 1;
  return html`<div class="photo-finish">
    <ol class="photo-lanes" style=${{ "--lanes": lanes.length }}>
      ${lanes.map(
        (lane) =>
          html`<${PhotoLane} key=${lane.seat} table=${table} lane=${lane} axis=${axis} near=${near && !alike} />`,
      )}
      <${Enlarged} lanes=${lanes} axis=${axis} digits=${digitsOf(finish)} />
    </ol>
    <div class="lane-axis" aria-hidden="true"><span class="axis-marks">
      ${axis.ticks.map(
        (tick) =>
          html`<span key=${tick} style=${{ left: axis.at(tick * MS) }}>${tick ? `+${signed(tick)}` : first}</span>`,
      )}
    </span><span>${near && alike ? howExact(axis.doubts[0], axis) : t("race.ms", { ms: "" })}</span></div>
    <p class="margins">${finish && html`<${HeadStartNote} race=${race} />${marginOf(finish)}`}
      ${(finish?.gaps.length ?? 0) > 0 && html` <strong>${t("race.gaps")}</strong>`}</p>
  </div>`;
}

// Only where both of the last two came down as slaps.
/** @param {{ lanes: { seat: number; slap: any }[]; axis: any; digits: number }} props */
function Enlarged({ lanes, axis, digits }) {
  const [last, before] = lanes;
  if (!before || ![last, before].every(({ slap }) => isTimed(slap) && !slap.early && !slap.hammered)) return null;
  const hands = [last, before].map(({ seat, slap }) => ({
    lane: seat,
    after: slap.after,
    real: real(slap),
    doubt: slap.uncertainty,
  }));
  return html`<${Lens} hands=${hands} place=${axis.place} digits=${digits} />`;
}

/** @param {Page.AtTable<Page.InRace> & { lane: any; axis: any; near: boolean }} props */
function PhotoLane({ table, lane, axis, near }) {
  const { race } = table;
  const { seat, slap, rank } = lane;
  const { at, place: along, ticks } = axis;
  const last = race.finish?.last.includes(seat);
  const tied = race.state === "undecided" && race.tied.includes(seat);
  const place = isTimed(slap) && rank && !tied ? ordinal(rank) : "";
  const words = place && rank === 1 && !isFromLight(race) ? "" : inWords(table, lane);
  return html`<li class="lane photo-lane ${slap ? "landed" : ""} ${last ? "last" : ""}" data-seat=${seat}
    style=${{ "--share": isTimed(slap) ? along(slap.after) / 100 : 1 }}>
    <span class="lane-name"><${Mark} seat=${seat} /><${Fit} text=${nameOf(table, seat)} /></span>
    <span class="track">
      ${ticks.map(
        (/** @type {number} */ tick) => html`<span class="tick-line ${tick === 0 ? "zero" : ""}" key=${tick}
          style=${{ left: at(tick * MS) }} aria-hidden="true"></span>`,
      )}
      ${
        isTimed(slap) &&
        html`<span class="doubt" style=${band(slap, at)} aria-hidden="true"></span>
          ${near && html`<span class="exact ${exactPlace(slap, axis)}">${howExact(slap.uncertainty, axis)}</span>`}
          <${RealHand} slap=${slap} at=${at} />
          <span class="hand-mark" style=${{ left: at(slap.after) }} aria-hidden="true"></span>`
      }
    </span>
    <span class="lane-time ${slap && !slap.early && !slap.hammered ? "" : "in-words"}">
      ${place && html`<strong>${place}</strong>`}
      ${(words || slap?.handicap > 0) && html`<span>${words} <${TakenOff} slap=${slap} /></span>`}
    </span>
  </li>`;
}

/**
 * @param {Table.View & Page.InRace} table
 * @param {{ seat: number; slap: any }} lane
 */
function inWords(table, { seat, slap }) {
  if (slap) return landedAt(slap, isFromLight(table.race), digitsOf(table.race.finish));
  return table.race.unusable.includes(seat) ? whyUnheard(seatOf(table, seat)) : t("race.no_slap");
}

// The hands as they were judged; before that, as they came. A slap-off has a finish of its own.
/**
 * @param {Table.RaceShown} race
 * @returns {{ seat: number; slap: any; rank: number | null }[]}
 */
function placesOf({ finish, racers, slaps }) {
  if (!finish) return racers.map((seat) => ({ seat, slap: slaps.find((one) => one.seat === seat), rank: null }));
  const judged = finish.places.map(({ seat, press, after, handicap, early, hammered }, at) => ({
    seat,
    slap: press && { ...press, after, handicap, early, hammered },
    rank: at + 1,
  }));
  return [...judged, ...finish.unusable.map((seat) => ({ seat, slap: null, rank: null }))];
}

// From the first hand, or the light, to just after the last hand.
/** @param {Page.TimedSlap[]} slaps */
function axisOf(slaps) {
  const latest = Math.max(LEAST, ...slaps.map(real));
  const [from, to] = [-latest / 25, latest * 1.04];
  const along = scale(from, to, 0, 100);
  const place = (/** @type {number} */ after) => Math.max(0, Math.min(100, along(after)));
  const at = (/** @type {number} */ after) => `${place(after)}%`;
  return { from, to, ticks: marksOfTime(0, to, 6), place, at, doubts: slaps.map((slap) => slap.uncertainty) };
}

/**
 * A hand that jumped the light has no time worth telling.
 * @param {Table.Slap | null | undefined} slap
 * @returns {slap is Page.TimedSlap}
 */
function isTimed(slap) {
  return typeof slap?.after === "number";
}

// A slap-off has a finish of its own, which counts from the light.
/** @param {Table.RaceShown} race */
function isFromLight({ finish, slap_off: light }) {
  return light !== null && finish?.start === light.light_at;
}

// Where the hand itself came down; with a head start it counts earlier.
/** @param {Page.TimedSlap} slap */
function real(slap) {
  return slap.after + (slap.handicap ?? 0);
}

/**
 * @param {Page.TimedSlap} slap
 * @param {(after: number) => string} at
 */
function band(slap, at) {
  return { left: at(slap.after - slap.uncertainty), right: `calc(100% - ${at(slap.after + slap.uncertainty)})` };
}

/**
 * @param {number} doubt
 * @param {{ doubts: number[] }} axis
 */
function howExact(doubt, { doubts }) {
  return `± ${t("race.ms", { ms: exact(doubt, doubts) })}`;
}

// Beside the hand, where there is more room; a long way to where it counts may leave none at all.
/**
 * @param {Page.TimedSlap} slap
 * @param {Page.Span} span
 */
function exactPlace(slap, { from, to }) {
  const before = slap.after - from;
  const beyond = to - real(slap);
  if (Math.max(before, beyond) < (to - from) / 4) return "no-room";
  return beyond > before ? "beyond" : "";
}
