// Where the players of a match stand: in order, and in a word.

import { t } from "../core/texts.js";

// The best first: who has most, or where the lowest wins, who has least.
/** @param {Table.MatchShown} match */
export function inOrder(match) {
  const worth = (/** @type {Table.PlayerShown} */ one) =>
    match.scoring === "classic" ? -one.classic : one.alternative;
  return match.players.filter((one) => one.present).sort((a, b) => worth(a) - worth(b));
}

// Who leads, and where the lowest wins, who is nearest to the end.
/**
 * @param {Table.MatchShown} match
 * @param {Table.PlayerShown} player
 */
export function standingOf(match, player) {
  if (!player.present) return "gone";
  if (match.leaders.includes(player.player)) return "leader";
  const most = Math.max(0, ...match.players.filter((one) => one.present).map((one) => one[match.scoring]));
  return match.scoring !== "classic" && most > 0 && player[match.scoring] === most ? "danger" : "";
}

// How far it is to the end: for everybody where that wins, or else for whoever is nearest to it.
/**
 * @param {Table.MatchShown} match
 * @param {string} kind
 * @param {number} worth
 */
export function noteOf(match, kind, worth) {
  const left = match.target - worth;
  const classic = match.scoring === "classic";
  if (kind === "gone") return t("track.gone");
  if (classic) return left > 0 ? t("track.to_go", { points: left }) : t("track.there");
  if (left <= 0) return t("track.over");
  return kind === "danger" ? t("track.to_limit", { points: left }) : "";
}
