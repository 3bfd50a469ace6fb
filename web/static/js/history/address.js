// Where one is on this page: all of it stands in the address, so that it can be sent, and the way back works.

import { html, useEffect, useLayoutEffect, useState } from "../../vendor/htm-preact.js";

export const VIEWS = ["nights", "players", "groups", "figures", "what_if"];
/** @type {Page.Place} */
const NOWHERE = {
  view: "nights",
  match: null,
  race: null,
  players: [],
  group: false,
  edition: null,
  scoring: null,
  from: null,
  to: null,
};

/**
 * @param {string} search
 * @returns {Page.Place}
 */
function placeIn(search) {
  const asked = new URLSearchParams(search);
  const players = [...new Set(asked.getAll("player").filter(Boolean))];
  return {
    view: VIEWS.find((view) => view === asked.get("view")) ?? "nights",
    match: numberIn(asked.get("match")),
    race: numberIn(asked.get("race")),
    players,
    group: players.length > 0 && asked.get("group") === "1",
    edition: asked.get("edition") || null,
    scoring: ["classic", "alternative"].find((scoring) => scoring === asked.get("scoring")) ?? null,
    from: numberIn(asked.get("from")),
    to: numberIn(asked.get("to")),
  };
}

/** @param {string | null} text */
function numberIn(text) {
  return /^\d{1,9}$/.test(text ?? "") ? Number(text) : null;
}

// The filter alone, as every door of past matches reads it.
/** @param {Page.MatchFilter} filter */
export function queryOf({ players, group, edition, scoring, from, to }) {
  const asked = new URLSearchParams(players.map((name) => ["player", name]));
  const parts = { group: group && players.length ? 1 : null, edition, scoring, from, to };
  for (const [name, value] of Object.entries(parts)) if (value !== null) asked.set(name, String(value));
  return asked.toString();
}

/** @param {Page.Place} place */
function addressOf(place) {
  const asked = new URLSearchParams(queryOf(place));
  if (place.view !== "nights") asked.set("view", place.view);
  if (place.match !== null) asked.set("match", String(place.match));
  if (place.race !== null) asked.set("race", String(place.race));
  return asked.size ? `/history?${asked}` : "/history";
}

/** @param {Page.MatchFilter} place */
export function isFiltered(place) {
  return queryOf(place) !== "";
}

/**
 * @param {Page.Place} place
 * @returns {Page.Place}
 */
export function unfiltered(place) {
  return { ...NOWHERE, view: place.view };
}

/** @type {number | null} */
let arrive = null; // where to scroll once the new place is drawn
const placeWatchers = new Set();

// Another view or match begins at its top; a chip that is tapped stays under the finger.
/**
 * @param {Page.Place} place
 * @param {{ stay?: boolean }} how
 */
export function go(place, { stay = false } = {}) {
  history.replaceState({ scroll: scrollY }, "");
  history.pushState(null, "", addressOf(place));
  arrive = stay ? null : 0;
  for (const watcher of placeWatchers) watcher(place);
}

/** @returns {Page.Place} */
export function usePlace() {
  const [place, setPlace] = useState(() => placeIn(location.search));
  useEffect(() => {
    history.scrollRestoration = "manual";
    const back = (/** @type {any} */ event) => {
      arrive = event.state?.scroll ?? 0;
      setPlace(placeIn(location.search));
    };
    placeWatchers.add(setPlace);
    addEventListener("popstate", back);
    return () => {
      placeWatchers.delete(setPlace);
      removeEventListener("popstate", back);
    };
  }, []);
  useLayoutEffect(() => {
    if (arrive !== null) scrollTo(0, arrive);
    arrive = null;
  }, [place]);
  return place;
}

// A link that leads to another place of this page; in a new tab it leads there too.
/** @param {{ to: Page.Place; stay?: boolean; children?: object; [looks: string]: any }} props */
export function PlaceLink({ to, stay = false, children, ...looks }) {
  const follow = (/** @type {any} */ event) => {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to, { stay });
  };
  return html`<a href=${addressOf(to)} onClick=${follow} ...${looks}>${children}</a>`;
}
