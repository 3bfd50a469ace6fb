// Players whose hand the table cannot hear: no button or a broken one, and no phone.

import { html } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { close, open } from "../core/store.js";
import { t } from "../core/texts.js";
import { acting, Button, Dialog, Mark, seatOf } from "./components.js";

/** @param {Table.SeatShown | undefined} seat */
export function whyUnheard(seat) {
  return t(seat?.aside ? `fault.${seat.aside}` : "felt.no_button");
}

// A tap on a name leads to what helps.
/** @param {{ seats: Table.SeatShown[] }} props */
export function Unheard({ seats }) {
  if (!seats.length) return null;
  return html`<div class="unheard" role="group" aria-label=${t("unheard.title")}>
    <p>${t("unheard.title")}</p>
    ${seats.map(
      (seat) => html`<${Button} key=${seat.number} class="unheard-seat" data-seat=${seat.number}
        disabled=${!acting()} onTap=${() => open("unheard", { seat: seat.number })}>
        <${Mark} seat=${seat.number} /><span class="name">${seat.name}</span><small>${whyUnheard(seat)}</small><//>`,
    )}
  </div>`;
}

/** @param {Page.AtTable} props */
export function HelpUnheard({ table, seat: number }) {
  const seat = seatOf(table, number);
  if (!seat) return null;
  const spare = () => act("assign_button", { seat: number }, close);
  return html`<${Dialog} title=${`${seat.name}: ${whyUnheard(seat)}`}>
    <p>${t("unheard.help", { name: seat.name })}</p>
    <div class="menu">
      <${Button} tone="primary" class="wide" disabled=${!acting()} onTap=${spare}>${t("unheard.spare")}<//>
      <${Button} class="wide" onTap=${() => open("phone", { seat: number })}>${t("seat.phone")}<//>
    </div>
  <//>`;
}
