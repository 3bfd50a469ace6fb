// A player's mark and colour, and how to choose another one.

import { html } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { close } from "../core/store.js";
import { t } from "../core/texts.js";
import { acting, Dialog, MarkFace, SHAPES, seatOf } from "../parts/components.js";
import { Fit } from "../parts/fit.js";

/** @param {Page.AtTable & { seat: number; able?: boolean }} props */
export function ChooseMark({ table, seat: number, able = acting() }) {
  const seat = seatOf(table, number);
  if (!seat) return null;
  const held = new Map(table.seats.map((one) => [one.mark, one.name]));
  return html`<${Dialog} title=${t("mark.of", { name: seat.name })}>
    <p>${t("mark.help")}</p>
    <div class="mark-choice" role="radiogroup" aria-label=${t("mark.choose")}>
      ${SHAPES.map((_, at) => {
        const mark = at + 1;
        return html`<button type="button" role="radio" class="option" key=${mark} data-mark=${mark}
          aria-checked=${seat.mark === mark} disabled=${!able} aria-label=${t("mark.number", { number: mark })}
          onClick=${() => seat.mark !== mark && act("choose_mark", { seat: number, mark }, close)}>
          <${MarkFace} mark=${mark} /><${Fit} text=${held.get(mark) ?? ""} /></button>`;
      })}
    </div>
  <//>`;
}
