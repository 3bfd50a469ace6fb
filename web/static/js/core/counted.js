// Numbers as the language of the page writes them, alone and with what is counted.

import { t } from "./texts.js";

export function language() {
  return document.documentElement.lang;
}

export function number(value, digits = 0) {
  return new Intl.NumberFormat(language(), { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(
    value,
  );
}

export function percent(part, whole) {
  return new Intl.NumberFormat(language(), { style: "percent" }).format(whole ? part / whole : 0);
}

export function counted(what, count) {
  const form = new Intl.PluralRules(language()).select(count) === "one" ? "one" : "other";
  return t(`count.${what}.${form}`, { count: number(count) });
}
