// The axis of every drawing: round numbers along it, and where a value has its place.

export const MS = 1e6; // nanoseconds in a millisecond

const POWERS = [0.1, 1, 10, 100, 1000, 10000, 100000];

// How far two marks may be apart: milliseconds of a race, down to tenths, and whatever is counted whole.
const TIMES = POWERS.flatMap((power) => [power, 2 * power, 5 * power]);
const COUNTS = POWERS.flatMap((power) => [power, 2 * power, 2.5 * power, 5 * power]).filter(Number.isInteger);

// Round numbers from one value to another, so many steps at most.
/**
 * @param {number} from
 * @param {number} to
 * @param {number} most
 * @param {number[]} steps
 */
function marksBetween(from, to, most, steps) {
  const step = steps.find((one) => (to - from) / one <= most) ?? steps[steps.length - 1];
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toFixed(1)));
}

// Milliseconds between two moments, which are told in nanoseconds.
/**
 * @param {number} from
 * @param {number} to
 * @param {number} most
 */
export function marksOfTime(from, to, most) {
  return marksBetween(from / MS, to / MS, most, TIMES);
}

// Whole numbers from nothing to the end.
/**
 * @param {number} end
 * @param {number} most
 */
export function marksUpTo(end, most = 5) {
  return marksBetween(0, end, most, COUNTS);
}

// Tells the place of a value between the places of two others.
/**
 * @param {number} from
 * @param {number} to
 * @param {number} start
 * @param {number} end
 * @returns {(value: number) => number}
 */
export function scale(from, to, start, end) {
  return (value) => start + ((end - start) * (value - from)) / (to - from);
}
