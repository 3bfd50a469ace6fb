// A Street Race: lanes that fill as hands land, then the photo finish.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { sizeOf } from "./around.js";
import { act, tableNow } from "./connection.js";
import { HeadStartNote, RealHand, TakenOff } from "./handicap.js";
import { marginOf, ms, signed } from "./margin.js";
import { Button, Dialog, Mark, SeatPicker, acting, nameOf } from "./pieces.js";
import { ShareFinish } from "./share.js";
import { change, close, open } from "./store.js";
import { said, t } from "./texts.js";

const MS = 1e6;
const LONG = 52; // letters
const STEPS = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000]; // milliseconds between two marks

export function isOpen(race) {
  return race !== null && ["running", "undecided", "slap_off"].includes(race.state);
}

// Its ruling stays in sight until the cards are drawn, the hands are counted, or somebody has seen enough.
export function isFresh(table, seen) {
  const ruling = table.race?.state === "ruled" ? table.race.ruling : null;
  return ruling !== null && ruling !== seen && table.phase !== "hands" && table.seats.some((seat) => seat.last);
}

export function Race({ table }) {
  const race = table.race;
  const verdict = race.state === "ruled" && table.rulings.find((ruling) => ruling.number === race.ruling);
  return html`<section class="block race" aria-label=${t("race.title")}>
    ${verdict && html`<p class="verdict ${sizeOfVerdict(verdict)}">${inPieces(said(verdict.sentence))}</p>`}
    <h2 class=${verdict ? "after-verdict" : ""}>${t("race.by", { name: nameOf(table, race.layer) })}</h2>
    ${race.state === "undecided" && html`<${Undecided} table=${table} />`}
    ${race.state === "slap_off" ? html`<${SlapOff} table=${table} />` : html`<${Lanes} table=${table} />`}
    <${Disputes} race=${race} />
  </section>`;
}

// One that names many is said in smaller letters, so that the lanes stay in sight.
export function sizeOfVerdict(ruling) {
  const letters = inTwo(said(ruling.sentence))[0].length;
  return letters > 2 * LONG ? "long longest" : letters > LONG ? "long" : "";
}

// In large letters a line breaks after a comma sooner than between a number and its word. What comes after
// the margin only explains it.
export function inPieces(sentence) {
  const [verdict, ...why] = inTwo(sentence);
  const pieces = verdict.split(/(?<=, )/);
  return [...pieces.map((piece, at) => html`<span class="piece" key=${at}>${piece}</span>`), why.length > 0 && html`<small class="why" key="why">${why.join(" ")}</small>`];
}

function inTwo(sentence) {
  return sentence.split(/(?<= ms\.) /);
}

// While it runs, each lane shows its hand; when it is over, the same lanes are the photo finish.
export function Lanes({ table }) {
  const race = table.race;
  const running = race.state === "running";
  const lanes = race.finish ? race.finish.places.map(placed) : race.racers.map((seat) => ({ seat, slap: slapOf(race, seat) }));
  const slaps = lanes.filter((lane) => lane.slap).flatMap(({ slap }) => [slap.after, real(slap)]);
  const least = Math.min(0, ...slaps);
  const most = Math.max(least + 500 * MS, ...slaps);
  const room = Math.max(40 * MS, (most - least) / 50);
  const from = least < 0 ? least - room : 0;
  const to = most + room;
  const step = STEPS.find((one) => (to - from) / (one * MS) <= 6) ?? STEPS.at(-1);
  const ticks = Array.from({ length: Math.floor(to / MS / step) - Math.ceil(from / MS / step) + 1 }, (_, index) => (Math.ceil(from / MS / step) + index) * step);
  const at = (after) => `${(100 * (after - from)) / (to - from)}%`;
  const ahead = lanes.some((lane) => lane.slap?.handicap);
  return html`<div class="lanes ${ahead ? "with-start" : ""}">
    ${running && html`<${Countdown} deadline=${race.deadline} />`}
    ${lanes.map(({ seat, slap, behind }) => {
      const last = race.finish?.last.includes(seat);
      return html`<div class="lane ${slap ? "landed" : ""} ${last ? "last" : ""}" key=${slap ? `landed ${seat}` : seat} data-seat=${seat}>
        <span class="lane-name"><${Mark} seat=${seat} /><span class=${sizeOf(nameOf(table, seat))}>${nameOf(table, seat)}</span></span>
        <span class="track">
          ${ticks.map((tick) => html`<span class="tick-line ${tick === 0 ? "zero" : ""}" key=${tick} style=${{ left: at(tick * MS) }} aria-hidden="true"></span>`)}
          ${slap && html`<span class="doubt" style=${band(slap, at)} aria-hidden="true"></span>
            <span class="exact ${exactPlace(slap, from, to)}">± ${t("race.ms", { ms: exact(slap.uncertainty) })}</span>
            <${RealHand} slap=${slap} at=${at} />
            <span class="hand-mark" style=${{ left: at(slap.after) }} aria-hidden="true"></span>`}
        </span>
        <span class="lane-time">${slap ? t("race.ms", { ms: ms(slap.after) }) : t(missing(race, seat, running))}${behind && html`<small>${t("race.ms", { ms: `+${ms(behind)}` })}</small>`}<${TakenOff} slap=${slap} /></span>
      </div>`;
    })}
    <div class="lane-axis" aria-hidden="true"><span></span><span class="axis-marks">
      ${ticks.map((tick) => html`<span key=${tick} style=${{ left: at(tick * MS) }}>${signed(tick)}</span>`)}
    </span><span>${t("race.ms", { ms: "" })}</span></div>
    <${Margins} race=${race} />
  </div>`;
}

// A slap-off has a finish of its own, which counts from the light.
function placed({ seat, press, after, behind, handicap }) {
  return { seat, slap: press && { ...press, after, handicap }, behind };
}

// Where the hand itself came down; with a head start it counts earlier.
function real(slap) {
  return slap.after + (slap.handicap ?? 0);
}

function slapOf(race, seat) {
  return race.slaps.find((slap) => slap.seat === seat);
}

function missing(race, seat, running) {
  if (race.aside.includes(seat)) return "race.aside";
  return running ? "race.awaited" : "race.no_slap";
}

function band(slap, at) {
  return { left: at(slap.after - slap.uncertainty), right: `calc(100% - ${at(slap.after + slap.uncertainty)})` };
}

// Beside the hand, where there is more room; a long way to where it counts may leave none at all.
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

export function SlapOff({ table }) {
  const light = table.race.slap_off;
  const slapped = light.slaps.map((slap) => slap.seat);
  return html`<div class="slap-off ${light.lit ? "lit" : ""}">
    <div class="light" role="img" aria-label=${t(light.lit ? "race.light_on" : "race.light_off")}>${t(light.lit ? "race.now" : "race.wait")}</div>
    <ul class="off-seats">
      ${light.seats.map((seat) => html`<li key=${seat} class=${slapped.includes(seat) ? "landed" : ""}>
        <${Mark} seat=${seat} /><span class="name">${nameOf(table, seat)}</span></li>`)}
    </ul>
  </div>`;
}

function Undecided({ table }) {
  const race = table.race;
  const tied = table.seats.filter((seat) => race.tied.includes(seat.number));
  return html`<div class="undecided">
    <${Button} tone="primary" class="huge" disabled=${!acting()} onTap=${() => act("slap_off")}>${t("race.slap_off")}<//>
    <div><p class="hint">${t("race.or_pick")}</p>
      <${SeatPicker} seats=${tied} onPick=${(seat) => act("pick_last", { seats: [seat.number] })} /></div>
    <${Button} disabled=${!acting()} onTap=${() => act("pick_last", { seats: race.tied })}>${t("race.all_draw")}<//>
  </div>`;
}

function Disputes({ race }) {
  return html`<div class="disputes">
    <${Button} tone="quiet" disabled=${!acting()} onTap=${() => open("layer")}>${t("race.other_layer")}<//>
    <${Button} tone="quiet" disabled=${!acting()} onTap=${() => act("rerun_race")}>${t("race.rerun")}<//>
    <${Button} tone="quiet" disabled=${!acting()} onTap=${() => act("cancel_race")}>${t("race.cancel")}<//>
    ${!isOpen(race) && html`<${Button} onTap=${() => change({ seen: race.ruling, dialog: null })}>${t("race.done")}<//>`}
  </div>`;
}

export function PhotoFinish({ table }) {
  if (!table.race) return null;
  return html`<${Dialog} title=${t("race.photo")} wide><${Race} table=${table} />
    ${table.race.state === "ruled" && table.match && html`<div class="row"><${ShareFinish} match=${table.match.number} ruling=${table.race.ruling} /></div>`}<//>`;
}

export function OtherLayer({ table }) {
  const others = table.seats.filter((seat) => seat.playing && seat.number !== table.race?.layer);
  const pick = async (seat) => {
    await act("change_layer", { layer: seat.number });
    close();
  };
  return html`<${Dialog} title=${t("free.who_laid")}><${SeatPicker} seats=${others} onPick=${pick} /><//>`;
}
