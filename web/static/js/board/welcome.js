// Before the match: the way in for everybody, as large as a camera across the room wants it, and who sits already.

import { html } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { editionOf, Mark } from "../parts/components.js";
import { Fit } from "../parts/fit.js";
import { FreeSeats } from "../parts/free_seats.js";
import { HeadStartChip } from "../setup/handicap.js";
import { Join, pressedWith, SeatCode } from "../setup/invite.js";

/** @param {Page.AtTable & { boot: string }} props */
export function Welcome({ table, boot }) {
  const { setup, seats } = table;
  return html`<main class="welcome">
    <section class="welcome-join">
      <h1 class="show-title">${t("show.join")}</h1>
      <${Join} boot=${boot} large />
      <p class="welcome-help">${t("show.join_help")}</p>
    </section>
    <section class="welcome-people">
      <p class="welcome-setup">
        <strong>${editionOf(table).name}</strong> <span>${t(`scoring.${setup.scoring}.title`)}</span>${" "}
        <span>${t(`way.${setup.way}.title`)}</span>
      </p>
      ${seats.length === 0 && html`<div class="welcome-nobody"><${FreeSeats} /><p>${t("show.nobody")}</p></div>`}
      <ul class="chairs" data-count=${seats.length} aria-label=${t("felt.seated", { count: seats.length })}>
        ${seats.map(
          (seat) => html`<li key=${seat.player} class="chair" data-seat=${seat.number}>
            <p class="chair-who"><${Mark} seat=${seat.number} /><${Fit} text=${seat.name} /></p>
            <${SeatCode} seat=${seat} boot=${boot} />
            <p class="chair-button">${pressedWith(seat)} <${HeadStartChip} table=${table} seat=${seat} /></p>
          </li>`,
        )}
      </ul>
      <p class="welcome-hint">
        ${seats.length > 0 && t("invite.seat_help")} <small>${t("board.settings_hint")}</small>
      </p>
    </section>
  </main>`;
}
