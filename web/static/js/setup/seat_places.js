// Where the seats are drawn: in their real order around the table, clockwise, which is to everybody's left.

const ROUND = 6; // so many find room on an oval; more of them line its sides
const LONG = 14; // letters

// How far to the right and how far down, from 0 to 1; the first one sits at the bottom.
/**
 * @param {number} at
 * @param {number} count
 */
export function placeOf(at, count) {
  const [x, y] = count > ROUND ? alongSides(at, count) : onOval(at, count);
  return { x, y, style: { "--x": x.toFixed(4), "--y": y.toFixed(4) } };
}

// A long name is written smaller, where it has to share the room.
/** @param {string} name */
export function sizeOf(name) {
  return [...name].length > LONG ? "name long" : "name";
}

/** @param {number} count */
export function isCrowded(count) {
  return count > ROUND;
}

/**
 * @param {number} at
 * @param {number} count
 */
function onOval(at, count) {
  const angle = Math.PI / 2 + (2 * Math.PI * at) / count;
  return [0.5 + Math.cos(angle) / 2, 0.5 + Math.sin(angle) / 2];
}

// From the bottom up one side and down the other; where the head is empty, the top two move together.
/**
 * @param {number} at
 * @param {number} count
 */
function alongSides(at, count) {
  const aside = Math.floor((count - 1) / 2);
  const left = at <= aside;
  const step = left ? at : count - at;
  if (step === 0) return [0.5, 1];
  if (step > aside) return [0.5, 0];
  const y = 1 - (step - 1) / (aside - 1);
  const x = y === 0 && count % 2 ? 0.2 : 0;
  return [left ? x : 1 - x, y];
}
