// A race on the large screen: lights, lanes that fill while hands are awaited, then who was last.

import { html, useEffect, useRef } from "../../vendor/htm-preact.js";
import { MS } from "../core/axis.js";
import { tableNow } from "../core/connection.js";
import { number, ordinal } from "../core/counted.js";
import { listed, sentenceText, t } from "../core/texts.js";
import { Heard, Mark, nameOf, seatOf, tintOf } from "../parts/components.js";
import { Fit } from "../parts/fit.js";
import { HeadStartNote, TakenOff } from "../parts/handicap.js";
import { whyUnheard } from "../parts/unheard.js";
import { digitsOf, landedAt, marginOf, ms } from "../race/margin.js";
import { marksOf } from "../score/track.js";
import { inOrder } from "./standings.js";
import { Headline } from "./verdict.js";

const QUICK = 500; // milliseconds in which a lane is half full
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Page.AtTable<Page.InRace>} props */
export function RaceShow({ table }) {
  const { race } = table;
  const ruling = table.rulings.find((one) => one.number === race.ruling);
  switch (race.state) {
    case "ruled":
      return html`<${Finished} table=${table} ruling=${ruling} />`;
    case "undecided":
      return html`<${DeadHeat} table=${table} ruling=${ruling} />`;
    default:
      return html`<${Running} table=${table} />`;
  }
}

/** @param {Page.AtTable<Page.InRace>} props */
function Running({ table }) {
  const { race } = table;
  const light = race.state === "slap_off" ? race.slap_off : null;
  const dark = light !== null && !light.lit;
  const seats = light?.seats ?? race.racers;
  const title = t(light ? "race.slap_off" : "race.title");
  const clock = useRaceClock(light ? light.light_at : race.anchor, !dark);
  return html`<main class="show-race ${dark ? "dark" : "lit"}" data-state=${race.state} ref=${clock}>
    <header class="show-race-head">
      <div><p class="show-by">${light ? t("show.tie") : by(table)}</p>
        <h1 class="show-title" style=${{ "--letters": title.length }}>${title}</h1></div>
      <${Lights} dark=${dark} />
      ${
        light
          ? html`<p class="show-call">${t(dark ? "race.wait" : "race.now")}</p>`
          : html`<p class="show-clock" aria-hidden="true"></p>`
      }
    </header>
    <${JumpedLight} table=${table} />
    <ol class="show-lanes" style=${{ "--lanes": seats.length }}>
      ${seats.map((seat) => html`<${LiveLane} key=${seat} table=${table} seat=${seat} dark=${dark} />`)}
    </ol>
    <${Totals} table=${table} />
  </main>`;
}

/** @param {Table.View & Page.InRace} table */
function by(table) {
  return table.race.layer === null
    ? t("show.hands_down")
    : t("show.laid_by", { name: nameOf(table, table.race.layer) });
}

/** @param {{ dark: boolean }} props */
export function Lights({ dark }) {
  return html`<div class="show-lights ${dark ? "red" : "green"}" role="img"
    aria-label=${t(dark ? "race.light_off" : "race.light_on")}><i /><i /><i /><i /><i /></div>`;
}

/** @param {Page.AtTable<Page.InRace>} props */
function JumpedLight({ table }) {
  const [latest] = table.rulings;
  if (table.race.state !== "slap_off" || latest?.outcome !== "false_starts") return null;
  return html`<p class="show-call jumped">${sentenceText(latest.sentence)}</p>`;
}

/** @param {Page.AtTable<Page.InRace>} props */
function LiveLane({ table, seat, dark }) {
  const { race } = table;
  const slap = (race.slap_off?.lit === false ? race.slap_off.slaps : race.slaps).find((one) => one.seat === seat);
  const place = slap && race.slaps.filter((one) => typeof one.after === "number").indexOf(slap) + 1;
  const style = slap ? { "--end": reached((slap.after ?? 0) / MS) } : {};
  return html`<li class="show-lane ${slap ? "landed" : "awaited"} ${tintOf(seat)}" data-seat=${seat} style=${style}>
    <span class="show-fill" aria-hidden="true"></span>
    <${Mark} seat=${seat} /><${Fit} text=${nameOf(table, seat)} />
    <strong class="show-time">${slap ? told(slap, place) : waiting(table, seat, dark)}</strong>
  </li>`;
}

/**
 * @param {Table.Slap} slap
 * @param {number | undefined} place
 */
function told(slap, place) {
  if (slap.early || slap.hammered) return landedAt(slap, true);
  return place === 1 ? ordinal(1) : t("race.ms", { ms: `+${ms(slap.after ?? 0, 0)}` });
}

/**
 * @param {Table.View & Page.InRace} table
 * @param {number} seat
 * @param {boolean} dark
 */
function waiting(table, seat, dark) {
  if (table.race.unusable.includes(seat)) return html`<small>${whyUnheard(seatOf(table, seat))}</small>`;
  return dark ? "…" : t("show.slap");
}

// How far a lane is filled so many milliseconds after the start: quickly at first, and never to its end.
/** @param {number} after */
function reached(after) {
  return 0.3 + 0.66 * (1 - 2 ** (-Math.max(0, after) / QUICK));
}

// The lanes follow the clock without being drawn anew; who wants no motion sees hands land, and nothing creep.
/**
 * @param {number} start
 * @param {boolean} on
 */
function useRaceClock(start, on) {
  const box = useRef(null);
  useEffect(() => {
    if (!on || still.matches) return undefined;
    let frame = 0;
    const tick = () => {
      const after = (tableNow() - start) / MS;
      box.current?.style.setProperty("--now", String(reached(after)));
      const clock = box.current?.querySelector(".show-clock");
      if (clock) clock.textContent = number(Math.max(0, after) / 1000, 2);
      frame = requestAnimationFrame(tick);
    };
    tick();
    return () => cancelAnimationFrame(frame);
  }, [start, on]);
  return box;
}

/** @param {Page.AtTable<Page.InRace> & { ruling: Table.Ruling | undefined }} props */
function Finished({ table, ruling }) {
  return html`<main class="verdict-show cost with-lanes" data-state="ruled">
    ${ruling && html`<${Headline} table=${table} ruling=${ruling} />`}
    <p class="verdict-why">${ruling && why(table, ruling)}</p>
    <div class="show-chequers" aria-hidden="true"></div>
    <${Photo} table=${table} />
  </main>`;
}

/**
 * @param {Table.View & Page.InRace} table
 * @param {Table.Ruling} ruling
 */
function why(table, ruling) {
  const { finish } = table.race;
  if (!finish?.margin || finish.no_slap || ruling.outcome !== "last") return sentenceText(ruling.sentence);
  const margin = t("show.last_by", { margin: ms(finish.margin, finely(table)) });
  return [margin, by(table), ...(finish.by_handicap ? [t("race.by_handicap")] : [])].join(" · ");
}

/** @param {Page.AtTable<Page.InRace> & { ruling: Table.Ruling | undefined }} props */
function DeadHeat({ table, ruling }) {
  const { race } = table;
  const together = race.outcome === "dead_heat";
  const title = together ? t("show.dead_heat") : t("show.open");
  const names = listed(race.tied.map((seat) => nameOf(table, seat)));
  return html`<main class="verdict-show tie with-lanes" data-state="undecided">
    <h1 class="verdict-line" style=${{ "--letters": title.length }}><span><em>${title}</em></span></h1>
    <p class="verdict-why">${together ? names : ruling && sentenceText(ruling.sentence)}</p>
    <div class="show-chequers" aria-hidden="true"></div>
    <${Photo} table=${table} />
  </main>`;
}

// The photo finish, the loser on top: everybody looks there first.
/** @param {Page.AtTable<Page.InRace>} props */
function Photo({ table }) {
  const { race } = table;
  const { finish } = race;
  const timed = (finish?.places ?? []).map((place) => (place.after ?? 0) + place.handicap);
  const span = Math.max(200 * MS, ...timed) * 1.04;
  const heard = (finish?.places ?? []).map((place, at) => ({ ...place, rank: at + 1 }));
  const mute = (finish?.unusable ?? []).map((seat) => ({ seat, rank: null }));
  return html`<ol class="photo-lanes" style=${{ "--lanes": heard.length + mute.length }}>
      ${[...mute, ...heard.reverse()].map(
        (place) => html`<${PhotoLane} key=${place.seat} table=${table} place=${place} span=${span} />`,
      )}
    </ol>
    <p class="margins">${finish && html`<${HeadStartNote} race=${race} />${marginOf(finish)}`}
      ${(finish?.gaps.length ?? 0) > 0 && html` <strong>${t("race.gaps")}</strong>`}</p>`;
}

/** @param {Page.AtTable<Page.InRace> & { place: any; span: number }} props */
function PhotoLane({ table, place, span }) {
  const { seat, press, rank } = place;
  const last = table.race.finish?.last.includes(seat);
  const timed = press && typeof place.after === "number";
  const at = (/** @type {number} */ after) => `${Math.max(0, Math.min(100, (100 * after) / span))}%`;
  const doubt = press?.uncertainty ?? 0;
  return html`<li class="photo-lane ${last ? "last" : ""}" data-seat=${seat}>
    <${Mark} seat=${seat} /><${Fit} text=${nameOf(table, seat)} />
    <span class="photo-track" aria-hidden="true">
      ${
        timed &&
        html`<span class="photo-doubt" style=${{ left: at(place.after - doubt), right: `calc(100% - ${at(place.after + doubt)})` }}></span>
          ${place.handicap > 0 && html`<span class="photo-real" style=${{ left: at(place.after + place.handicap) }}></span>`}
          <span class="photo-hand" style=${{ left: at(place.after) }}></span>`
      }
    </span>
    <span class="photo-time">
      <strong>${timed && !tiedAt(table, seat) ? ordinal(rank) : ""}</strong>
      <span>${press && rank === 1 && !isFromLight(table) ? "" : inWords(table, place)} <${TakenOff} slap=${place} /></span>
    </span>
  </li>`;
}

/** @param {Table.View & Page.InRace} table */
function finely({ race }) {
  return digitsOf((race.finish?.places ?? []).map((place) => place.after));
}

/**
 * @param {Table.View & Page.InRace} table
 * @param {any} place
 */
function inWords(table, place) {
  return place.press ? landedAt(place, isFromLight(table), finely(table)) : missing(table, place.seat);
}

/**
 * @param {Table.View & Page.InRace} table
 * @param {number} seat
 */
function tiedAt({ race }, seat) {
  return race.state === "undecided" && race.tied.includes(seat);
}

/** @param {Table.View & Page.InRace} table */
function isFromLight({ race }) {
  return race.slap_off !== null && race.finish?.start === race.slap_off.light_at;
}

/**
 * @param {Table.View & Page.InRace} table
 * @param {number} seat
 */
function missing(table, seat) {
  return table.race.unusable.includes(seat) ? whyUnheard(seatOf(table, seat)) : t("race.no_slap");
}

// The score stays in sight while everybody looks at the lanes.
/** @param {Page.AtTable} props */
function Totals({ table }) {
  const { match } = table;
  if (!match) return null;
  const marks = marksOf(match);
  return html`<footer class="show-totals">
    ${inOrder(match).map(
      (
        player,
      ) => html`<span key=${player.player}><${Mark} seat=${marks[player.player]} /><${Heard}>${player.name}<//>${" "}
        <strong>${player[match.scoring]}</strong></span>`,
    )}
  </footer>`;
}
