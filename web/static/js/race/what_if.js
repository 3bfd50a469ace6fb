// What if a round, or every match that is chosen, had been judged by other rules: all that would have changed.

import { html, useRef, useState } from "../../vendor/htm-preact.js";
import { counted, number } from "../core/counted.js";
import { displayName, listed, sentenceText, t } from "../core/texts.js";
import { SecondLook } from "./race_review.js";
import { isEmpty, NightWishes, Presets, Reset, useWhatIf } from "./what_if_settings.js";

const RACES = ["race", "slap_off", "picked"];

// Of the matches that `query` chooses, so many in all; or of one round.
/** @param {{ query?: string; of?: number; match?: number | null; round?: number | null; players: string[] }} props */
export function WhatIf({ query = "", of = 0, match = null, round = null, players }) {
  const [wish, setWish] = useState({});
  const [opened, setOpened] = useState(null);
  const below = useRef(null);
  const [answer, trouble] = useWhatIf(round === null ? {} : { match, round }, wish, query);
  return html`<section class="what-if" aria-label=${t("what_if.title")}>
    <header class="wishes-head">
      ${round === null && html`<h2>${t("what_if.title")}</h2>`}<${Reset} wish=${wish} onWish=${setWish} />
    </header>
    <p class="hint">${t("what_if.nothing_changes")}</p>
    <${Presets} wish=${wish} onWish=${setWish} whole=${round === null} />
    <div class="what-if-sides">
      <${NightWishes} wish=${wish} onWish=${setWish} players=${players} whole=${round === null} />
      <div class="what-if-answer" ref=${below} aria-live="polite" tabindex="0">
        ${trouble && html`<p class="banner trouble" role="alert">${trouble}</p>`}
        ${
          isEmpty(wish)
            ? html`<p class="hint">${t("what_if.choose")}</p>`
            : answer &&
              html`<${Answer} answer=${answer}
                of=${of} onOpen=${setOpened} />`
        }
      </div></div>
    ${
      !isEmpty(wish) &&
      html`<div class="what-if-bar"><p aria-hidden="true">${answer ? sumOf(answer) : t("look.judging")}</p>
        <button type="button" class="button" onClick=${() => below.current.scrollIntoView()}>
          ${t("what_if.below")}
        </button></div>`
    }
    ${opened && html`<${SecondLook} match=${opened.match} ruling=${opened.ruling} onClose=${() => setOpened(null)} />`}
  </section>`;
}

/** @param {{ answer: Past.WhatIf; of: number; onOpen: (one: Past.Difference) => void }} props */
function Answer({ answer, of, onOpen }) {
  const matches = [...new Set([...answer.differences, ...answer.winners].map((one) => one.match))].sort(
    (one, other) => other - one,
  );
  return html`
    <p class="what-if-sum">
      ${t("what_if.looked", {
        matches: counted("matches", answer.matches.length),
        rulings: counted("judged", answer.rulings),
      })} <strong>${sumOf(answer)}</strong>
    </p>
    ${of > answer.matches.length && html`<p class="hint">${t("what_if.latest", { count: answer.matches.length })}</p>`}
    ${
      answer.draws.length > 0 &&
      html`<p class="verdict-draws">
        <span>${t("what_if.in_all")}</span>${answer.draws.map((one) => html`<${More} key=${one.name} more=${one} />`)}
      </p>`
    }
    ${matches.map(
      (match) => html`<section class="what-if-match" key=${match}>
        ${of > 0 && html`<h3>${t("history.match", { number: match })}</h3>`}
        <ul>${answer.winners
          .filter((one) => one.match === match)
          .map(
            (one) => html`<li key="winner" class="difference">
              <span class="rule">${t("what_if.result")}</span>
              <${Pair} was=${winner(one.was, one.was_in)} would=${winner(one.would, one.would_in)} /></li>`,
          )}
          ${answer.differences
            .filter((one) => one.match === match)
            .map(
              (one, at) => html`<${Difference} key=${at}
                one=${one} onOpen=${onOpen} />`,
            )}</ul>
      </section>`,
    )}
    ${answer.left_off > 0 && html`<p class="hint">${t("what_if.left_off", { count: answer.left_off })}</p>`}`;
}

/** @param {Past.WhatIf} answer */
function sumOf({ differences, left_off: more, winners }) {
  const count = differences.length + more + winners.length;
  return t(count === 0 ? "what_if.none" : "what_if.count", { count: number(count) });
}

/** @param {{ one: Past.Difference; onOpen: (one: Past.Difference) => void }} props */
function Difference({ one, onOpen }) {
  const race = RACES.includes(one.kind) && one.ruling !== null;
  const notes = html`${
    one.draws.length > 0 &&
    html`<p class="verdict-draws">
      ${one.draws.map((more) => html`<${More} key=${more.name} more=${more} />`)}
    </p>`
  }
  ${one.change === "course" && html`<small>${t("what_if.course")}</small>`}
  ${one.overruled && html`<small>${t("what_if.overruled")} ${sentenceText(one.overruled)}</small>`}`;
  return html`<li class="difference" data-change=${one.change}>
    <span class="rule" title=${t("rulings.rule")}>${one.rule}</span>
    <div class="difference-text">
      <small>${t("sheet.round")} ${one.round}</small>
      <${Pair} was=${sentenceText(one.was)} would=${sentenceText(one.would)} />${notes}
    </div>
    ${race && html`<button type="button" class="button" onClick=${() => onOpen(one)}>${t("race.photo")}</button>`}
  </li>`;
}

/** @param {{ was: string; would: string }} props */
function Pair({ was, would }) {
  return html`<dl class="was-would">
    <div><dt>${t("look.was")}</dt><dd>${was}</dd></div>
    <div class="would"><dt>${t("look.would")}</dt><dd>${would}</dd></div>
  </dl>`;
}

/** @param {{ more: Past.MoreCards }} props */
function More({ more }) {
  const key = more.cards > 0 ? "what_if.more" : "what_if.fewer";
  return html`<span class="chip ${more.cards > 0 ? "more" : "fewer"}">
    ${t(key, { name: displayName(more.name), cards: Math.abs(more.cards) })}
  </span>`;
}

/**
 * @param {string[]} names
 * @param {number | null} round
 */
function winner(names, round) {
  if (names.length === 0) return t("what_if.not_won");
  return t("what_if.won_in", { names: listed(names.map(displayName)), round });
}
