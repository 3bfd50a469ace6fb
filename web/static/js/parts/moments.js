// Moments that deserve a screen of their own for a few seconds: a call, a catch, somebody going out.

import { useEffect, useRef, useState } from "../../vendor/htm-preact.js";
import { nameOf } from "./components.js";

/** @type {Record<string, number>} */
const LASTS = { uno: 1600, safe: 4500, caught: 6000, out: 3500 }; // milliseconds

/** @type {Record<string, string>} */
const KINDS = { called: "safe", caught: "caught", out: "out" }; // by the outcome of a ruling

/** @typedef {{ kind: string; seat: number; name: string; ruling: Table.Ruling | null; key: string }} Moment */

// The moment that a new view brings; what was there before the page was opened is none.
/**
 * @param {Table.View} table
 * @param {Table.View} before
 * @returns {Moment | null}
 */
export function momentOf(table, before) {
  const [latest] = table.rulings;
  const newest = before.rulings[0]?.number ?? 0;
  if (latest && latest.number > newest && latest.outcome in KINDS) {
    const seat = latest.draws[0]?.seat ?? latest.seats[0];
    const kind = KINDS[latest.outcome];
    const whose = kind === "out" ? latest.seats[0] : seat;
    return { kind, seat: whose, name: nameOf(table, whose), ruling: latest, key: `ruling ${latest.number}` };
  }
  const called = table.seats.find(
    (seat) =>
      seat.called && table.phase === "play" && !before.seats.some((one) => one.number === seat.number && one.called),
  );
  if (!called || before.phase !== "play") return null;
  return {
    kind: "uno",
    seat: called.number,
    name: called.name,
    ruling: null,
    key: `uno ${called.number} ${table.version}`,
  };
}

// The moment that is on, and how to end it before its time.
/**
 * @param {Table.View} table
 * @param {boolean} quiet
 * @returns {[Moment | null, () => void]}
 */
export function useMoment(table, quiet = false) {
  const before = useRef(table);
  const [moment, setMoment] = useState(/** @type {Moment | null} */ (null));
  useEffect(() => {
    const next = before.current.version === table.version ? null : momentOf(table, before.current);
    before.current = table;
    if (next && !quiet) setMoment(next);
  }, [table.version]);
  useEffect(() => {
    if (!moment) return undefined;
    const timer = setTimeout(() => setMoment(null), LASTS[moment.kind]);
    return () => clearTimeout(timer);
  }, [moment?.key]);
  return [moment, () => setMoment(null)];
}
