// What a phone says to the one player who holds it; the table's own next step is told to the referee.

import { counted } from "../core/counted.js";
import { listed, said, t } from "../core/texts.js";
import { nextStep } from "../parts/components.js";

/**
 * @param {Table.View} table
 * @param {Table.SeatShown} seat
 */
export function ownStep(table, seat, paired = false) {
  if (!table.match && table.awaiting_button !== seat.number)
    return paired ? t("phone.in", { name: seat.name }) : t("phone.not_begun");
  if (table.phase === "won" && table.match) return wonBy(table.match, seat);
  switch (table.next.code) {
    case "next.deal":
      return table.match?.dealer === seat.number ? t("phone.you_deal", table.next.parts) : nextStep(table);
    case "next.colour":
      return table.round?.chooser === seat.number ? t("phone.you_choose") : nextStep(table);
    case "next.catch":
      return table.uno?.seat === seat.number ? t("phone.you_caught") : nextStep(table);
    case "next.slap":
      return t("phone.coming", { names: awaited(table) });
    case "next.undecided":
      return undecided(table);
    case "next.score":
      return t("phone.scores");
    default:
      return nextStep(table);
  }
}

// Which place the own total is good for so far; nothing before a round is scored.
/**
 * @param {{ match: Table.MatchShown; [more: string]: any }} props
 * @param {Table.SeatShown} seat
 */
export function ownPlace({ match }, seat) {
  const present = match.players.filter((one) => one.present);
  const own = present.find((one) => one.player === seat.player);
  if (!own || !match.rounds.length) return null;
  const isAhead = (one) =>
    match.scoring === "classic" ? one.classic > own.classic : one.alternative < own.alternative;
  return t("phone.place", {
    place: 1 + present.filter(isAhead).length,
    count: present.length,
    points: counted("points", own[match.scoring]),
  });
}

// What the latest round changed for this player.
/**
 * @param {{ match: Table.MatchShown; [more: string]: any }} props
 * @param {Table.SeatShown} seat
 */
export function ownRound({ match }, seat) {
  const [latest, before] = [match.rounds.at(-1), match.rounds.at(-2)];
  const total = latest?.[match.scoring][seat.player];
  if (!latest || total === undefined) return null;
  const points = total - (before?.[match.scoring][seat.player] ?? 0);
  return t("phone.brought", { number: latest.number, points: counted("points", points) });
}

/**
 * @param {Table.MatchShown} match
 * @param {Table.SeatShown} seat
 */
function wonBy(match, seat) {
  const shared = match.winners.length > 1;
  if (match.winners.includes(seat.player)) return t(shared ? "phone.shared" : "phone.won");
  const names = match.players.filter((one) => match.winners.includes(one.player)).map((one) => one.name);
  return t(shared ? "won.shared" : "won.one", { names: listed(names) });
}

/** @param {Table.View} table */
function awaited(table) {
  return listed(table.seats.filter((one) => one.racing).map((one) => one.name));
}

// The ruling says who was last and how close it was; only the referee can go on from there.
/** @param {Table.View} table */
function undecided(table) {
  const ruling = table.rulings.find((one) => one.number === table.race?.ruling);
  return ruling ? `${said(ruling.sentence)} ${t("phone.decides")}` : t("phone.decides");
}
