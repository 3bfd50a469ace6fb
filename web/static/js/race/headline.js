// A verdict in words for the whole room, alike on every screen: whom it hits and what it costs, then why.

import { html } from "../../vendor/htm-preact.js";
import { has, sentenceText, t } from "../core/texts.js";
import { nameOf } from "../parts/components.js";
import { bright, Large } from "./large.js";

// What the ruling costs; where it costs nothing, something else is the headline.
/** @param {Page.AtTable & { ruling: Table.Ruling | null; otherwise: string; [more: string]: any }} props */
export function Headline({ table, ruling, otherwise, ...rest }) {
  return html`<${Large} text=${(ruling && costs(table, ruling)) ?? otherwise} ...${rest} />`;
}

/**
 * @param {Table.View} table
 * @param {Table.Ruling} ruling
 */
function costs(table, ruling) {
  if (!ruling.draws.length) return null;
  const [{ cards }] = ruling.draws;
  const names = ruling.draws.map((one) => bright(nameOf(table, one.seat)));
  return names.length === 1
    ? t("debts.draws", { name: names[0], cards })
    : t("race.many_draw", { names: names.join(t("list.separator")), cards });
}

// Why, beside a headline that has told the name and the cards; null where only the whole sentence can say it.
/** @param {Table.Ruling} ruling */
export function reasonOf({ draws, sentence }) {
  const shorter = `why.${sentence.code}`;
  return draws.length && has(shorter) ? t(shorter) : null;
}

/** @param {Table.Ruling} ruling */
export function whyOf(ruling) {
  return reasonOf(ruling) ?? sentenceText(ruling.sentence);
}
