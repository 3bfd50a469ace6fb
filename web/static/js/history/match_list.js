// What a list of matches tells: which are chosen, the nights, the people, and the groups.

import { language } from "../core/counted.js";
import { eveningOf } from "../core/evening.js";
import { displayName, t } from "../core/texts.js";

// The same choice as the table makes for figures and files.
/**
 * @param {Past.Brief[]} matches
 * @param {Page.MatchFilter} filter
 */
export function chosen(matches, { players, group, edition, scoring, from, to }) {
  return matches.filter((match) => {
    const names = new Set(match.players.map((player) => player.name));
    return (
      players.every((name) => names.has(name)) &&
      (!group || names.size === players.length) &&
      (edition === null || match.edition === edition) &&
      (scoring === null || match.scoring === scoring) &&
      (from === null || match.number >= from) &&
      (to === null || match.number <= to)
    );
  });
}

// The wall clock only sorts matches under the evening they began on.
/** @param {Past.Brief[]} matches */
export function nightsOf(matches) {
  const nights = new Map();
  for (const match of matches) {
    const evening = eveningOf(match.started);
    const day = Number.isNaN(evening.getTime())
      ? ""
      : `${evening.getFullYear()}-${evening.getMonth()}-${evening.getDate()}`;
    if (!nights.has(day)) nights.set(day, { day, started: match.started, matches: [] });
    nights.get(day).matches.push(match);
  }
  return [...nights.values()];
}

// A match counts for people and groups from its first counted round on; one that was started by
// mistake is only listed.
/** @param {Past.Brief[]} matches */
export function played(matches) {
  return matches.filter((match) => match.rounds > 0);
}

/** @param {Past.Brief[]} matches */
export function peopleOf(matches) {
  const people = new Map();
  for (const match of matches) {
    for (const { name, rounds } of match.players) {
      const one = people.get(name) ?? { name, matches: 0, decided: 0, won: 0, rounds: 0, latest: match.started };
      one.matches += 1;
      one.rounds += rounds;
      one.decided += match.winners.length > 0;
      one.won += match.winners.includes(name);
      people.set(name, one);
    }
  }
  return [...people.values()].sort((a, b) => b.matches - a.matches || a.name.localeCompare(b.name));
}

/** @param {Past.Brief[]} matches */
export function groupsOf(matches) {
  const groups = new Map();
  for (const match of matches) {
    const names = [...new Set(match.players.map((player) => player.name))].sort();
    const key = names.join("\n");
    if (!groups.has(key)) groups.set(key, { key, names, matches: [], latest: match.started });
    groups.get(key).matches.push(match);
  }
  return [...groups.values()].sort((a, b) => b.matches.length - a.matches.length || a.key.localeCompare(b.key));
}

// Who has won how often, those with most first; a shared win is everybody's.
/**
 * @param {string[]} names
 * @param {Past.Brief[]} matches
 */
export function winsOf(names, matches) {
  const wins = names.map((name) => ({ name, won: matches.filter((match) => match.winners.includes(name)).length }));
  return wins.sort((a, b) => b.won - a.won || a.name.localeCompare(b.name));
}

/** @param {string[]} names */
export function joinedNames(names) {
  return new Intl.ListFormat(language(), { type: "conjunction" }).format(names.map(displayName));
}

/** @param {Past.Brief} match */
export function outcome({ winners, ended }) {
  if (winners.length) return t(winners.length > 1 ? "past.shared" : "past.won", { names: joinedNames(winners) });
  return t(ended ? "history.unfinished" : "history.running");
}
