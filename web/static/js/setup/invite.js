// Invitations: codes for a camera, drawn by the table itself, with the address in words beside them.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";

/** @param {{ picture: string; label: string }} props */
export function Code({ picture, label }) {
  return html`<img class="code-picture" src=${picture} alt=${label} width="33" height="33" />`;
}

// Ask the table for something that stays as it is for as long as `about` does.
/**
 * @param {string} address
 * @param {string} about
 * @returns {any}
 */
export function useAnswer(address, about = "") {
  const [answer, setAnswer] = useState(null);
  useEffect(() => {
    let wanted = true;
    fetch(address)
      .then((found) => (found.ok ? found.json() : null))
      .then((found) => wanted && setAnswer(found))
      .catch(() => wanted && setAnswer(null));
    return () => {
      wanted = false;
    };
  }, [address, about]);
  return answer;
}

/** @param {string} link */
export function placeOf(link) {
  return link.replace(/^https?:\/\//, "").replace(/\/(\?.*)?$/, "");
}

// What an invitation is about: this run of the table, at this address.
/** @param {Page.Service} service */
export function invited(service) {
  return `${service.boot}-${service.place}`;
}

// The way into the table's own Wi-Fi, for those who may know it. It is the same whenever it is open.
/** @param {{ service: Page.Service }} props */
export function WifiCode({ service }) {
  const found = useAnswer("/api/wifi", invited(service));
  if (!found?.hotspot) return null;
  return html`<div class="wifi-code">
    <${Code} picture=${`/api/wifi.svg?run=${service.boot}`} label=${t("wifi.code")} />
    <p>
      <strong>${t("wifi.join")}</strong><span>${found.hotspot.name}</span>
      <span class="spoken">${found.hotspot.password}</span>
    </p>
  </div>`;
}

// The way in for everyone who wants to look on.
/** @param {{ boot: string; large?: boolean }} props */
export function Join({ boot, large = false }) {
  const join = useAnswer("/api/join", boot);
  if (!join) return null;
  return html`<div class="join">
    <${Code} picture=${`/api/join.svg?run=${boot}`} label=${t("invite.watch_code", { address: join.watch })} />
    <p>${!large && html`<strong>${t("invite.watch")}</strong>`}<span class="address">${placeOf(join.watch)}</span></p>
  </div>`;
}

// What a seat presses with.
/** @param {Table.SeatShown} seat */
export function pressedWith(seat) {
  if (seat.button !== null) return t("felt.button", { number: seat.button });
  return t(seat.phone ? "felt.phone" : "felt.no_button");
}

// A player's own way in; the code changes with who sits there and once it was used.
/** @param {{ seat: Table.SeatShown; [more: string]: any }} props */
export function SeatCode({ seat, boot }) {
  if (seat.phone) return null; // only the referee is shown a code for another phone
  const label = t("invite.seat_code", { name: seat.name });
  return html`<div class="seat-code">
    <${Code} picture=${`/api/seats/${seat.number}.svg?of=${boot}-${seat.player}`} label=${label} />
  </div>`;
}

// The same for the referee, who gets a new code whenever the last one was used.
/** @param {{ seat: Table.SeatShown; [more: string]: any }} props */
export function FreshSeatCode({ seat }) {
  const found = useAnswer(`/api/seats/${seat.number}`, `${seat.player}-${seat.phone}`);
  if (!found) return null;
  const label = t("invite.seat_code", { name: seat.name });
  return html`<div class="seat-code large">
    <${Code} picture=${`/api/seats/${seat.number}.svg?of=${found.code}`} label=${label} />
    <p class="hint seat-link">${found.link}</p>
  </div>`;
}

// The referee's way in, which the table gives away only when it was asked to.
/** @param {{ boot: string }} props */
export function RefereeCode({ boot }) {
  const found = useAnswer("/api/pairing", boot);
  if (!found) return null;
  return html`<aside class="referee-code" aria-label=${t("invite.referee")}>
    <${Code} picture=${`/api/pairing.svg?of=${found.code}`} label=${t("invite.referee_code")} />
    <p>
      <strong>${t("invite.referee")}</strong><span>${t("invite.referee_help")}</span>
      <span class="spoken">${found.code}</span>
    </p>
  </aside>`;
}
