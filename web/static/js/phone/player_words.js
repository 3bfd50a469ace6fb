// What a phone says to the one player who holds it; the table's own next step is told to the referee.

import { MS } from "../core/axis.js";
import { tableNow } from "../core/connection.js";
import { counted, ordinal } from "../core/counted.js";
import { listed, sentenceText, t } from "../core/texts.js";
import { isCallMissing } from "../parts/calling.js";
import { nameOf, nextStep } from "../parts/components.js";
import { whyOf } from "../race/headline.js";
import { digitsOf, marginOf, ms } from "../race/margin.js";

const NAMED = 2; // so many tied players are called by name
export const NEWS_LAST = 15000; // milliseconds for which a race that went well is news

/**
 * @param {Table.View} table
 * @param {Table.SeatShown} seat
 */
export function ownStep(table, seat) {
  if (!table.match && table.awaiting_button !== seat.number) return t("phone.not_begun");
  if (table.phase === "won" && table.match) return wonBy(table.match, seat);
  switch (table.step) {
    case "draw_for_deal":
      return t("show.who_deals");
    case "deal":
      return table.match?.dealer === seat.number ? t("phone.you_deal", table.next.parts) : nextStep(table);
    case "colour":
      return table.round?.chooser === seat.number ? t("phone.you_choose") : nextStep(table);
    case "catch":
      return table.uno?.seat === seat.number ? t("phone.you_caught") : nextStep(table);
    case "slap":
      return t("phone.coming", { names: awaited(table) });
    case "undecided":
      return undecided(table);
    case "score":
      return t("phone.scores");
    default:
      return nextStep(table);
  }
}

// What concerns this player most, in a few words, and a line about it.
/**
 * @param {Table.View} table
 * @param {Table.SeatShown} seat
 * @returns {{ kind: string; title: string | null; text: string | null }}
 */
export function ownNews(table, seat) {
  const raced = ownRace(table, seat);
  const hand = seat.hand === null ? null : t("phone.holds", { cards: seat.hand });
  const missing = isCallMissing(table) ? t("uno.no_call") : null;
  if (raced?.kind === "draws") return raced;
  if (seat.owes > 0) return { kind: "draws", title: t("phone.owes", { cards: seat.owes }), text: whyOwed(table, seat) };
  if (seat.on_one)
    return {
      kind: seat.called ? "safe" : "one",
      title: t(seat.called ? "phone.one_called" : "phone.one"),
      text: missing,
    };
  if (table.race?.state === "undecided" && table.race.outcome === "dead_heat" && table.race.tied.includes(seat.number))
    return { kind: "turn", title: t("race.dead_heat"), text: undecided(table) };
  if (seat.turn) return { kind: "turn", title: t("phone.turn"), text: missing ?? hand };
  if (raced) return raced;
  if (missing)
    return { kind: "others", title: t("uno.on_one", { name: nameOf(table, table.uno?.seat ?? null) }), text: missing };
  const placed = table.match && ownPlace({ match: table.match }, seat);
  const others = !seat.racing && !["free", "free_race"].includes(table.step);
  return { kind: "others", title: null, text: (others && ownStep(table, seat)) || hand || placed };
}

// "2nd: safe!": the own place in the latest race, as long as it is news.
/**
 * @param {Table.View} table
 * @param {Table.SeatShown} seat
 */
function ownRace(table, seat) {
  const { race } = table;
  const ruling = race?.state === "ruled" && table.rulings.find((one) => one.number === race.ruling);
  const finish = race?.finish;
  const at = finish?.places.findIndex((place) => place.seat === seat.number) ?? -1;
  if (!ruling || !finish || at < 0) return null;
  if (seat.last && seat.owes > 0)
    return { kind: "draws", title: t("phone.owes", { cards: seat.owes }), text: whyOf(ruling) };
  if (seat.last || (tableNow() - ruling.at) / MS > NEWS_LAST) return null;
  const title = t("phone.safe", { place: ordinal(at + 1) });
  return { kind: "safe", title, text: at === 0 ? t("phone.fastest") : behind(table, finish, at) };
}

/**
 * @param {Table.View} table
 * @param {Table.Finish} finish
 * @param {number} at
 */
function behind(table, finish, at) {
  const [first, own] = [finish.places[0], finish.places[at]];
  if (typeof own.after !== "number" || typeof first.after !== "number") return null;
  return t("phone.behind", { margin: ms(own.after - first.after, digitsOf(finish)), name: nameOf(table, first.seat) });
}

/**
 * @param {Table.View} table
 * @param {Table.SeatShown} seat
 */
function whyOwed(table, seat) {
  const ruling = table.rulings.find((one) => one.draws.some((draw) => draw.seat === seat.number));
  return ruling ? whyOf(ruling) : null;
}

// What is still missing for the win; in the other scoring how far away the limit is.
/**
 * @param {{ match: Table.MatchShown; [more: string]: any }} props
 * @param {Table.SeatShown} seat
 */
export function ownNeeds({ match }, seat) {
  const left = match.target - (seat[match.scoring] ?? 0);
  if (left <= 0) return null;
  return t(match.scoring === "classic" ? "phone.needs" : "phone.limit", { points: counted("points", left) });
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
  const isAhead = (/** @type {Table.PlayerShown} */ one) =>
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
function undecided({ race, rulings }) {
  const ruling = rulings.find((one) => one.number === race?.ruling);
  const many = race?.finish && race.tied.length > NAMED ? marginOf(race.finish) : null;
  return [many ?? (ruling && sentenceText(ruling.sentence)), t("phone.decides")].filter(Boolean).join(" ");
}
