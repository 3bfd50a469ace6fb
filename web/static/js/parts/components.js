// Small components that every screen is made of.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/htm-preact.js";
import { close, state } from "../core/store.js";
import { listed, sentenceText, t } from "../core/texts.js";
import { Fit } from "./fit.js";

// A button that shows that its tap is on the way, and cannot be tapped twice meanwhile.
/**
 * @param {{ onTap: () => unknown; tone?: string; disabled?: boolean; children?: object; class?: string;
 *   [rest: string]: any }} props
 */
export function Button({ onTap, tone = "plain", disabled = false, children, class: more = "", ...rest }) {
  const [busy, setBusy] = useState(false);
  const there = useRef(true);
  useEffect(
    () => () => {
      there.current = false;
    },
    [],
  );
  const tap = async () => {
    setBusy(true);
    try {
      await onTap();
    } finally {
      if (there.current) setBusy(false);
    }
  };
  return html`<button type="button" class="button ${tone} ${more}" aria-busy=${busy}
    disabled=${disabled || busy} onClick=${tap} ...${rest}>${children}</button>`;
}

// Words that are heard but not seen, where what is seen says enough.
/** @param {{ children?: object }} props */
export function Heard({ children }) {
  return html`<span class="hidden-text">${children}</span>`;
}

/**
 * @param {{ name: string; value: any; options: { value: any; title: string | object; help?: string }[];
 *   onChoose: (value: any) => unknown; disabled?: boolean }} props
 */
export function Choice({ name, value, options, onChoose, disabled }) {
  return html`<div class="choice" role="radiogroup" aria-label=${name}>
    ${options.map(
      (option) => html`<button type="button" role="radio" class="option" key=${option.value}
        aria-checked=${option.value === value} disabled=${disabled}
        onClick=${() => option.value !== value && onChoose(option.value)}>
        <strong>${option.title}</strong>${option.help && html`<small>${option.help}</small>`}
      </button>`,
    )}
  </div>`;
}

let dialogs = 0; // one may open above another, each with its own title

/** @param {{ title: string; children?: object; onClose?: () => void; wide?: boolean }} props */
export function Dialog({ title, children, onClose = close, wide = false }) {
  const box = useRef(null);
  const [id] = useState(() => {
    dialogs += 1;
    return `dialog-${dialogs}`;
  });
  useLayoutEffect(() => {
    box.current.showModal();
    return () => box.current?.close();
  }, []);
  const outside = (/** @type {any} */ event) => event.target === box.current && onClose();
  const cancel = (/** @type {any} */ event) => {
    event.preventDefault();
    onClose();
  };
  // The browser may close it without asking, for instance at a second Escape without a tap between.
  const closed = () => box.current && onClose();
  return html`<dialog ref=${box} class="dialog ${wide ? "wide" : ""}" aria-labelledby=${id}
    onClick=${outside} onCancel=${cancel} onClose=${closed}>
    <div class="dialog-inside">
      <header class="dialog-head">
        <h2 id=${id}>${title}</h2>
        <button type="button" class="button quiet round" aria-label=${t("common.close")} onClick=${onClose}>✕</button>
      </header>
      ${children}
    </div>
  </dialog>`;
}

// No player's mark looks like the sign of a card's colour: circle, diamond, triangle and square are the cards' own.
export const SHAPES = [
  html`<path d="m12 1.5 3.1 7 7.6.7-5.7 5.1 1.7 7.5L12 17.9l-6.7 3.9 1.7-7.5L1.3 9.2l7.6-.7Z" />`,
  html`<path d="M14.500 1 4 13.500h6L8.500 23 20 9.500h-6.500Z" />`,
  html`<path d="M12 21.500S2.500 15 2.500 8.600A5 5 0 0 1 12 6.300a5 5 0 0 1 9.500 2.300C21.500 15 12
    21.500 12 21.500Z" />`,
  html`<path d="M15.500 2.300a10 10 0 1 0 6.200 12.900A8.200 8.200 0 0 1 15.500 2.300Z" />`,
  html`<path d="M9 2h6v7h7v6h-7v7H9v-7H2V9h7Z" />`,
  html`<path d="M2 6.500 7.500 11 12 3l4.500 8L22 6.500 20 20H4Z" />`,
  html`<path d="M12 1.500c4 5.500 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7.500 7-13Z" />`,
  html`<path d="M7 3h10l5 9-5 9H7l-5-9Z" />`,
  html`<path d="M12 12C8 9 6.500 7 7.500 4.500S11 2 12 4.500C13 2 15.500 2 16.500 4.500S16
    9 12 12c3-4 5-5.500 7.500-4.500S22 11 19.500 12
    C22 13 22 15.500 19.500 16.500S15 16 12 12c4 3 5.500 5 4.500 7.500S13 22 12 19.500C11 22 8.500 22 7.500 19.500S8
      15 12 12
    c-3 4-5 5.500-7.500 4.500S2 13 4.500 12C2 11 2 8.500 4.500 7.500S9 8 12 12Z" />`,
  html`<path d="M3 2.500h18V12c0 5-4 8-9 10.500C7 20 3 17 3 12Z" />`,
];

// Every seat has its own shape beside its colour, so that colours need not be told apart.
/** @param {{ seat: number; [place: string]: any }} props */
export function Mark({ seat, ...place }) {
  return html`<${MarkFace} mark=${markOf(seat)} ...${place} />`;
}

/** @param {{ mark: number; [place: string]: any }} props */
export function MarkFace({ mark, ...place }) {
  const at = (mark - 1) % SHAPES.length;
  return html`<svg class="mark tint-${at}" viewBox="0 0 24 24" aria-hidden="true" ...${place}>${SHAPES[at]}</svg>`;
}

// A player who has chosen no other one has the mark of the seat.
/** @param {number} seat */
function markOf(seat) {
  return state().shown?.table.seats.find((one) => one.number === seat)?.mark || seat;
}

// The class that gives something the colour of a seat.
/** @param {number} seat */
export function tintOf(seat) {
  return `tint-${(markOf(seat) - 1) % SHAPES.length}`;
}

// A name that is written as large as its room allows, and never broken in the middle of a word.
/** @param {{ name: string }} props */
export function Name({ name }) {
  const longest = Math.max(...name.split(/[\s-]+/).map((word) => [...word].length));
  return html`<span class="name" style=${{ "--letters": [...name].length, "--word": longest }}>${name}</span>`;
}

/** @param {{ seats: Table.SeatShown[]; onPick: (seat: Table.SeatShown) => unknown; tone?: string }} props */
export function SeatPicker({ seats, onPick, tone = "plain" }) {
  return html`<div class="picker">
    ${seats.map(
      (seat) => html`<${Button} key=${seat.number} tone=${tone} class="who" onTap=${() => onPick(seat)}>
        <${Mark} seat=${seat.number} /><${Fit} text=${seat.name} />
      <//>`,
    )}
  </div>`;
}

/**
 * @param {Table.View} table
 * @param {number | null} number
 */
export function seatOf(table, number) {
  return table.seats.find((seat) => seat.number === number);
}

/**
 * @param {Table.View} table
 * @param {number | null} number
 */
export function nameOf(table, number) {
  return seatOf(table, number)?.name ?? t("common.seat", { number });
}

/**
 * @param {Table.View} table
 * @returns {Table.EditionShown}
 */
export function editionOf(table) {
  const key = table.match ? table.match.edition : table.setup.edition;
  return /** @type {Table.EditionShown} */ (table.editions.find((edition) => edition.key === key));
}

// What to do next; the debts are listed here, because a sentence in parts cannot hold a list.
/** @param {Table.View} table */
export function nextStep(table) {
  const owed = listed(
    table.debts.map((debt) => t("debts.draws", { name: nameOf(table, debt.seat), cards: debt.cards })),
  );
  return sentenceText({ ...table.next, parts: { ...table.next.parts, owed } });
}

export function acting() {
  return state().role === "referee" && state().link === "live";
}
