// Which race is on, and for how long its screen stays.

/** @param {Table.RaceShown | null} race */
export function isOpen(race) {
  return race !== null && ["running", "undecided", "slap_off"].includes(race.state);
}

/**
 * @param {Table.RaceShown} one
 * @param {Table.RaceShown} other
 */
export function isSameRace(one, other) {
  return one.anchor === other.anchor || (one.named_at !== null && one.named_at === other.named_at);
}

// Its ruling stays in sight until the cards are drawn, the hands are counted, or somebody has seen enough.
/**
 * @param {Table.View} table
 * @param {Page.State["seen"]} seen
 */
function isFresh(table, seen) {
  const ruling = table.race?.state === "ruled" ? table.race.ruling : null;
  return ruling !== null && ruling !== seen && table.phase !== "hands" && table.seats.some((seat) => seat.last);
}

// While hands are still awaited the referee may go on with the cards; what comes of it shows itself.
/**
 * @param {Table.View} table
 * @param {Page.State["seen"]} seen
 */
export function isShown(table, seen) {
  if (!table.race || !isOpen(table.race)) return isFresh(table, seen);
  return table.race.state !== "running" || seen === null || seen !== keyOf(table.race);
}

/** @param {Table.RaceShown} race */
export function keyOf(race) {
  return race.named_at ?? race.anchor;
}
