// Which matches are shown: chips to tap for players, editions and scorings.

import { html, useState } from "../../vendor/htm-preact.js";
import { counted, number } from "../core/counted.js";
import { eveningOf } from "../core/evening.js";
import { displayName, t } from "../core/texts.js";
import { go, isFiltered, PlaceLink, unfiltered } from "./address.js";
import { chosen, joinedNames, peopleOf } from "./match_list.js";

const FIRST = 8; // names that are there at once; the others come when asked for

/** @param {{ matches: Past.Brief[]; shown: Past.Brief[]; place: Page.Place }} props */
export function Filter({ matches, shown, place }) {
  const wide = matchMedia("(min-width: 761px)").matches;
  const editions = [...new Map(matches.map((match) => [match.edition, match.edition_name]))];
  const scorings = ["classic", "alternative"].filter((one) => matches.some((match) => match.scoring === one));
  const choose = (/** @type {Partial<Page.Place>} */ part) => go({ ...place, ...part }, { stay: true });
  return html`<details class="filter" open=${wide}>
    <summary><strong>${t("past.filter")}</strong><span>${inWords(place, matches)}</span></summary>
    <${Names} matches=${matches} place=${place} choose=${choose} />
    <${Periods} matches=${matches} place=${place} choose=${choose} />
    <div class="filter-rules">
      ${
        editions.length > 1 &&
        html`<${Chips} name=${t("setup.edition")}>${editions.map(
          ([key, title]) => html`<${Chip} key=${key} on=${place.edition === key}
            onTap=${() => choose({ edition: place.edition === key ? null : key })}>${title}<//>`,
        )}<//>`
      }
      ${
        scorings.length > 1 &&
        html`<${Chips} name=${t("setup.scoring")}>${scorings.map(
          (one) => html`<${Chip} key=${one} on=${place.scoring === one}
            onTap=${() => choose({ scoring: place.scoring === one ? null : one })}>${t(`scoring.${one}.title`)}<//>`,
        )}<//>`
      }
    </div>
    ${
      isFiltered(place) &&
      html`<div class="filter-foot">
        <p role="status">${t("past.of", { some: counted("matches", shown.length), all: number(matches.length) })}</p>
        <${PlaceLink} to=${unfiltered(place)} stay class="button">${t("past.show_all")}<//></div>`
    }
  </details>`;
}

// Tonight, this month, or all there is; one in which nothing was played cannot be tapped.
/** @param {{ matches: Past.Brief[]; place: Page.Place; choose: (part: Partial<Page.Place>) => void }} props */
function Periods({ matches, place, choose }) {
  const now = eveningOf(new Date().toISOString());
  const since = (/** @type {number} */ letters) => firstSince(matches, isoDay(now).slice(0, letters));
  const periods = { tonight: since(10), month: since(7), ever: null };
  return html`<${Chips} name=${t("past.when")}>
    ${Object.entries(periods).map(
      ([name, from]) => html`<${Chip} key=${name}
        on=${place.from === from && place.to === null && (from !== null || name === "ever")}
        disabled=${name !== "ever" && from === null} onTap=${() => choose({ from, to: null })}>
        ${t(`past.period.${name}`)}<//>`,
    )}
  <//>`;
}

// Matches are numbered as they were played; so a stretch of time up to now begins with a number.
/**
 * @param {Past.Brief[]} matches
 * @param {string} start
 */
function firstSince(matches, start) {
  const numbers = matches
    .filter((match) => isoDay(eveningOf(match.started)).startsWith(start))
    .map((match) => match.number);
  return numbers.length ? Math.min(...numbers) : null;
}

/** @param {Date} date */
function isoDay(date) {
  if (Number.isNaN(date.getTime())) return "";
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

// In the same order always, so that no name moves under a finger. Whoever has never played with all
// that are chosen leads nowhere, and cannot be tapped.
/** @param {{ matches: Past.Brief[]; place: Page.Place; choose: (part: Partial<Page.Place>) => void }} props */
function Names({ matches, place, choose }) {
  const [all, setAll] = useState(false);
  const { players } = place;
  const known = peopleOf(matches);
  const unknown = players.filter((name) => known.every((one) => one.name !== name)).map((name) => ({ name }));
  const names = [...known, ...unknown].filter(({ name }, at) => all || at < FIRST || players.includes(name));
  const possible = new Map(peopleOf(chosen(matches, { ...place, group: false })).map((one) => [one.name, one.matches]));
  const toggle = (/** @type {string} */ name) => {
    const left = players.includes(name) ? players.filter((one) => one !== name) : [...players, name];
    choose({ players: left, group: place.group && left.length > 1 });
  };
  return html`<${Chips} name=${t("past.players")}>
    ${names.map(
      ({ name }) => html`<${Chip} key=${name} on=${players.includes(name)}
        disabled=${!possible.has(name) && !players.includes(name)} onTap=${() => toggle(name)}>
        <span class="name">${displayName(name)}</span><small>${possible.get(name) ?? 0}</small><//>`,
    )}
    ${
      known.length > FIRST &&
      html`<button type="button" class="button quiet chip-more" aria-expanded=${all}
        onClick=${() => setAll(!all)}>${t(all ? "past.fewer_names" : "past.all_names", { count: known.length })}
      </button>`
    }
    ${
      (players.length > 1 || place.group) &&
      html`<${Chip} on=${place.group}
        onTap=${() => choose({ group: !place.group })} class="alone">${t("past.nobody_else")}<//>`
    }
  <//>`;
}

/** @param {{ name: string; children?: object }} props */
function Chips({ name, children }) {
  return html`<div class="chips" role="group" aria-label=${name}>
    <span class="chips-name" aria-hidden="true">${name}</span><div class="chips-row">${children}</div>
  </div>`;
}

/** @param {{ on: boolean; onTap: () => void; disabled?: boolean; class?: string; children?: object }} props */
function Chip({ on, onTap, disabled = false, class: more = "", children }) {
  return html`<button type="button" class="button chip ${more}" aria-pressed=${on} disabled=${disabled}
    onClick=${onTap}>${children}</button>`;
}

/**
 * @param {Page.Place} place
 * @param {Past.Brief[]} matches
 */
function inWords(place, matches) {
  const edition = matches.find((match) => match.edition === place.edition)?.edition_name ?? place.edition;
  const who =
    place.players.length > 0 &&
    (place.group ? t("past.only", { names: joinedNames(place.players) }) : joinedNames(place.players));
  const span =
    (place.from ?? place.to) !== null &&
    t("past.span", { from: place.from ?? 1, to: place.to ?? matches[0]?.number ?? 1 });
  const parts = [who, edition, place.scoring && t(`scoring.${place.scoring}.title`), span].filter(Boolean);
  return parts.length ? parts.join(" · ") : t("past.everything");
}
