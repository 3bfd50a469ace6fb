// The table's time on this device: how far the two clocks are apart, and how sure that is.

const KEPT = 40;
const DRIFT = 1e-4; // two clocks may part by so much of the time that has passed
const TOUCH = 8; // milliseconds between two looks of a touch screen for fingers

let run = null;
let samples = [];

// One question and its answer: the table's time was read somewhere between the two moments.
export function learn(boot, asked, answered, now) {
  if (boot !== run) samples = [];
  run = boot;
  samples = [...samples, { middle: (asked + answered) / 2, half: (answered - asked) / 2, now }].slice(-KEPT);
}

// Date a moment of this page's clock; nothing where the table's time is not known yet.
export function dated(moment) {
  const doubt = (sample) => sample.half + DRIFT * Math.abs(moment - sample.middle);
  const best = samples.reduce((one, other) => (one && doubt(one) <= doubt(other) ? one : other), null);
  if (!best) return {};
  return {
    at: Math.round(best.now + (moment - best.middle) * 1e6),
    uncertainty: Math.round((doubt(best) + TOUCH) * 1e6),
  };
}

// When a finger came down, by the browser's own date of the event where it has one.
export function momentOf(event) {
  const now = performance.now();
  return Math.abs(now - event.timeStamp) < 1000 ? event.timeStamp : now;
}
