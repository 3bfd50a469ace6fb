// Small pieces that every screen is made of.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/htm-preact.js";
import { close, state } from "../core/store.js";
import { listed, said, t } from "../core/texts.js";

// A button that shows that its tap is on the way, and cannot be tapped twice meanwhile.
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
export function Heard({ children }) {
  return html`<span class="hidden-text">${children}</span>`;
}

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
  const outside = (event) => event.target === box.current && onClose();
  const cancel = (event) => {
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

export const SHAPES = [
  html`<circle cx="12" cy="12" r="9" />`,
  html`<rect x="4" y="4" width="16" height="16" rx="2" />`,
  html`<path d="M12 3 22 21H2Z" />`,
  html`<path d="M12 1.5 22.5 12 12 22.5 1.5 12Z" />`,
  html`<path d="m12 1.5 3.1 7 7.6.7-5.7 5.1 1.7 7.5L12 17.9l-6.7 3.9 1.7-7.5L1.3 9.2l7.6-.7Z" />`,
  html`<path d="M7 3h10l5 9-5 9H7l-5-9Z" />`,
  html`<path d="M9 2h6v7h7v6h-7v7H9v-7H2V9h7Z" />`,
  html`<path d="M2 3h20L12 21Z" />`,
  html`<path d="M12 21S2.5 14.6 2.5 8.4A5 5 0 0 1 12 6.2a5 5 0 0 1 9.500 2.200C21.500 14.600 12 21 12 21Z" />`,
  html`<path d="M15.500 2.300a10 10 0 1 0 6.200 12.900A8.200 8.200 0 0 1 15.500 2.300Z" />`,
];

// Every seat has its own shape beside its colour, so that nobody needs to tell colours apart.
export function Mark({ seat, ...place }) {
  const at = (seat - 1) % SHAPES.length;
  return html`<svg class="mark tint-${at}" viewBox="0 0 24 24" aria-hidden="true" ...${place}>${SHAPES[at]}</svg>`;
}

export function SeatPicker({ seats, onPick, tone = "plain" }) {
  return html`<div class="picker">
    ${seats.map(
      (seat) => html`<${Button} key=${seat.number} tone=${tone} class="who" onTap=${() => onPick(seat)}>
        <${Mark} seat=${seat.number} /><span class="name">${seat.name}</span>
      <//>`,
    )}
  </div>`;
}

/** @param {Table.View} table */
export function seatOf(table, number) {
  return table.seats.find((seat) => seat.number === number);
}

/** @param {Table.View} table */
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
  return said({ ...table.next, parts: { ...table.next.parts, owed } });
}

export function acting() {
  return state().role === "referee" && state().link === "live";
}
