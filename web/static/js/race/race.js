// A Street Race: lanes that fill as hands land, then the photo finish.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { MS, marksOfTime, scale } from "../core/axis.js";
import { act, tableNow } from "../core/connection.js";
import { change, close, open } from "../core/store.js";
import { listed, sentenceText, t } from "../core/texts.js";
import {
  acting,
  Button,
  Dialog,
  Heard,
  Mark,
  Name,
  nameOf,
  nextStep,
  SeatPicker,
  seatOf,
} from "../parts/components.js";
import { HeadStartNote, RealHand, TakenOff } from "../parts/handicap.js";
import { houseRule } from "../parts/setup.js";
import { Unheard, whyUnheard } from "../parts/unheard.js";
import { ShareFinish } from "../share/share.js";
import { digitsFor, landedAt, marginOf, ms, signed } from "./margin.js";
import { Large, Lights, LiveLanes } from "./show.js";
import { isOpen, keyOf } from "./state.js";
import { WildColour } from "./wild_colour.js";

export { isOpen, isSameRace, isShown } from "./state.js";

const LONG = 40; // letters

/** @param {Table.View & Page.InRace} table */
export function raceTitle(table) {
  const { layer } = table.race;
  return layer === null ? t("race.title") : t("race.by", { name: nameOf(table, layer) });
}

// The whole screen, for as long as a race lasts: the start, a tie to be broken, the verdict with the photo finish.
/** @param {Page.AtTable<Page.InRace>} props */
export function RaceScreen({ table }) {
  const { race } = table;
  return html`<section class="drama night ${race.state}" aria-label=${t("race.title")}>
    <${Race} table=${table} />
  </section>`;
}

/** @param {Page.AtTable<Page.InRace>} props */
export function Race({ table }) {
  const { race } = table;
  const unheard = table.seats.filter((seat) => race.unusable.includes(seat.number));
  return html`<div class="race ${race.state}">
    <${Head} table=${table} />
    <div class="chequers race-line" aria-hidden="true"></div>
    <div class="race-middle">
      <${Unheard} seats=${unheard} />
      ${race.state === "undecided" && html`<${Undecided} table=${table} />`}
      ${
        race.state === "slap_off"
          ? html`<${SlapOff} table=${table} />`
          : race.state === "running"
            ? html`<${LiveLanes} table=${table} />`
            : html`<${Lanes} table=${table} loserFirst />`
      }
    </div>
    <${Disputes} table=${table} />
  </div>`;
}

// What has happened, in letters that are read from across the room.
/** @param {Page.AtTable<Page.InRace>} props */
function Head({ table }) {
  const { race } = table;
  if (race.state === "ruled") return html`<${Verdict} table=${table} />`;
  const lit = race.state === "running" || Boolean(race.slap_off?.lit);
  return html`<header class="race-head">
    ${
      race.state === "undecided"
        ? html`<${Large} text=${t(race.outcome === "dead_heat" ? "race.dead_heat" : "race.who_last")} />
          <p class="race-sub">${[nextStep(table), raceTitle(table)].join(" · ")}</p>`
        : html`<h2 class="race-who">${raceTitle(table)}</h2>
          <${Lights} lit=${lit} />
          ${race.state === "running" && html`<${Countdown} deadline=${race.deadline} />`}`
    }
    <${WildColour} table=${table} />
  </header>`;
}

/** @param {Page.AtTable<Page.InRace>} props */
export function Verdict({ table }) {
  const { race } = table;
  const ruling = table.rulings.find((one) => one.number === race.ruling);
  if (!ruling) return null;
  const sentence = sentenceText(ruling.sentence);
  const [, ...why] = inTwo(sentence);
  const { margin } = ruling.sentence.parts;
  const sub = margin === undefined ? sentence : t("race.last_by", { margin: ms(race.finish?.margin ?? 0) });
  const house = ruling.house.map((name) => houseRule(name, /** @type {any} */ (table.match?.house)?.[name]));
  return html`<header class="verdict">
    <${Large} text=${costs(table, ruling) ?? sentence} />
    <p class="race-sub">${[sub, raceTitle(table)].join(" · ")}</p>
    ${why.length > 0 && html`<p class="why">${why.join(" ")}</p>`}
    ${house.length > 0 && html`<small>${t("rulings.house", { rules: listed(house) })}</small>`}
    <${WildColour} table=${table} />
  </header>`;
}

// What a ruling costs, as a headline: who draws how many.
/**
 * @param {Table.View} table
 * @param {Table.Ruling} ruling
 */
export function costs(table, ruling) {
  if (!ruling.draws.length) return null;
  const [{ cards }] = ruling.draws;
  const names = ruling.draws.map((one) => `*${nameOf(table, one.seat)}*`);
  return names.length === 1
    ? t("debts.draws", { name: names[0], cards })
    : t("race.many_draw", { names: names.join(t("list.separator")), cards });
}

// One that names many is said in smaller letters, so that the lanes stay in sight.
/** @param {Table.Ruling} ruling */
export function sizeOfVerdict(ruling) {
  const letters = inTwo(sentenceText(ruling.sentence))[0].length;
  return letters > 2 * LONG ? "long longest" : letters > LONG ? "long" : "";
}

// In large letters a line breaks after a comma sooner than between a number and its word. What comes after
// the margin only explains it.
/** @param {string} sentence */
export function inParts(sentence) {
  const [verdict, ...why] = inTwo(sentence);
  const parts = verdict.split(/(?<=, )/);
  return [
    ...parts.map((part, at) => html`<span class="piece" key=${at}>${part}</span>`),
    why.length > 0 && html`<small class="why" key="why">${why.join(" ")}</small>`,
  ];
}

/** @param {string} sentence */
function inTwo(sentence) {
  return sentence.split(/(?<=[.!]) /);
}

// While it runs, each lane shows its hand; when it is over, the same lanes are the photo finish.
/** @param {Page.AtTable<Page.InRace>} props */
export function Lanes({ table, loserFirst = false }) {
  const race = table.race;
  const running = race.state === "running";
  const awaited = (/** @type {number} */ seat) => ({ seat, slap: slapOf(race, seat) });
  const judged = race.finish && [...race.finish.places.map(placed), ...race.finish.unusable.map(awaited)];
  const inOrder = judged ?? race.racers.map(awaited);
  const lanes = loserFirst ? [...inOrder].reverse() : inOrder;
  const axis = axisOf(lanes.map((lane) => lane.slap).filter(isTimed));
  const ahead = lanes.some((lane) => lane.slap?.handicap);
  return html`<div class="lanes ${ahead ? "with-start" : ""}">
    ${running && html`<${Countdown} deadline=${race.deadline} />`}
    ${lanes.map(
      ({ seat, slap }) => html`<${Lane} key=${slap ? `landed ${seat}` : seat} table=${table} seat=${seat}
        slap=${slap} axis=${axis} />`,
    )}
    <div class="lane-axis" aria-hidden="true"><span></span><span class="axis-marks">
      ${axis.ticks.map((tick) => html`<span key=${tick} style=${{ left: axis.at(tick * MS) }}>${signed(tick)}</span>`)}
    </span><span>${t("race.ms", { ms: "" })}</span></div>
    <${Margins} race=${race} />
  </div>`;
}

/** @param {Page.AtTable<Page.InRace> & { slap: Table.Slap | undefined }} props */
function Lane({ table, seat, slap, axis }) {
  const { race } = table;
  const { at, from, to, ticks } = axis;
  const last = race.finish?.last.includes(seat);
  return html`<div class="lane ${slap ? "landed" : ""} ${last ? "last" : ""}" data-seat=${seat}>
    <span class="lane-name"><${Mark} seat=${seat} /><${Name} name=${nameOf(table, seat)} /></span>
    <span class="track">
      ${ticks.map(
        (/** @type {number} */ tick) => html`<span class="tick-line ${tick === 0 ? "zero" : ""}" key=${tick}
          style=${{ left: at(tick * MS) }} aria-hidden="true"></span>`,
      )}
      ${
        isTimed(slap) &&
        html`<span class="doubt" style=${band(slap, at)} aria-hidden="true"></span>
          <span class="exact ${exactPlace(slap, from, to)}">± ${t("race.ms", { ms: exact(slap.uncertainty) })}</span>
          <${RealHand} slap=${slap} at=${at} />
          <span class="hand-mark" style=${{ left: at(slap.after) }} aria-hidden="true"></span>`
      }
    </span>
    <span class="lane-time ${slap?.early || slap?.hammered ? "in-words" : ""}">
      ${slap ? landedAt(slap, isFromLight(race), digitsFor(race.finish?.margin)) : missing(table, seat)}
      <${TakenOff} slap=${slap} /></span>
  </div>`;
}

// From the first hand, or the light, to just after the last hand.
/** @param {Page.TimedSlap[]} slaps */
function axisOf(slaps) {
  const latest = Math.max(500 * MS, ...slaps.map(real));
  const room = Math.max(10 * MS, latest / 50);
  const [from, to] = [-room, latest + room];
  const place = scale(from, to, 0, 100);
  return { from, to, ticks: marksOfTime(from, to, 6), at: (/** @type {number} */ after) => `${place(after)}%` };
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
/** @param {Table.Place} place */
function placed({ seat, press, after, handicap, early, hammered }) {
  return { seat, slap: press && { ...press, after, handicap, early, hammered } };
}

/** @param {{ finish: Table.Finish | null; slap_off: Table.SlapOffShown | null; [more: string]: any }} props */
function isFromLight({ finish, slap_off: light }) {
  return light !== null && finish?.start === light.light_at;
}

// Where the hand itself came down; with a head start it counts earlier.
/** @param {Page.TimedSlap} slap */
function real(slap) {
  return slap.after + (slap.handicap ?? 0);
}

/**
 * @param {Table.RaceShown} race
 * @param {number} seat
 */
function slapOf(race, seat) {
  return race.slaps.find((slap) => slap.seat === seat);
}

/**
 * @param {Table.View & Page.InRace} table
 * @param {number} number
 */
function missing(table, number) {
  const { race } = table;
  if (race.unusable.includes(number)) return html`<small>${whyUnheard(seatOf(table, number))}</small>`;
  return t(race.state === "running" ? "race.awaited" : "race.no_slap");
}

/**
 * @param {Page.TimedSlap} slap
 * @param {(after: number) => string} at
 */
function band(slap, at) {
  return { left: at(slap.after - slap.uncertainty), right: `calc(100% - ${at(slap.after + slap.uncertainty)})` };
}

// Beside the hand, where there is more room; a long way to where it counts may leave none at all.
/**
 * @param {Page.TimedSlap} slap
 * @param {number} from
 * @param {number} to
 */
function exactPlace(slap, from, to) {
  const before = slap.after - from;
  const beyond = to - real(slap);
  if (Math.max(before, beyond) < (to - from) / 4) return "no-room";
  return beyond > before ? "beyond" : "";
}

// How far off the date of a press can be: a wired button hardly at all, a phone or another machine more.
/** @param {number} uncertainty */
function exact(uncertainty) {
  return (uncertainty / MS).toFixed(uncertainty < MS ? 2 : 1);
}

/** @param {{ race: Table.RaceShown; [more: string]: any }} props */
function Margins({ race }) {
  const finish = race.finish;
  if (!finish || finish.margin === null) return null;
  return html`<p class="margins"><${HeadStartNote} race=${race} />${marginOf(finish)}
    ${finish.gaps.length > 0 && html` <strong>${t("race.gaps")}</strong>`}</p>`;
}

/** @param {{ deadline: number }} props */
function Countdown({ deadline }) {
  const left = useCountdown(deadline);
  return html`<p class="countdown">${t("race.left", { seconds: Math.max(0, left / 1e9).toFixed(0) })}</p>`;
}

/** @param {number} until */
function useCountdown(until) {
  const [left, setLeft] = useState(until - tableNow());
  useEffect(() => {
    const timer = setInterval(() => setLeft(until - tableNow()), 100);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

/** @param {Page.AtTable<Page.InRace>} props */
export function SlapOff({ table }) {
  const light = /** @type {Table.SlapOffShown} */ (table.race.slap_off);
  const [latest] = table.rulings;
  const slap = (/** @type {number} */ seat) => light.slaps.find((one) => one.seat === seat);
  return html`<div class="slap-off ${light.lit ? "lit" : ""}">
    ${latest?.outcome === "false_starts" && html`<p class="jumped">${sentenceText(latest.sentence)}</p>`}
    <div class="light" role="img" aria-label=${t(light.lit ? "race.light_on" : "race.light_off")}>
      ${t(light.lit ? "race.now" : "race.wait")}</div>
    <ul class="off-seats">
      ${light.seats.map(
        (seat) => html`<li key=${seat} class=${slap(seat) ? "landed" : ""}>
          <${Mark} seat=${seat} /><span class="name">${nameOf(table, seat)}</span>
          ${slap(seat)?.early && html`<small>${t("race.early")}</small>`}</li>`,
      )}
    </ul>
  </div>`;
}

// Where somebody could not be heard, the table itself asks who was last.
/** @param {Page.AtTable<Page.InRace>} props */
function Undecided({ table }) {
  const race = table.race;
  const tied = table.seats.filter((seat) => race.tied.includes(seat.number));
  if (!tied.length || race.outcome === "unusable") return null;
  const again = race.outcome === "no_order" ? "rerun_race" : "slap_off";
  return html`<div class="undecided-choices">
    <${Button} tone="primary" class="huge" disabled=${!acting()} onTap=${() => act(again)}>
      ${t(again === "slap_off" ? "race.slap_off" : "race.rerun")}<//>
    <div><p class="hint">${t("race.or_pick")}</p>
      <${SeatPicker} seats=${tied} onPick=${(seat) => act("pick_last", { seats: [seat.number] })} /></div>
    <${Button} disabled=${!acting()} onTap=${() => act("pick_last", { seats: race.tied })}>${t("race.all_draw")}<//>
  </div>`;
}

/** @param {Page.AtTable<Page.InRace>} props */
function Disputes({ table }) {
  const { race } = table;
  const leave = !isOpen(race) || (race.state === "running" && table.round?.way === "refereed");
  const seen = isOpen(race) ? keyOf(race) : race.ruling;
  const owed = race.state === "ruled" ? table.debts.filter((debt) => seatOf(table, debt.seat)?.last) : [];
  return html`<footer class="disputes">
    ${owed.map(
      (debt) => html`<${Button} key=${debt.number} tone="primary" class="drawn-now" disabled=${!acting()}
        onTap=${() => act("drawn", { debt: debt.number })}>
        ${t("debts.has_drawn", { name: nameOf(table, debt.seat) })} ✓<//>`,
    )}
    <${Button} disabled=${!acting()} onTap=${() => open("layer")}>${t("race.other_layer")}<//>
    <${Button} disabled=${!acting()} onTap=${() => act("rerun_race")}>${t("race.rerun")}<//>
    <${Button} disabled=${!acting()} onTap=${() => act("cancel_race")}>${t("race.cancel")}<//>
    ${
      table.undo &&
      html`<${Button} class="undo-here" disabled=${!acting()} onTap=${() => act("undo")}>
        <span aria-hidden="true">↶</span> <span>${t("bar.undo")}</span>
        <${Heard}> ${sentenceText(table.undo)}<//><//>`
    }
    ${leave && html`<${Button} class="leave" onTap=${() => change({ seen, dialog: null })}>${t("race.done")}<//>`}
  </footer>`;
}

/** @param {Page.AtTable} props */
export function PhotoFinish({ table }) {
  if (!table.race) return null;
  return html`<${Dialog} title=${t("race.photo")} wide><${Race} table=${table} />
    ${
      table.race.state === "ruled" &&
      table.match &&
      html`<div class="row">
        <${ShareFinish} match=${table.match.number} ruling=${table.race.ruling} />
      </div>`
    }<//>`;
}

/** @param {Page.AtTable} props */
export function OtherLayer({ table }) {
  const others = table.seats.filter((seat) => seat.playing && seat.number !== table.race?.layer);
  const pick = async (/** @type {Table.SeatShown} */ seat) => {
    await act("change_layer", { layer: seat.number });
    close();
  };
  return html`<${Dialog} title=${t("free.who_laid")}><${SeatPicker} seats=${others} onPick=${pick} /><//>`;
}
