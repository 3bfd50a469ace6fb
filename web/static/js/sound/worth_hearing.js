// What of a new view is worth hearing: the one moment that matters most, and the rulings to be said.

import { isOpen, isSameRace } from "../race/state.js";

/**
 * @param {Table.View} before
 * @param {Table.View} after
 */
export function freshRulings(before, after) {
  const known = before.rulings[0]?.number ?? 0;
  return after.rulings.filter((ruling) => ruling.number > known).reverse();
}

/**
 * @param {Table.View} before
 * @param {Table.View} after
 */
export function tookBack(before, after) {
  return (after.rulings[0]?.number ?? 0) < (before.rulings[0]?.number ?? 0);
}

/**
 * @param {Table.View} before
 * @param {Table.View} after
 */
export function momentOf(before, after) {
  const fresh = freshRulings(before, after);
  if (after.phase === "won" && before.phase !== "won") return "winner";
  if (fresh.some((ruling) => ruling.outcome === "caught")) return "caught";
  if (fresh.some((ruling) => ["R11", "R12"].includes(ruling.rule))) return "verdict";
  if (raceBegan(before.race, after.race)) return "race";
  if (newest(after) > newest(before)) return "ask";
  if (after.seats.some((seat) => seat.called && !seatIn(before, seat)?.called)) return "uno";
  return hasTurn(after) !== null && hasTurn(after) !== hasTurn(before) ? "turn" : null;
}

// On a phone only what its own player has to know.
/**
 * @param {Table.View} before
 * @param {Table.View} after
 * @param {number | null} number
 */
export function ownMoment(before, after, number) {
  const was = before.seats.find((seat) => seat.number === number);
  const is = after.seats.find((seat) => seat.number === number);
  if (!was || !is) return null;
  if (is.racing && (!was.racing || isLit(after.race) !== isLit(before.race)) && !isDark(after.race)) return "race";
  if ((is.asked && !was.asked) || (is.press_again && !was.press_again)) return "ask";
  return is.turn && !was.turn ? "turn" : null;
}

/** @param {Table.View} table */
function newest({ questions }) {
  return questions.at(-1)?.number ?? 0;
}

/**
 * @param {Table.RaceShown | null} before
 * @param {Table.RaceShown | null} after
 */
function raceBegan(before, after) {
  if (!after || !isOpen(after) || after.state === "undecided") return false;
  if (isDark(after)) return false;
  return !before || !isOpen(before) || !isSameRace(before, after) || isLit(after) !== isLit(before);
}

/** @param {Table.RaceShown | null} race */
function isLit(race) {
  return race?.state === "slap_off" && race.slap_off?.lit;
}

/** @param {Table.RaceShown | null} race */
function isDark(race) {
  return race?.state === "slap_off" && !race.slap_off?.lit;
}

/**
 * @param {Table.View} table
 * @param {Table.SeatShown} seat
 */
function seatIn(table, seat) {
  return table.seats.find((one) => one.player === seat.player);
}

/** @param {Table.View} table */
function hasTurn(table) {
  return table.round?.turn ?? null;
}
