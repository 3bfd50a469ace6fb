// Invitations: codes for a camera, drawn by the table itself, with the address in words beside them.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";

export function Code({ picture, label }) {
  return html`<img class="code-picture" src=${picture} alt=${label} width="33" height="33" />`;
}

// Ask the table for something that stays as it is for as long as `about` does.
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

export function placeOf(link) {
  return link.replace(/^http:\/\//, "").replace(/\/(\?.*)?$/, "");
}

// The way in for everyone who wants to look on.
export function Join({ boot }) {
  const join = useAnswer("/api/join", boot);
  if (!join) return null;
  return html`<div class="join">
    <${Code} picture=${`/api/join.svg?run=${boot}`} label=${t("invite.watch_code", { address: join.watch })} />
    <p><strong>${t("invite.watch")}</strong><span class="address">${placeOf(join.watch)}</span></p>
  </div>`;
}

// What a seat presses with.
/** @param {Table.SeatShown} seat */
export function pressedWith(seat) {
  if (seat.button !== null) return t("felt.button", { number: seat.button });
  return t(seat.phone ? "felt.phone" : "felt.no_button");
}

// A player's own way in; the address changes with who sits there.
/** @param {{ seat: Table.SeatShown; [more: string]: any }} props */
export function SeatCode({ seat, boot, large = false }) {
  const about = `${boot}-${seat.player}`;
  return html`<div class="seat-code ${large ? "large" : ""}">
    <${Code} picture=${`/api/seats/${seat.number}.svg?of=${about}`}
      label=${t("invite.seat_code", { name: seat.name })} />
    ${large && html`<${SeatLink} number=${seat.number} about=${about} />`}
  </div>`;
}

function SeatLink({ number, about }) {
  const found = useAnswer(`/api/seats/${number}`, about);
  return html`<p class="hint seat-link">${found ? found.link : ""}</p>`;
}

// The referee's way in, which the table gives away only when it was asked to.
export function RefereeCode({ boot }) {
  const found = useAnswer("/api/pairing", boot);
  if (!found) return null;
  return html`<aside class="referee-code" aria-label=${t("invite.referee")}>
    <${Code} picture=${`/api/pairing.svg?run=${boot}`} label=${t("invite.referee_code")} />
    <p>
      <strong>${t("invite.referee")}</strong><span>${t("invite.referee_help")}</span>
      <span class="spoken">${found.code}</span>
    </p>
  </aside>`;
}
