// A Street Race: lanes that fill as hands land, then the photo finish.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { MS, marksOfTime, scale } from "../core/axis.js";
import { act, tableNow } from "../core/connection.js";
import { change, close, open } from "../core/store.js";
import { said, t } from "../core/texts.js";
import { acting, Button, Dialog, Mark, nameOf, SeatPicker, seatOf } from "../parts/components.js";
import { HeadStartNote, RealHand, TakenOff } from "../parts/handicap.js";
import { sizeOf } from "../parts/seat_places.js";
import { Unheard, whyUnheard } from "../parts/unheard.js";
import { ShareFinish } from "../share/share.js";
import { landedAt, marginOf, signed } from "./margin.js";
import { WildColour } from "./wild_colour.js";

const LONG = 40; // letters

/** @param {Table.RaceShown | null} race */
export function isOpen(race) {
  return race !== null && ["running", "undecided", "slap_off"].includes(race.state);
}

/**
 * @param {Table.RaceShown} one
 * @param {Table.RaceShown} other
 */
export function isSameRace(one, other) {
  return one.anchor === other.anchor || (one.named_at !== null && one.named_at === other.named_at);
}

// Its ruling stays in sight until the cards are drawn, the hands are counted, or somebody has seen enough.
/** @param {Table.View} table */
function isFresh(table, seen) {
  const ruling = table.race?.state === "ruled" ? table.race.ruling : null;
  return ruling !== null && ruling !== seen && table.phase !== "hands" && table.seats.some((seat) => seat.last);
}

// While hands are still awaited the referee may go on with the cards; what comes of it shows itself.
/** @param {Table.View} table */
export function isShown(table, seen) {
  if (!table.race || !isOpen(table.race)) return isFresh(table, seen);
  return table.race.state !== "running" || seen === null || seen !== keyOf(table.race);
}

/** @param {Table.RaceShown} race */
function keyOf(race) {
  return race.named_at ?? race.anchor;
}

/** @param {Table.View & Page.InRace} table */
export function raceTitle(table) {
  const { layer } = table.race;
  return layer === null ? t("race.title") : t("race.by", { name: nameOf(table, layer) });
}

/** @param {Page.AtTable<Page.InRace>} props */
export function Race({ table }) {
  const race = table.race;
  const verdict = race.state === "ruled" && table.rulings.find((ruling) => ruling.number === race.ruling);
  return html`<section class="block race" aria-label=${t("race.title")}>
    ${verdict && html`<p class="verdict ${sizeOfVerdict(verdict)}">${inPieces(said(verdict.sentence))}</p>`}
    <div class="race-head"><h2 class=${verdict ? "after-verdict" : ""}>${raceTitle(table)}</h2>
      <${WildColour} table=${table} /></div>
    <${Unheard} seats=${table.seats.filter((seat) => race.unusable.includes(seat.number))} />
    ${race.state === "undecided" && html`<${Undecided} table=${table} />`}
    ${race.state === "slap_off" ? html`<${SlapOff} table=${table} />` : html`<${Lanes} table=${table} />`}
    <${Disputes} table=${table} />
  </section>`;
}

// One that names many is said in smaller letters, so that the lanes stay in sight.
/** @param {Table.Ruling} ruling */
export function sizeOfVerdict(ruling) {
  const letters = inTwo(said(ruling.sentence))[0].length;
  return letters > 2 * LONG ? "long longest" : letters > LONG ? "long" : "";
}

// In large letters a line breaks after a comma sooner than between a number and its word. What comes after
// the margin only explains it.
export function inPieces(sentence) {
  const [verdict, ...why] = inTwo(sentence);
  const pieces = verdict.split(/(?<=, )/);
  return [
    ...pieces.map((piece, at) => html`<span class="piece" key=${at}>${piece}</span>`),
    why.length > 0 && html`<small class="why" key="why">${why.join(" ")}</small>`,
  ];
}

function inTwo(sentence) {
  return sentence.split(/(?<= ms\.) /);
}

// While it runs, each lane shows its hand; when it is over, the same lanes are the photo finish.
/** @param {Page.AtTable<Page.InRace>} props */
export function Lanes({ table }) {
  const race = table.race;
  const running = race.state === "running";
  const awaited = (seat) => ({ seat, slap: slapOf(race, seat) });
  const judged = race.finish && [...race.finish.places.map(placed), ...race.finish.unusable.map(awaited)];
  const lanes = judged ?? race.racers.map(awaited);
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
  const name = nameOf(table, seat);
  const last = race.finish?.last.includes(seat);
  return html`<div class="lane ${slap ? "landed" : ""} ${last ? "last" : ""}" data-seat=${seat}>
    <span class="lane-name"><${Mark} seat=${seat} /><span class=${sizeOf(name)}>${name}</span></span>
    <span class="track">
      ${ticks.map(
        (tick) => html`<span class="tick-line ${tick === 0 ? "zero" : ""}" key=${tick}
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
      ${slap ? landedAt(slap, isFromLight(race)) : missing(table, seat)}
      <${TakenOff} slap=${slap} /></span>
  </div>`;
}

// From the first hand, or the light, to just after the last hand.
function axisOf(slaps) {
  const latest = Math.max(500 * MS, ...slaps.map(real));
  const room = Math.max(10 * MS, latest / 50);
  const [from, to] = [-room, latest + room];
  const place = scale(from, to, 0, 100);
  return { from, to, ticks: marksOfTime(from, to, 6), at: (after) => `${place(after)}%` };
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

/** @param {Table.RaceShown} race */
function slapOf(race, seat) {
  return race.slaps.find((slap) => slap.seat === seat);
}

/** @param {Table.View & Page.InRace} table */
function missing(table, number) {
  const { race } = table;
  if (race.unusable.includes(number)) return html`<small>${whyUnheard(seatOf(table, number))}</small>`;
  return t(race.state === "running" ? "race.awaited" : "race.no_slap");
}

/** @param {Page.TimedSlap} slap */
function band(slap, at) {
  return { left: at(slap.after - slap.uncertainty), right: `calc(100% - ${at(slap.after + slap.uncertainty)})` };
}

// Beside the hand, where there is more room; a long way to where it counts may leave none at all.
/** @param {Page.TimedSlap} slap */
function exactPlace(slap, from, to) {
  const before = slap.after - from;
  const beyond = to - real(slap);
  if (Math.max(before, beyond) < (to - from) / 4) return "no-room";
  return beyond > before ? "beyond" : "";
}

// How far off the date of a press can be: a wired button hardly at all, a phone or another machine more.
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

function Countdown({ deadline }) {
  const left = useCountdown(deadline);
  return html`<p class="countdown">${t("race.left", { seconds: Math.max(0, left / 1e9).toFixed(0) })}</p>`;
}

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
  const slap = (seat) => light.slaps.find((one) => one.seat === seat);
  return html`<div class="slap-off ${light.lit ? "lit" : ""}">
    ${latest?.outcome === "false_starts" && html`<p class="jumped">${said(latest.sentence)}</p>`}
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
  return html`<div class="undecided">
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
  return html`<div class="disputes">
    <${Button} tone="quiet" disabled=${!acting()} onTap=${() => open("layer")}>${t("race.other_layer")}<//>
    <${Button} tone="quiet" disabled=${!acting()} onTap=${() => act("rerun_race")}>${t("race.rerun")}<//>
    <${Button} tone="quiet" disabled=${!acting()} onTap=${() => act("cancel_race")}>${t("race.cancel")}<//>
    ${leave && html`<${Button} onTap=${() => change({ seen, dialog: null })}>${t("race.done")}<//>`}
  </div>`;
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
  const pick = async (seat) => {
    await act("change_layer", { layer: seat.number });
    close();
  };
  return html`<${Dialog} title=${t("free.who_laid")}><${SeatPicker} seats=${others} onPick=${pick} /><//>`;
}
