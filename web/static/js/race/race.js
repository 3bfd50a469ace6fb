// A Street Race: lanes that fill as hands land, then the photo finish.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { act, tableNow } from "../core/connection.js";
import { change, close, open } from "../core/store.js";
import { listed, sentenceText, t } from "../core/texts.js";
import { acting, Button, Dialog, Heard, Mark, nameOf, nextStep, SeatPicker, seatOf } from "../parts/components.js";
import { Unheard } from "../parts/unheard.js";
import { houseRule } from "../setup/setup.js";
import { ShareFinish } from "../share/share.js";
import { Headline, reasonOf } from "./headline.js";
import { Lights, LiveLanes, PhotoLanes } from "./lanes.js";
import { Large } from "./large.js";
import { digitsOf, ms } from "./margin.js";
import { isOpen, keyOf } from "./state.js";
import { WildColour } from "./wild_colour.js";

const MANY = 5; // tied hands, after which their names stand only in their lanes

/** @param {Table.View & Page.InRace} table */
function raceTitle(table) {
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
      ${
        race.state === "slap_off"
          ? html`<${SlapOff} table=${table} />`
          : race.state === "running"
            ? html`<${LiveLanes} table=${table} />`
            : html`<${PhotoLanes} table=${table} near />`
      }
    </div>
    <div class="race-foot">
      ${race.state === "undecided" && html`<${Undecided} table=${table} />`}
      <${Disputes} table=${table} />
    </div>
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
          <p class="race-sub">${[
            ...(race.tied.length > MANY ? [] : [nextStep(table).replace(/\.$/, "")]),
            raceTitle(table),
          ].join(" · ")}</p>`
        : html`<h2 class="race-who">${raceTitle(table)}</h2>
          <${Lights} dark=${!lit} />
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
  const reason = reasonOf(ruling);
  const [first, ...more] = inTwo(sentence);
  const why = reason ? [] : more;
  const { margin } = ruling.sentence.parts;
  const sub =
    margin === undefined
      ? (reason ?? first)
      : t("race.last_by", { margin: ms(race.finish?.margin ?? 0, digitsOf(race.finish)) });
  const house = ruling.house.map((name) => houseRule(name, /** @type {any} */ (table.match?.house)?.[name]));
  return html`<header class="verdict">
    <${Headline} table=${table} ruling=${ruling} otherwise=${sentence} />
    <p class="race-sub">${[sub.replace(/\.$/, ""), raceTitle(table)].join(" · ")}</p>
    ${why.length > 0 && html`<p class="why">${why.join(" ")}</p>`}
    ${house.length > 0 && html`<small>${t("rulings.house", { rules: listed(house) })}</small>`}
    <${WildColour} table=${table} />
  </header>`;
}

/** @param {string} sentence */
function inTwo(sentence) {
  return sentence.split(/(?<=[.!]) /);
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
    <${Button} disabled=${!acting()} onTap=${() => act("pick_last", { seats: race.tied })}>${t("race.all_draw")}<//>
    <div><p class="hint">${t("race.or_pick")}</p>
      <${SeatPicker} seats=${tied} onPick=${(seat) => act("pick_last", { seats: [seat.number] })} /></div>
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
        ${t("debts.has_drawn", { name: nameOf(table, debt.seat) })}${"\u00a0✓"}<//>`,
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
