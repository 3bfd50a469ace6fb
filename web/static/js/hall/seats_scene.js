// Where everybody sits, by name: among hundreds everybody finds themselves at once.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { namesOf } from "./hall.js";

const PAGE = 240; // names on one screen; with more of them they take turns
const [WIDE, HIGH] = [92, 80]; // the room for them, in hundredths of the screen's width and of its height
const LETTER = 0.48; // how wide a letter is, by its height
const BESIDE = 8; // letters of room for the initial and for the number of the table
const SMALLEST = 0.72; // of its full size; a name that is still too long has two lines
const TWO_LINES = 0.6;

/** @param {{ evening: Hall.EveningShown; round: Hall.DrawnRoundShown; turn: number }} props */
export function SeatsScene({ evening, round, turn }) {
  const name = namesOf(evening);
  const seats = [
    ...round.tables.flatMap((one) =>
      one.people.map((person) => ({ person, name: name(person), table: String(one.table) })),
    ),
    ...round.byes.map((person) => ({ person, name: name(person), table: "–" })),
  ].sort((one, other) => one.name.localeCompare(other.name));
  const shape = useShape();
  const pages = Math.ceil(seats.length / PAGE);
  const each = Math.ceil(seats.length / pages);
  const page = turn % pages;
  const shown = seats.slice(page * each, (page + 1) * each);
  const { columns, rows, size, letters } = roomFor(
    shown.map((one) => [...one.name].length),
    shape,
  );
  const style = { "--rows": rows, "--columns": columns, "--size": size.toFixed(2) };
  return html`<section class="hall-seating">
    <ul class="hall-seats" style=${style}>
      ${shown.map(
        (one, at) => html`<li key=${one.person} class=${at % rows && sameLetter(one, shown[at - 1]) ? "" : "first"}>
        <span class="initial" aria-hidden="true">${initial(one)}</span>
        <${Name} name=${one.name} letters=${letters} /><strong>${one.table}</strong></li>`,
      )}
    </ul>
    <p class="hall-seats-note">${
      pages > 1 &&
      html`<strong>${initial(shown[0])} – ${initial(shown[shown.length - 1])}
      </strong>`
    }
      ${round.byes.length > 0 && html` – ${t("desk.round.bye")}: ${round.byes.map(name).join(", ")}`}</p>
  </section>`;
}

// The few longest names are written smaller, and the very longest in two lines.
/** @param {{ name: string; letters: number }} props */
function Name({ name, letters }) {
  const scale = Math.min(1, letters / [...name].length);
  const lines = scale < SMALLEST ? "name two" : "name";
  return html`<span class=${lines} style=${{ "--scale": scale < SMALLEST ? TWO_LINES : scale.toFixed(2) }}>
    ${name}</span>`;
}

// How wide the screen is, by its height.
function useShape() {
  const [shape, setShape] = useState(innerWidth / innerHeight);
  useEffect(() => {
    const look = () => setShape(innerWidth / innerHeight);
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, []);
  return shape;
}

// So many columns that the letters become as large as they can.
/**
 * @param {number[]} lengths
 * @param {number} shape
 */
function roomFor(lengths, shape) {
  const wide = WIDE * shape;
  const inOrder = [...lengths].sort((one, other) => one - other);
  const letters = Math.max(8, inOrder[Math.floor(0.95 * (inOrder.length - 1))]);
  const choices = [1, 2, 3, 4, 5, 6, 7, 8].map((columns) => {
    const rows = Math.ceil(lengths.length / columns);
    const size = Math.min(6, (0.8 * HIGH) / rows, wide / columns / (LETTER * (letters + BESIDE)));
    // Where the height decides, there is room for longer names than most have.
    return { columns, rows, size, letters: wide / columns / (LETTER * size) - BESIDE };
  });
  return choices.reduce((best, one) => (one.size > best.size ? one : best));
}

/** @param {{ name: string }} seat */
function initial({ name }) {
  return ([...name][0] ?? "").toLocaleUpperCase();
}

/**
 * @param {{ name: string }} one
 * @param {{ name: string }} other
 */
function sameLetter(one, other) {
  return initial(one).localeCompare(initial(other), undefined, { sensitivity: "base" }) === 0;
}
