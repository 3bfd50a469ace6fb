// Before the match, and between rounds: who sits where, with which name and which button.

import { html, useState } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { PressLight } from "../core/flashes.js";
import { open, useStore } from "../core/store.js";
import { displayName, isStandIn, listed, t } from "../core/texts.js";
import { acting, Button, Heard, Mark } from "../parts/components.js";
import { FreeSeats } from "../parts/free_seats.js";
import { HeadStartChip } from "../setup/handicap.js";
import { invited, Join, pressedWith, useAnswer } from "../setup/invite.js";
import { Setup } from "../setup/setup.js";

const MOST_KNOWN = 12;

/** @param {Page.AtTable} props */
export function Seating({ table }) {
  const nobody = table.seats.length === 0;
  return html`<div class="seating">
    <section class="seating-people ${nobody ? "nobody" : ""}" aria-label=${t("seating.title")}>
      ${nobody && html`<${FreeSeats} />`}
      ${nobody && html`<${LastTime} table=${table} />`}
      <${People} table=${table} />
      ${nobody && html`<${ByPhone} />`}
    </section>
    <${Setup} table=${table} />
    <div class="actions">
      <${Button} class="action" onTap=${() => open("house")}>${t("setup.house")}<//>
      <${Button} tone="primary" class="action main" disabled=${!acting() || table.seats.length < 2}
        onTap=${() => act("start_match")}>${t("seating.start")}<//>
    </div>
  </div>`;
}

function ByPhone() {
  const { service } = /** @type {Page.Shown} */ (useStore().shown);
  return html`<div class="by-phone"><h2>${t("show.join")}</h2><${Join} boot=${invited(service)} large />
    <p>${t("show.join_help")}</p></div>`;
}

// The same people at the same game, in one tap: they get the buttons in the order in which they sat.
/** @param {Page.AtTable} props */
function LastTime({ table }) {
  const { hardware, service } = /** @type {Page.Shown} */ (useStore().shown);
  /** @type {{ matches: Past.Brief[] } | null} */
  const past = useAnswer("/api/matches?brief=1", service.boot);
  const last = past?.matches.reduce((a, b) => (b.number > a.number ? b : a), past.matches[0]);
  if (!last || last.players.length < 2) return null;
  const names = last.players.map((player) => player.name).filter((name) => !isStandIn(name));
  const known = table.editions.some((edition) => edition.key === last.edition);
  const sitDown = async () => {
    if (known) await act("set_up", { edition: last.edition, scoring: last.scoring });
    for (const [at, name] of names.entries()) {
      const button = hardware.buttons?.[at]?.number;
      if (!(await act("sit", { name, ...(button && { button }) }))) return;
    }
  };
  if (names.length < 2) return null;
  return html`<${Button} class="last-time" disabled=${!acting()} onTap=${sitDown}>
    <strong class="display">${t("seating.last_time")}</strong> <span>${listed(names)}</span><//>`;
}

/** @param {Page.AtTable} props */
export function People({ table }) {
  const [swapping, setSwapping] = useState(null);
  const swap = async (/** @type {Table.SeatShown} */ seat) => {
    if (swapping === null) return setSwapping(seat.number);
    setSwapping(null);
    if (swapping !== seat.number) await act("swap", { seat: swapping, other: seat.number });
  };
  return html`<ul class="people" style=${{ "--count": table.seats.length + 1 }}>
    ${table.seats.map(
      (seat) => html`<${Person} key=${seat.player} table=${table} seat=${seat} swapping=${swapping}
        onSwap=${swap} />`,
    )}
    ${table.seats.length < table.setup.house.most_players && html`<${NewPerson} />`}
  </ul>
  <${Known} table=${table} />`;
}

// Who played here before is a tap away: it names the player who pressed a button last, or sits down anew.
/** @param {Page.AtTable} props */
function Known({ table }) {
  const shown = /** @type {Page.Shown} */ (useStore().shown);
  const answer = useAnswer("/api/names", `${shown.service.boot}-${shown.table.match?.number}`);
  const here = table.seats.map((seat) => seat.name.toLowerCase());
  const names = (answer?.names ?? [])
    .filter((/** @type {string} */ name) => !here.includes(name.toLowerCase()))
    .slice(0, MOST_KNOWN);
  if (!names.length) return null;
  const nameless = shown.table.seats.findLast((seat) => isStandIn(seat.name));
  const title = nameless ? t("seating.who_is", { name: displayName(nameless.name) }) : t("seating.known");
  const pick = (/** @type {string} */ name) =>
    nameless ? act("rename", { seat: nameless.number, name }) : act("sit", { name });
  return html`<div class="known" role="group" aria-label=${title}><p class="hint">${title}</p>
    ${names.map(
      (/** @type {string} */ name) => html`<${Button} key=${name} class="known-name" disabled=${!acting()}
        onTap=${() => pick(name)}><span class="name">${name}</span><//>`,
    )}
  </div>`;
}

/** @param {Page.AtTable & { seat: Table.SeatShown }} props */
function Person({ table, seat, swapping, onSwap }) {
  const held = swapping === seat.number;
  const swapText = swapping === null ? "seating.swap" : held ? "seating.swap_stop" : "seating.swap_here";
  const button = pressedWith(seat);
  const waiting = table.awaiting_button === seat.number;
  return html`<li class="person ${held ? "held" : ""}" data-seat=${seat.number}
    data-name=${seat.name}>
    <button type="button" class="seat-menu" disabled=${!acting()} onClick=${() => open("seat", { seat: seat.number })}>
      <${Mark} seat=${seat.number} /><${Heard}>${t("seating.more", { name: seat.name })}<//></button>
    <${PressLight} seat=${seat.number} />
    <${NameField} seat=${seat} />
    <${HeadStartChip} table=${table} seat=${seat} />
    <${Button} tone="quiet" class=${waiting ? "waiting" : ""} disabled=${!acting()}
      onTap=${() => act("assign_button", { seat: seat.number })}>
      ${waiting ? t("seating.press_now") : button}<${Heard}>${t("seating.new_button", { name: seat.name })}<//><//>
    <${Button} tone=${swapping !== null && !held ? "primary" : "quiet"} disabled=${!acting()}
      onTap=${() => onSwap(seat)}>
      ${t(swapText)}<${Heard}> ${seat.name}<//><//>
    <${Button} tone="quiet" class="round" disabled=${!acting()} onTap=${() => act("stand", { seat: seat.number })}
      aria-label=${t("seating.stand", { name: seat.name })}>✕<//>
  </li>`;
}

// What is being typed belongs to the finger; only a finished name goes to the table.
/** @param {{ seat: Table.SeatShown; [more: string]: any }} props */
function NameField({ seat }) {
  const [typed, setTyped] = useState(null);
  const finish = async () => {
    const name = (typed ?? "").trim();
    if (name && name !== seat.name) await act("rename", { seat: seat.number, name });
    setTyped(null);
  };
  const onKeyDown = (/** @type {any} */ event) => {
    if (event.key === "Enter") event.target.blur();
    if (event.key === "Escape") setTyped(null);
  };
  const shown = typed ?? seat.name;
  return html`<input class="field" style=${{ "--letters": Math.max(8, shown.length) }} value=${shown}
    disabled=${!acting()} maxlength="24" enterkeyhint="done"
    autocomplete="off" spellcheck=${false} aria-label=${t("seating.name_of", { number: seat.number })}
    onFocus=${(event) => event.target.select()} onInput=${(event) => setTyped(event.target.value)}
    onBlur=${finish} onKeyDown=${onKeyDown} />`;
}

function NewPerson() {
  const [name, setName] = useState("");
  const sit = async () => {
    if (await act("sit", { name: name.trim() })) setName("");
  };
  const onKeyDown = (/** @type {any} */ event) => event.key === "Enter" && sit();
  return html`<li class="person new">
    <span class="mark plus" aria-hidden="true">+</span>
    <input class="field" value=${name} disabled=${!acting()} maxlength="24" placeholder=${t("seating.new_name")}
      aria-label=${t("seating.new_name")} autocomplete="off" onInput=${(event) => setName(event.target.value)}
      onKeyDown=${onKeyDown} />
    <${Button} disabled=${!acting()} onTap=${sit}>${t("seating.sit")}<//>
  </li>`;
}
