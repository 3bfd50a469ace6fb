// Free play: nobody touches the tablet except for a race, a catch, or the end of the round.

import { html, useState } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { close, open } from "../core/store.js";
import { t } from "../core/texts.js";
import { CardFace, cardTitle } from "../parts/cards.js";
import { acting, Button, Dialog, editionOf, Mark, nameOf, SeatPicker } from "../parts/components.js";

/** @param {Page.AtTable} props */
export function FreePlay({ table }) {
  const edition = editionOf(table);
  return html`<section class="block free">
    ${
      edition.race &&
      html`<${Button} tone="primary" class="huge race-button" disabled=${!acting()}
        onTap=${() => open("race")}>${t("free.race")}<small>${t("free.race_help")}</small><//>`
    }
    <${Button} class="huge" disabled=${!acting()} onTap=${() => open("catch", { since: performance.now() })}>
      ${t("free.caught")}<small>${t("free.caught_help")}</small>
    <//>
    <${Button} class="huge" disabled=${!acting()} onTap=${() => open("out")}>
      ${t("free.out")}<small>${t("free.out_help")}</small>
    <//>
  </section>`;
}

/** @param {Table.View} table */
function playing(table) {
  return table.seats.filter((seat) => seat.playing);
}

/** @param {Page.AtTable} props */
export function WhoLaid({ table }) {
  const laid = (seat) => done(act("declare_race", { layer: seat.number }));
  return html`<${Dialog} title=${t("free.who_laid")}><${SeatPicker} seats=${playing(table)} onPick=${laid} /><//>`;
}

// The press of who caught dates it; without one the first tap here does, and whoever is caught must not call meanwhile.
/** @param {Page.AtTable} props */
export function WhoIsCaught({ table, since }) {
  const [by, setBy] = useState(null);
  const others = playing(table).filter((seat) => seat.number !== by);
  const ago = () => Math.min(60_000, Math.max(0, Math.round(performance.now() - since)));
  const caught = (seat) => done(act("catch", { seat: seat.number, ...(by && { by }), ago_ms: ago() }));
  return html`<${Dialog} title=${t("free.whom")}>
    <${SeatPicker} seats=${others} onPick=${caught} />
    <details class="fold caught-by"><summary>${t("free.by_whom")}</summary>
      <div class="picker">${playing(table).map(
        (seat) => html`<button type="button" class="button who" key=${seat.number}
          aria-pressed=${by === seat.number} onClick=${() => setBy(by === seat.number ? null : seat.number)}>
          <${Mark} seat=${seat.number} /><span class="name">${seat.name}</span></button>`,
      )}</div>
    </details>
  <//>`;
}

// Only some last cards matter: those that still make somebody draw, and a Street Race, whose hands
// are slaps or are not, as the house has it.
/** @param {Page.AtTable<Page.InRound>} props */
export function WhoIsOut({ table, seat, card }) {
  const edition = editionOf(table);
  if (!seat) {
    return html`<${Dialog} title=${t("free.who_out")}>
      <${SeatPicker} seats=${playing(table)} onPick=${(one) => open("out", { seat: one.number })} /><//>`;
  }
  const name = nameOf(table, seat);
  const out = (fields) => done(act("go_out", { seat, ...fields }));
  if (card) {
    const others = playing(table).filter((one) => one.number !== seat);
    return html`<${Dialog} title=${t("free.who_next", { name })}>
      <${SeatPicker} seats=${others} onPick=${(next) => out({ card, next: next.number })} /><//>`;
  }
  const special = edition.cards.filter((one) => one.draws_when_last || one.act === "race");
  const chosen = (one) =>
    one.draws_when_last && table.round.way === "free" ? open("out", { seat, card: one.card }) : out({ card: one.card });
  return html`<${Dialog} title=${t("free.last_card", { name })}>
    <${Button} tone="primary" class="huge" onTap=${() => out({})}>${t("free.ordinary")}<//>
    <div class="last-cards">
      ${special.map(
        (one) => html`<${Button} key=${one.card} class="with-card" onTap=${() => chosen(one)}>
          <${CardFace} card=${one} /><span>${cardTitle(one)}</span><//>`,
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
  const item = (key, tap, tone = "plain") =>
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
            onTap=${() => done(act("forgive", { debt: debt.number }))}>${t("seat.forgive", { cards: debt.cards })}<//>`,
        )}
      ${editionOf(table).race && item("seat.handicap", () => open("handicap", { seat: number }))}
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

export async function done(action) {
  await action;
  close();
}
