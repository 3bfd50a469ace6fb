// Milliseconds as a race tells them, and how close its last hands were.

import { MS } from "../core/axis.js";
import { t } from "../core/texts.js";

// Below a tenth of a second the tenths of a millisecond are worth saying; what stands side by side is rounded alike.
/**
 * @param {number} nanoseconds
 * @param {number} digits
 */
export function ms(nanoseconds, digits = digitsFor(nanoseconds)) {
  return signed((nanoseconds / MS).toFixed(digits));
}

// How finely the hands of one race are told, by the table's sentence too: with tenths where the last two came within a
// tenth of a second, or any two within a hundredth.
/** @param {Pick<Table.Finish, "places"> | null | undefined} finish */
export function digitsOf(finish) {
  const known = (finish?.places ?? []).flatMap(({ after }) => after ?? []).sort((one, other) => one - other);
  const gaps = known.slice(1).map((time, at) => time - known[at]);
  return gaps.length && (gaps[gaps.length - 1] < 100 * MS || Math.min(...gaps) < 10 * MS) ? 1 : 0;
}

// How far off a press can be, in one race told alike: a wired button hardly at all, a phone or another machine more.
/**
 * @param {number} uncertainty
 * @param {number[]} all
 */
export function exact(uncertainty, all) {
  return (uncertainty / MS).toFixed(all.some((one) => one < MS) ? 2 : 1);
}

/** @param {number | null | undefined} nanoseconds */
function digitsFor(nanoseconds) {
  return Math.abs(nanoseconds ?? Infinity) < 100 * MS ? 1 : 0;
}

/** @param {number | string} number */
export function signed(number) {
  return String(number).replace("-", "−");
}

// When a hand came, as people say it: from the first hand of a race on, or from the light of a slap-off.
/**
 * @param {Page.HandTime} slap
 * @param {boolean} fromLight
 * @param {number} [digits]
 */
export function landedAt(slap, fromLight, digits) {
  if (slap.early) return t("race.early");
  if (slap.hammered) return t("race.hammered");
  const after = slap.after ?? 0;
  if (fromLight) return t("race.ms", { ms: ms(after, digits) });
  return after === 0 ? t("race.first") : t("race.ms", { ms: `+${ms(after, digits)}` });
}

// Whether it was too close to tell; beside a hand that never came there is no margin.
/** @param {Table.Finish} finish */
export function marginOf(finish) {
  if (finish.no_slap || finish.margin === null || finish.doubt === null) return null;
  const close = finish.last.length > 1 && finish.margin <= finish.doubt;
  const digits = digitsOf(finish);
  return t(close ? "race.margin_close" : "race.margin", {
    margin: ms(finish.margin, digits),
    doubt: ms(finish.doubt, Math.max(digits, finish.doubt < 10 * MS ? 1 : 0)),
  });
}
