// The evening that a match belongs to: one that began after midnight is still of the evening before.

import { language } from "./counted.js";

const DAWN = 6 * 3600 * 1000;

export function eveningOf(label) {
  return new Date(Date.parse(label) - DAWN);
}

export function onEvening(label, style = { dateStyle: "medium" }) {
  return inWords(eveningOf(label), style);
}

export function dated(label, style) {
  return inWords(new Date(label), style);
}

// The evening, and when on it by the clock.
export function inFull(label, dateStyle = "full") {
  return [onEvening(label, { dateStyle }), dated(label, { timeStyle: "short" })].filter(Boolean).join(" · ");
}

function inWords(date, style) {
  return Number.isNaN(date.getTime()) ? "" : new Intl.DateTimeFormat(language(), style).format(date);
}
