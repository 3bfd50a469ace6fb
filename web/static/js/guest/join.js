// The way to a seat: a player who sits already says so, and this phone becomes their button.

import { html, useState } from "../../vendor/htm-preact.js";
import { pair, sitDown } from "../core/connection.js";
import { explained, t } from "../core/texts.js";
import { Button, Dialog, Mark } from "../parts/components.js";
import { Fit } from "../parts/fit.js";

/** @param {Page.AtTable} props */
export function JoinTable({ table }) {
  const [wrong, setWrong] = useState("");
  const seated = (/** @type {any} */ answer) => {
    if (answer.error) setWrong(explained(answer));
    else location.assign(`/seat/${answer.seat}`);
  };
  const take = async (/** @type {number} */ seat) => {
    const found = await fetch(`/api/seats/${seat}`).then((answer) => answer.json());
    seated(found.error ? found : await pair(found.code, seat));
  };
  const open = !table.round && !table.match?.rounds.length;
  return html`<${Dialog} title=${t("guest.who")}>
    ${open ? html`<p>${t("guest.who_help")}</p>` : html`<p>${t("guest.too_late")}</p>`}
    <div class="guest-seats">
      ${table.seats.map(
        (seat) => html`<${Button} key=${seat.number} class="guest-seat" disabled=${!open || seat.phone}
          data-seat=${seat.number}
          onTap=${() => take(seat.number)}>
          <${Mark} seat=${seat.number} /><${Fit} text=${seat.name} />
          ${seat.phone && html`<small>${t("felt.phone")}</small>`}
        <//>`,
      )}
    </div>
    ${open && html`<${NewGuest} onSit=${async (/** @type {string} */ name) => seated(await sitDown(name))} />`}
    <p class="wrong" role="alert">${wrong}</p>
  <//>`;
}

// A guest without a seat takes the next free one, by name.
/** @param {{ onSit: (name: string) => void }} props */
function NewGuest({ onSit }) {
  const [name, setName] = useState("");
  const sit = () => name.trim() && onSit(name);
  return html`<p>${t("guest.new")}</p>
    <div class="row">
      <input class="field" value=${name} maxlength="24" autocomplete="off" aria-label=${t("guest.name")}
        placeholder=${t("guest.name")} onInput=${(event) => setName(event.target.value)}
        onKeyDown=${(event) => event.key === "Enter" && sit()} />
      <${Button} tone="primary" disabled=${name.trim() === ""} onTap=${sit}>${t("guest.sit")}<//>
    </div>`;
}
