// Numbers as the language of the page writes them, alone and with what is counted: 1602 points as on every screen, and
// 16,020 with its sign.

import { t } from "./texts.js";

export function language() {
  return document.documentElement.lang;
}

/**
 * @param {number} value
 * @param {number} digits
 */
export function number(value, digits = 0) {
  return new Intl.NumberFormat(language(), {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
    useGrouping: "min2",
  }).format(value);
}

/**
 * @param {number} part
 * @param {number} whole
 */
export function percent(part, whole) {
  return new Intl.NumberFormat(language(), { style: "percent" }).format(whole ? part / whole : 0);
}

// The rules of Brazil say "0 carta"; people everywhere say "0 cartas", as Portugal's rules have it.
/**
 * @param {string} what
 * @param {number} count
 */
export function counted(what, count) {
  const rules = new Intl.PluralRules(language() === "pt" ? "pt-PT" : language());
  const form = rules.select(count) === "one" ? "one" : "other";
  return t(`count.${what}.${form}`, { count: number(count) });
}

// A place, as people say it: 1st, 2nd, 3rd.
/** @param {number} place */
export function ordinal(place) {
  return t(`count.place.${new Intl.PluralRules(language(), { type: "ordinal" }).select(place)}`, { count: place });
}
