// Free play: the tablet is needed only for a race, a catch, or the end of the round.

import { html, useState } from "../../../vendor/htm-preact.js";
import { act } from "../../core/connection.js";
import { counted } from "../../core/counted.js";
import { close, open } from "../../core/store.js";
import { t } from "../../core/texts.js";
import { CardFace, cardTitle } from "../../parts/cards.js";
import { acting, Button, Dialog, editionOf, Mark, nameOf, SeatPicker } from "../../parts/components.js";
import { Fit } from "../../parts/fit.js";
import { Resting } from "./resting.js";

/** @param {Page.AtTable<Page.InRound>} props */
export function FreePlay({ table }) {
  const action = (/** @type {string} */ name, /** @type {() => void} */ tap, tone = "plain") =>
    html`<${Button} tone=${tone} class="action" disabled=${!acting()} onTap=${tap}>
      <span>${t(`free.${name}`)}</span> <small>${t(`free.${name}_help`)}</small><//>`;
  return html`<${Resting} table=${table}>
    ${editionOf(table).race && action("race", () => open("race"), "cost")}
    ${action("caught", () => open("catch", { since: performance.now() }))}
    ${action("out", () => open("out"))}
  <//>`;
}

/** @param {Table.View} table */
function playing(table) {
  return table.seats.filter((seat) => seat.playing);
}

/** @param {Page.AtTable} props */
export function WhoLaid({ table }) {
  const laid = (/** @type {Table.SeatShown} */ seat) => done(act("declare_race", { layer: seat.number }));
  return html`<${Dialog} title=${t("free.who_laid")}><${SeatPicker} seats=${playing(table)} onPick=${laid} /><//>`;
}

// The press of who caught dates it; without one the first tap here does, and the caught player must not call meanwhile.
/** @param {Page.AtTable} props */
export function WhoIsCaught({ table, since }) {
  const [by, setBy] = useState(null);
  const others = playing(table).filter((seat) => seat.number !== by);
  const ago = () => Math.min(60_000, Math.max(0, Math.round(performance.now() - since)));
  const caught = (/** @type {Table.SeatShown} */ seat) =>
    done(act("catch", { seat: seat.number, ...(by && { by }), ago_ms: ago() }));
  return html`<${Dialog} title=${t("free.whom")}>
    <${SeatPicker} seats=${others} onPick=${caught} />
    <details class="fold caught-by"><summary>${t("free.by_whom")}</summary>
      <div class="picker">${playing(table).map(
        (seat) => html`<button type="button" class="button who" key=${seat.number}
          aria-pressed=${by === seat.number} onClick=${() => setBy(by === seat.number ? null : seat.number)}>
          <${Mark} seat=${seat.number} /><${Fit} text=${seat.name} /></button>`,
      )}</div>
    </details>
  <//>`;
}

// Only some last cards matter: those that still make somebody draw, and a Street Race, whose hands
// are slaps or are not, as the house has it.
/** @param {Page.AtTable<Page.InRound>} props */
export function WhoIsOut({ table, seat }) {
  const edition = editionOf(table);
  const [card, setCard] = useState(/** @type {Table.CardShown | null} */ (null));
  const [who, setWho] = useState(/** @type {number | null} */ (null));
  const out = (/** @type {number} */ number, /** @type {object} */ more = {}) =>
    done(act("go_out", { seat: number, ...(card && { card: card.card }), ...more }));
  const others = playing(table).filter((one) => one.number !== who);
  if (who)
    return html`<${Dialog} title=${t("free.who_next", { name: nameOf(table, who) })}>
      <${SeatPicker} seats=${others} onPick=${(one) => out(who, { next: one.number })} /><//>`;
  const pick = (/** @type {Table.SeatShown} */ one) =>
    card?.draws_when_last && table.round.way === "free" ? setWho(one.number) : out(one.number);
  const special = edition.cards.filter((one) => one.draws_when_last || one.act === "race");
  return html`<${Dialog} title=${t("free.who_out")} wide>
    <${SeatPicker} seats=${seat ? playing(table).filter((one) => one.number === seat) : playing(table)}
      onPick=${pick} />
    <h3>${t("free.last_card")}</h3>
    <div class="last-cards">
      <button type="button" class="button with-card" aria-pressed=${card === null} onClick=${() => setCard(null)}>
        ${t("free.ordinary")}</button>
      ${special.map(
        (one) => html`<button type="button" key=${one.card} class="button with-card" data-last=${one.card}
          aria-pressed=${card === one} onClick=${() => setCard(one)}>
          <${CardFace} card=${one} /><span>${cardTitle(one)}</span></button>`,
      )}
    </div>
  <//>`;
}

// All that may concern one seat, behind a tap on it.
/** @param {Page.AtTable} props */
export function SeatMenu({ table, seat: number }) {
  const seat = table.seats.find((one) => one.number === number);
  if (!seat) return null;
  const round = table.round;
  const inPlay = round && seat.playing && table.phase === "play";
  const item = (/** @type {string} */ key, /** @type {() => unknown} */ tap, tone = "plain") =>
    html`<${Button} tone=${tone} class="wide" disabled=${!acting()} onTap=${tap}>${t(key)}<//>`;
  return html`<${Dialog} title=${seat.name}>
    <div class="menu">
      ${inPlay && item("seat.caught", () => done(act("catch", { seat: number })), "primary")}
      ${
        inPlay &&
        (seat.called
          ? item("seat.withdraw", () => done(act("withdraw_call", { seat: number })))
          : item("seat.call", () => done(act("call", { seat: number }))))
      }
      ${inPlay && editionOf(table).race && item("seat.race", () => done(act("declare_race", { layer: number })))}
      ${round && seat.playing && item("seat.press", () => done(act("press_seat", { seat: number })))}
      ${inPlay && item("seat.out", () => open("out", { seat: number }))}
      ${table.debts
        .filter((debt) => debt.seat === number)
        .map(
          (debt) => html`<${Button} key=${debt.number} class="wide" disabled=${!acting()}
            onTap=${() => done(act("forgive", { debt: debt.number }))}>
            ${t("seat.forgive", { cards: counted("cards", debt.cards) })}<//>`,
        )}
      ${editionOf(table).race && item("seat.handicap", () => open("handicap", { seat: number }))}
      ${item("mark.choose", () => open("mark", { seat: number }))}
      ${item(seat.phone ? "seat.phone_too" : "seat.phone", () => open("phone", { seat: number }))}
      ${item("seat.button", () => done(act("assign_button", { seat: number })))}
      ${!round && item("seat.stand", () => done(act("stand", { seat: number })))}
      ${
        inPlay &&
        ["under", "counted"].map((hand) =>
          item(`seat.leaves_${hand}`, () => done(act("stand", { seat: number, hand }))),
        )
      }
    </div>
  <//>`;
}

/** @param {unknown} action */
export async function done(action) {
  await action;
  close();
}
