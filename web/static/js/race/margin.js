// Milliseconds as a race tells them, and how close its last hands were.

import { MS } from "../core/axis.js";
import { t } from "../core/texts.js";

// Below a tenth of a second the tenths of a millisecond are worth saying.
export function ms(nanoseconds) {
  return signed((nanoseconds / MS).toFixed(Math.abs(nanoseconds) < 100 * MS ? 1 : 0));
}

export function signed(number) {
  return String(number).replace("-", "−");
}

// When a hand came, as people say it: from the first hand of a race on, or from the light of a slap-off.
/** @param {Table.Slap} slap */
export function landedAt(slap, fromLight) {
  if (slap.early) return t("race.early");
  if (slap.hammered) return t("race.hammered");
  if (fromLight) return t("race.ms", { ms: ms(slap.after) });
  return slap.after === 0 ? t("race.first") : t("race.ms", { ms: `+${ms(slap.after)}` });
}

// Whether it was too close to tell; beside a hand that never came there is no margin.
/** @param {Table.Finish} finish */
export function marginOf(finish) {
  if (finish.no_slap || finish.margin === null || finish.doubt === null) return null;
  const close = finish.last.length > 1 && finish.margin <= finish.doubt;
  return t(close ? "race.margin_close" : "race.margin", { margin: ms(finish.margin), doubt: ms(finish.doubt) });
}
