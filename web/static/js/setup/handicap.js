// A head start: the milliseconds by which a player's slaps count earlier, set at the seat and seen in every race.

import { html } from "../../vendor/htm-preact.js";
import { MS } from "../core/axis.js";
import { open } from "../core/store.js";
import { listed, t } from "../core/texts.js";
import { acting, Button, editionOf, Heard, Mark } from "../parts/components.js";
import { Fit } from "../parts/fit.js";

// A small sign at the seat of a player who has one, where there are races at all.
/** @param {Page.AtTable & { seat: Table.SeatShown }} props */
export function HeadStartChip({ table, seat }) {
  if (!seat?.handicap || !editionOf(table).race) return null;
  const ms = seat.handicap / MS;
  return html`<span class="chip start" title=${t("handicap.heard", { ms })}>
    <span aria-hidden="true">${t("race.ms", { ms: `−${ms}` })}</span><${Heard}>${t("handicap.heard", { ms })}<//>
  </span>`;
}

// Among the house rules it is the one that belongs to a player and may change at any time.
/** @param {Page.AtTable} props */
export function HeadStarts({ table }) {
  return html`<div class="house-rule">
    <p><strong>${t("house.handicap.title")}</strong> <span>${t("house.handicap.help")}</span></p>
    <div class="picker">
      ${table.seats.map(
        (seat) => html`<${Button} key=${seat.number} class="who" disabled=${!acting()}
          onTap=${() => open("handicap", { seat: seat.number })}>
          <${Mark} seat=${seat.number} /><${Fit} text=${seat.name} />
          <span class="head-start-held">${t("race.ms", { ms: seat.handicap / MS })}</span><//>`,
      )}
    </div>
  </div>`;
}

/** @param {Table.View} table */
export function headStartsHere(table) {
  const having = table.seats.filter((seat) => seat.handicap);
  return having.length
    ? listed(having.map((seat) => `${seat.name} ${t("race.ms", { ms: seat.handicap / MS })}`))
    : t("handicap.nobody");
}

// In a lane: the hand itself, hollow, and the way from there to the moment at which it counts.
/** @param {{ slap: Page.TimedSlap; [more: string]: any }} props */
export function RealHand({ slap, at }) {
  if (!slap.handicap) return null;
  const real = slap.after + slap.handicap;
  return html`<span class="head-start-way" style=${{ left: at(slap.after), right: `calc(100% - ${at(real)})` }}
    aria-hidden="true"></span>
  <span class="real-hand" style=${{ left: at(real) }} aria-hidden="true"></span>`;
}

// Beside a lane: what was taken off the hand's own time.
/** @param {{ slap: Table.Slap | undefined; [more: string]: any }} props */
export function TakenOff({ slap }) {
  if (!slap?.handicap) return null;
  const ms = slap.handicap / MS;
  return html`<small class="taken-off">
    <span aria-hidden="true">${t("race.ms", { ms: `−${ms}` })}</span><${Heard}> ${t("handicap.heard", { ms })}<//>
  </small>`;
}

// The verdict of a race says itself that a head start decided; a dead heat has no verdict yet.
/** @param {{ race: Table.RaceShown & { finish: Table.Finish } }} props */
export function HeadStartNote({ race }) {
  const { finish, state } = race;
  if (!finish.places.some((place) => place.handicap)) return null;
  return html`<span class="head-start-note">
    ${state === "undecided" && finish.by_handicap && html`<strong>${t("race.by_handicap")}</strong> `}
    ${t("race.handicap")} </span>`;
}
