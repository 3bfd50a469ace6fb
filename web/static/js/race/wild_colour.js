// The colour of the wild on top: named beside the game, and changed for as long as the card lies there.

import { html } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { t } from "../core/texts.js";
import { COLOURS, cardNamed, Sign } from "../parts/cards.js";
import { acting, editionOf, Heard, nameOf } from "../parts/components.js";

/** @param {Page.AtTable<Page.InRound>} props */
export function WildColour({ table }) {
  const { round } = table;
  const top = round?.top && round.out === null ? cardNamed(editionOf(table), round.top) : null;
  if (!top || top.colour) return null;
  const open = round.chooser !== null;
  const name = (/** @type {Page.Colour} */ colour) => act("name_colour", { colour });
  return html`<div class="wild-colour ${open ? "open" : ""}" role="group" aria-label=${t("card.colours")}>
    <p aria-live="polite">${open && t("colour.whose", { name: nameOf(table, round.chooser) })}</p>
    ${COLOURS.map(
      (colour) => html`<button type="button" class="colour ${colour}" key=${colour} data-colour=${colour}
        title=${t(`colour.${colour}`)} aria-pressed=${round.colour === colour} disabled=${!acting()}
        onClick=${() => name(colour)}><${Sign} colour=${colour} /><${Heard}>${t(`colour.${colour}`)}<//></button>`,
    )}
  </div>`;
}
