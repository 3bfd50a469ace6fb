// A glass over the lanes of the last two hands, where these lie so close together that nobody could tell from afar.

import { html } from "../../vendor/htm-preact.js";
import { scale } from "../core/axis.js";
import { t } from "../core/texts.js";
import { ms } from "./margin.js";

const CLOSE = 9; // parts of a hundred of a lane, up to which two hands are enlarged
const AIR = 5; // between the hands and the glass
const LEAST = 24;
const MOST = 46;

/** @typedef {{ lane: number; after: number; real: number; doubt: number }} CloseHand */

// On whichever side of the hands their lanes have more room.
/** @param {{ hands: CloseHand[]; place: (after: number) => number; digits: number }} props */
export function Lens({ hands, place, digits }) {
  const [last, before] = hands;
  const [from, to] = [place(Math.min(before.after, last.after)), place(Math.max(before.real, last.real))];
  const room = Math.max(from, 100 - to) - AIR - 1;
  if (to - from > CLOSE || room < LEAST) return null;
  const wide = Math.min(MOST, room);
  const left = from > 100 - to ? from - AIR - wide : to + AIR;
  const apart = last.after - before.after;
  const beside = Math.max(0.5 * apart, 1.4 * Math.max(before.doubt, last.doubt));
  const at = scale(before.after - beside, last.after + beside, 0, 100);
  const beam = left < from ? { left: left + wide, right: 100 - from + 1 } : { left: to + 1, right: 100 - left };
  return html`<li class="lens" aria-hidden="true"><span class="lens-way">
    <span class="lens-beam ${left < from ? "" : "back"}" style=${inPercent(beam)}></span>
    <span class="lens-glass" style=${{ left: `${left}%`, width: `${wide}%` }}>
      ${hands.map(
        (hand) => html`<span class="lens-lane" key=${hand.lane}>
          <span class="doubt"
            style=${inPercent({ left: at(hand.after - hand.doubt), right: 100 - at(hand.after + hand.doubt) })}></span>
          <span class="hand-mark" style=${{ left: `${at(hand.after)}%` }}></span></span>`,
      )}
      <span class="lens-gap" style=${inPercent({ left: at(before.after), right: 100 - at(last.after) })}></span>
      <strong>${t("race.ms", { ms: ms(apart, digits) })}</strong>
    </span>
  </span></li>`;
}

/** @param {{ left: number; right: number }} span */
function inPercent({ left, right }) {
  return { left: `${left}%`, right: `${right}%` };
}
