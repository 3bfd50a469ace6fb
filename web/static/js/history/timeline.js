// The rounds of a past match: each unfolds into its hands and, in order, what was ruled.

import { html, useState } from "../../vendor/htm-preact.js";
import { counted } from "../core/counted.js";
import { dated } from "../core/evening.js";
import { displayName, listed, sentenceText, t, titled } from "../core/texts.js";
import { Calling } from "../parts/calling.js";
import { Heard, Mark } from "../parts/components.js";
import { Fit } from "../parts/fit.js";
import { WhatIf } from "../race/what_if.js";
import { useAnswer } from "../setup/invite.js";
import { PlaceLink } from "./address.js";

/** @param {{ record: Past.MatchRecord; story: Past.Timeline | null; place: Page.Place }} props */
export function Rounds({ record, story, place }) {
  /** @type {{ editions: Page.PrintedEdition[] } | null} */
  const known = useAnswer("/api/editions");
  const edition = known?.editions.find((one) => one.key === record.sheet.edition);
  if (!story) return null;
  return html`<div class="rounds">
    <h3>${t("sheet.rounds")}</h3>
    ${story.rounds.length === 0 && html`<p class="hint">${t("past.no_rounds")}</p>`}
    ${story.rounds.map(
      (round) => html`<${Round} key=${round.number} round=${round} record=${record} edition=${edition}
        place=${place} />`,
    )}
  </div>`;
}

/**
 * @param {{ round: Past.RoundTold; record: Past.MatchRecord; edition?: Page.PrintedEdition; place: Page.Place }} props
 */
function Round({ round, record, edition, place }) {
  const names = Object.fromEntries(record.sheet.players.map((player) => [player.player, displayName(player.name)]));
  const races = racesOf(round);
  const classic = round.score && record.sheet.scoring === "classic";
  const won = Object.values(round.score?.hands ?? {}).reduce((sum, left) => sum + left.points, 0);
  const [open] = useState(() => place.race !== null && round.rulings.some((ruling) => ruling.number === place.race));
  return html`<details class="panel-box unfold round-box" data-round=${round.number} open=${open}>
    <summary>
      <h4>${t("past.round", { number: round.number })}</h4>
      <span class="round-result">
        ${round.score ? t("past.went_out", { name: names[round.score.out] }) : t("past.not_counted")}
        ${classic && html` <strong>+${won}</strong>`}
        ${round.score?.edited && html` <small>${t("sheet.edited")}</small>`}
      </span>
      <span class="round-counts">
        ${races > 0 && html`<span>${counted("races", races)}</span>`}
        <span>${counted("rulings", round.rulings.length)}</span>
      </span>
    </summary>
    ${
      round.dealer &&
      html`<p class="hint">
        ${t("past.dealt", { name: displayName(round.dealer.name), time: dated(round.dealt, { timeStyle: "short" }) })}
      </p>`
    }
    ${
      round.score &&
      html`<${Hands} round=${round} score=${round.score} record=${record} names=${names} edition=${edition} />`
    }
    ${
      round.rulings.length === 0
        ? html`<p class="hint">${t("past.no_rulings")}</p>`
        : html`<ol class="told-rulings">
          ${round.rulings.map((ruling) => html`<${Ruling} key=${ruling.number} ruling=${ruling} place=${place} />`)}
        </ol>
        <${RoundIf} match=${record.number} round=${round} />`
    }
  </details>`;
}

// As the figures count: a race counts by the ruling that decides it, and one that was called off has none.
/** @param {Past.RoundTold} round */
function racesOf({ rulings }) {
  return rulings.filter((ruling) => ruling.race?.stands).length;
}

/** @param {{ match: number; round: Past.RoundTold }} props */
function RoundIf({ match, round }) {
  const [opened, setOpened] = useState(false);
  const players = round.players.map((one) => one.name);
  return html`<details class="unfold round-if" onToggle=${(event) => setOpened(event.currentTarget.open)}>
    <summary>${t("what_if.of_round")}</summary>
    ${opened && html`<${WhatIf} match=${match} round=${round.number} players=${players} />`}</details>`;
}

/**
 * @param {{ round: Past.RoundTold; score: Past.SheetLine; record: Past.MatchRecord;
 *   names: Record<number, string>; edition?: Page.PrintedEdition }} props
 */
function Hands({ round, score, record, names, edition }) {
  const seats = Object.fromEntries(round.players.map((one) => [one.player, one.seat]));
  const total = (/** @type {number} */ player) => score[record.sheet.scoring][player];
  return html`<ul class="told-hands">${[score.out, ...Object.keys(score.hands).map(Number)].map(
    (player) => html`<li key=${player} class=${player === score.out ? "went-out" : ""}>
      ${seats[player] && html`<${Mark} seat=${seats[player]} />`}
      <span class="told-hand"><${Fit} text=${names[player]} />
        <small>${player === score.out ? t("sheet.out") : handInWords(score.hands[player], edition)}</small></span>
      <span class="told-points">
        ${player === score.out ? "" : t("past.points", { points: score.hands[player].points })}
        <small>${t("past.total", { points: total(player) })}</small>
      </span>
    </li>`,
  )}</ul>`;
}

// The cards by their titles; a bare total says nothing more.
/**
 * @param {Past.Left} left
 * @param {Page.PrintedEdition} [edition]
 */
function handInWords({ cards }, edition) {
  if (!cards || !edition) return "";
  return listed(
    Object.entries(cards).map(([card, count]) => {
      const wild = edition.faces.find((face) => face.name === card);
      const [colour, ...rest] = card.split("-");
      const face = wild ?? edition.faces.find((one) => one.name === rest.join("-"));
      const title = face ? titled(wild ? null : colour, face.title) : card;
      return count > 1 ? `${count}× ${title}` : title;
    }),
  );
}

/** @param {{ ruling: Past.RulingTold; place: Page.Place }} props */
function Ruling({ ruling, place }) {
  const { race, calling } = ruling;
  return html`<li class="told-ruling ${ruling.overruled ? "overruled" : ""} ${race ? "of-race" : ""}"
    data-ruling=${ruling.number}>
    <span class="rule" title=${t("rulings.rule")}>${ruling.rule}</span>
    <div class="told-text"><p>${sentenceText(ruling.sentence)}</p>
      ${
        race &&
        html`<p class="told-order">
          ${race.layer && t("race.by", { name: displayName(race.layer.name) })}
          ${race.order.length > 0 && ` · ${race.order.map((one) => displayName(one.name)).join(" → ")}`}
        </p>`
      }
      ${calling && html`<${Calling} call=${calling.call} caught=${calling.catch} />`}
      ${
        ruling.house.length > 0 &&
        html`<small>
          ${t("rulings.house", { rules: listed(ruling.house.map((name) => t(`house.${name}.title`))) })}
        </small>`
      }
      ${ruling.overruled && html`<small class="told-overruled">${sentenceText(ruling.overruled)}</small>`}
    </div>
    <div class="told-side">
      ${ruling.draws.map(
        ({ who, cards }) => html`<span class="told-draws" key=${who.seat}>
          <${Heard}>${t("debts.draws", { name: displayName(who.name), cards })}<//><${Mark} seat=${who.seat} />
          <b aria-hidden="true">+${cards}</b>
        </span>`,
      )}
      ${race && html`<${PlaceLink} to=${{ ...place, race: ruling.number }} stay class="button">${t("race.photo")}<//>`}
      <time>${dated(ruling.wall, { timeStyle: "short" })}</time>
    </div>
  </li>`;
}
