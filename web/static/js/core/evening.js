// The evening that a match belongs to: one that began after midnight is still of the evening before.

import { language } from "./counted.js";

const DAWN = 6 * 3600 * 1000;

/** @param {string} label */
export function eveningOf(label) {
  return new Date(Date.parse(label) - DAWN);
}

/**
 * @param {string} label
 * @param {Intl.DateTimeFormatOptions} style
 */
export function onEvening(label, style = { dateStyle: "medium" }) {
  return inWords(eveningOf(label), style);
}

/**
 * @param {string | null} label
 * @param {Intl.DateTimeFormatOptions} style
 */
export function dated(label, style) {
  return inWords(new Date(label ?? ""), style);
}

// The evening, and when on it by the clock.
/**
 * @param {string} label
 * @param {"full" | "long"} dateStyle
 */
export function inFull(label, dateStyle = "full") {
  return [onEvening(label, { dateStyle }), dated(label, { timeStyle: "short" })].filter(Boolean).join(" · ");
}

/**
 * @param {Date} date
 * @param {Intl.DateTimeFormatOptions} style
 */
function inWords(date, style) {
  return Number.isNaN(date.getTime()) ? "" : new Intl.DateTimeFormat(language(), style).format(date);
}
