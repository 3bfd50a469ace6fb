// What a match, or a night, is remembered for.

import { displayName, t } from "../core/texts.js";
import { foremost, mostFirst } from "../history/statistics/parts.js";
import { ms } from "../race/margin.js";

// The rarest first.
/**
 * @param {Past.Night} night
 * @param {(name: string) => string} tamed
 * @returns {Page.Fact[]}
 */
export function awardsOf({ comebacks = [], shave, hands = [], calls = [] }, tamed = (name) => name) {
  const name = (/** @type {string} */ one) => tamed(displayName(one));
  const [comeback] = comebacks;
  const firsts = foremost(hands, mostFirst);
  const caught = foremost(calls, (one, other) => other.forgot - one.forgot);
  return [
    comeback && {
      title: t("share.comeback"),
      text: t("share.comeback_text", { name: name(comeback.name), points: comeback.behind }),
    },
    shave && {
      title: t("share.shave"),
      text: t("share.shave_text", { name: name(shave.loser), margin: ms(shave.margin) }),
    },
    firsts.length === 1 &&
      firsts[0].first > 0 && {
        title: t("share.fastest"),
        text: t("share.fastest_text", { name: name(firsts[0].name), count: firsts[0].first }),
      },
    caught.length === 1 &&
      caught[0].forgot > 0 && {
        title: t("share.caught"),
        text: t("share.caught_text", { name: name(caught[0].name), count: caught[0].forgot }),
      },
  ].flatMap((one) => one || []);
}
