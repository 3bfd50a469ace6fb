// Everybody who has played and every group that has, with what they have won.

import { html } from "../../vendor/htm-preact.js";
import { counted, percent } from "../core/counted.js";
import { onEvening } from "../core/evening.js";
import { displayName, t } from "../core/texts.js";
import { Fit } from "../parts/fit.js";
import { go, PlaceLink, unfiltered } from "./address.js";
import { ForgetName } from "./forget.js";
import { groupsOf, joinedNames, peopleOf, played, winsOf } from "./match_list.js";

/** @param {{ matches: Past.Brief[]; place: Page.Place }} props */
export function Players({ matches, place }) {
  const people = peopleOf(matches);
  return html`<div class="panel-box">
    <div class="sheet-scroll" tabindex="0" role="region" aria-label=${t("past.view.players")}>
      <table class="sheet people-sheet" role="table">
        <thead>
          <tr>
            ${["player", "matches", "won", "rate", "rounds", "latest"].map(
              (name) => html`<th scope="col" key=${name}>
                ${t(`past.column.${name}`)}
              </th>`,
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">${people.map(
          (one) => html`<tr key=${one.name} role="row">
            <th scope="row" role="rowheader">
              <${PlaceLink} to=${{ ...place, view: "nights", players: [one.name], group: false }} class="button quiet">
                ${displayName(one.name)}
              <//>
            </th>
            <${Cell} name="matches">${one.matches}<//><${Cell} name="won">${one.won}<//>
            <${Cell} name="rate"><${Rate} part=${one.won} whole=${one.decided} /><//>
            <${Cell} name="rounds">${one.rounds}<//><${Cell} name="latest">${onEvening(one.latest)}<//></tr>`,
        )}</tbody>
      </table></div>
    <p class="hint">${t("past.rate_help")}</p>
  </div>`;
}

// On a phone the columns have no heads, and each figure says itself what it is.
/** @param {{ name: string; children?: object }} props */
function Cell({ name, children }) {
  return html`<td role="cell" data-label=${t(`past.column.${name}`)}><span>${children}</span></td>`;
}

/** @param {{ part: number; whole: number }} props */
function Rate({ part, whole }) {
  return html`<span class="rate">
    <span class="rate-bar" aria-hidden="true">
      <span style=${{ width: `${whole ? (100 * part) / whole : 0}%` }}></span>
    </span><span class="rate-share">${whole ? percent(part, whole) : "–"}</span>
  </span>`;
}

/** @param {{ matches: Past.Brief[]; place: Page.Place }} props */
export function Groups({ matches, place }) {
  return html`<ul class="groups">${groupsOf(matches).map(
    (group) => html`<li key=${group.key} class="panel-box group-card">
      <h2>${joinedNames(group.names)}</h2>
      <p class="hint">
        ${counted("matches", group.matches.length)} · ${t("past.latest", { date: onEvening(group.latest) })}
      </p>
      <${Wins} names=${group.names} matches=${group.matches} />
      <${PlaceLink} to=${{ ...place, view: "nights", players: group.names, group: true }} class="button">
        ${t("past.their_matches")}
      <//>
    </li>`,
  )}</ul>`;
}

// Who has won how often, as bars against the matches that were won by anybody.
/** @param {{ names: string[]; matches: Past.Brief[] }} props */
function Wins({ names, matches }) {
  const decided = matches.filter((match) => match.winners.length).length;
  return html`<ol class="win-list">${winsOf(names, matches).map(
    ({ name, won }) => html`<li key=${name}>
      <${Fit} text=${displayName(name)} />
      <span class="win-bar" aria-hidden="true">
        <span style=${{ width: `${decided ? (100 * won) / decided : 0}%` }}></span>
      </span>
      <strong>${counted("wins", won)}</strong></li>`,
  )}</ol>`;
}

// Above the matches of a player, or of several: what there is to say of them.
/** @param {{ shown: Past.Brief[]; place: Page.Place; load: () => Promise<void> }} props */
export function Who({ shown, place, load }) {
  const { players } = place;
  if (!players.length || !shown.length) return null;
  const counting = played(shown);
  if (players.length > 1) {
    return html`<section class="panel-box who-box" aria-label=${joinedNames(players)}>
      <h2>${t("past.group_title", { names: joinedNames(players), matches: counted("matches", counting.length) })}</h2>
      <${Wins} names=${players} matches=${counting} />
    </section>`;
  }
  const [name] = players;
  const own = peopleOf(counting).find((one) => one.name === name) ?? { matches: 0, decided: 0, won: 0, rounds: 0 };
  const forgotten = async () => {
    await load();
    go(unfiltered(place));
  };
  const others = peopleOf(counting)
    .filter((one) => one.name !== name)
    .slice(0, 3);
  return html`<section class="panel-box who-box" aria-label=${displayName(name)}>
    <h2>${displayName(name)}</h2>
    <dl class="facts">
      <div><dt>${t("past.column.matches")}</dt><dd>${own.matches}</dd></div>
      <div><dt>${t("past.column.won")}</dt><dd>${own.won}</dd></div>
      <div><dt>${t("past.column.rate")}</dt><dd>${own.decided ? percent(own.won, own.decided) : "–"}</dd></div>
      <div><dt>${t("past.column.rounds")}</dt><dd>${own.rounds}</dd></div>
    </dl>
    <div class="who-foot">
      ${
        others.length > 0 &&
        html`<p class="hint">
          ${t("past.often_with", { names: joinedNames(others.map((one) => one.name)) })}
        </p>`
      }
      <${ForgetName} name=${name} onDone=${forgotten} /></div>
  </section>`;
}
