// The pieces of a race as a show, for every screen: start lights, lanes that fill while hands land, large words.

import { html, useEffect, useRef } from "../../vendor/htm-preact.js";
import { MS } from "../core/axis.js";
import { tableNow } from "../core/connection.js";
import { t } from "../core/texts.js";
import { Mark, Name, nameOf, tintOf } from "../parts/components.js";
import { landedAt } from "./margin.js";

const LEAD = 250; // milliseconds of road before the first hand, so that it is seen to have come
const SHORTEST = 500; // milliseconds after the first hand that the road shows at least

// Five lamps: red while one has to wait, green from the start on.
/** @param {{ lit: boolean }} props */
export function Lights({ lit }) {
  return html`<div class="lights ${lit ? "go" : "hold"}" aria-hidden="true"><i /><i /><i /><i /><i /></div>`;
}

// Words as large as the screen allows; what is between asterisks stands out.
/** @param {{ text: string; class?: string; [more: string]: any }} props */
export function Large({ text, class: more = "", ...rest }) {
  const longest = Math.max(...text.split(/\s+/).map((word) => word.replaceAll("*", "").length));
  const letters = text.replaceAll("*", "").length;
  const parts = text.split("*");
  return html`<h2 class="large-words ${more}" style=${{ "--letters": letters, "--word": longest }} ...${rest}>
    ${parts.map((part, at) => (at % 2 ? html`<em key=${at}>${part}</em>` : part))}
  </h2>`;
}

// A lane for each racer, which fills until the hand comes down.
/** @param {Page.AtTable<Page.InRace>} props */
export function LiveLanes({ table }) {
  const { race } = table;
  const box = useRef(null);
  const slaps = race.slaps.filter((slap) => !slap.early && slap.after !== null);
  const first = slaps.length ? Math.min(...slaps.map((slap) => slap.at)) : null;
  const latest = Math.max(0, ...slaps.map((slap) => Number(slap.after) / MS));
  useEffect(() => runOn(box.current, first, latest), [first, latest, race.state]);
  return html`<ol class="live-lanes" ref=${box}>
    ${race.racers.map((seat) => {
      const slap = race.slaps.find((one) => one.seat === seat);
      const after = { "--after": Number(slap?.after ?? 0) / MS };
      return html`<li key=${seat} class="lane live-lane ${slap ? "landed" : ""} ${tintOf(seat)}" data-seat=${seat}
        style=${slap ? after : {}}>
        <span class="live-way" aria-hidden="true"></span>
        <span class="live-name"><${Mark} seat=${seat} /><${Name} name=${nameOf(table, seat)} /></span>
        <span class="live-time">${timeOf(table, seat, slap)}</span>
      </li>`;
    })}
  </ol>`;
}

/**
 * @param {Table.View & Page.InRace} table
 * @param {number} seat
 * @param {Table.Slap | undefined} slap
 */
function timeOf({ race }, seat, slap) {
  if (slap) return landedAt(slap, false, 0);
  return t(race.unusable.includes(seat) ? "race.unusable" : "race.slap_now");
}

// While hands are awaited the road grows with the time, frame by frame; who wants less motion sees it at rest.
/**
 * @param {HTMLElement | null} box
 * @param {number | null} first
 * @param {number} latest
 */
function runOn(box, first, latest) {
  if (!box) return undefined;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let frame = 0;
  const draw = () => {
    const gone = first === null || still ? latest : Math.max(latest, (tableNow() - first) / MS);
    box.style.setProperty("--lead", String(LEAD));
    box.style.setProperty("--gone", String(gone));
    box.style.setProperty("--span", String(LEAD + Math.max(SHORTEST, gone * 1.25)));
    if (!still && first !== null) frame = requestAnimationFrame(draw);
  };
  draw();
  return () => cancelAnimationFrame(frame);
}
