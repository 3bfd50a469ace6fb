// What the page knows, in one place; every part that uses it is drawn again when it changes.

import { useEffect, useState } from "../../vendor/htm-preact.js";
import { kept } from "./device.js";

/** @type {Page.State} */
let current = {
  shown: null, // the whole view, as the table last sent it
  link: "connecting", // "connecting", "live" or "stale"
  role: "watcher",
  seat: null, // a player's own seat
  newcomer: null, // the latest other device that became the referee's after this one
  notice: null, // a sentence that wants attention
  pending: 0, // taps that the table has not answered yet
  refused: null, // what the table refused, where the referee may insist on it
  dialog: null, // which dialog is open
  language: null, // the language that was chosen since the page was opened
  seen: null, // the race that the referee has left, or its ruling once there is one
  hearing: { muted: true, off: [], voice: false, buzz: false }, // what this device lets be heard and felt
  quiet: kept("quiet") === "yes", // whether this device spares its screen the big moments
  exact: null, // within how many milliseconds the table dates presses on this phone; nothing until it knows
  awake: null, // what keeps the screen awake: "lock", "video" or nothing yet
};
const watchers = new Set();

export function state() {
  return current;
}

/** @param {Partial<Page.State>} part */
export function change(part) {
  const before = current;
  current = { ...current, ...part };
  for (const watcher of watchers) watcher(current, before);
}

/** @param {(now: Page.State, before: Page.State) => void} watcher */
export function watch(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function useStore() {
  const [now, setNow] = useState(current);
  useEffect(() => {
    const take = (/** @type {Page.State} */ newest) => setNow(newest);
    watchers.add(take);
    take(current);
    return () => watchers.delete(take);
  }, []);
  return now;
}

/**
 * @param {string} name
 * @param {object} about
 */
export function open(name, about = {}) {
  change({ dialog: { name, ...about } });
}

export function close() {
  change({ dialog: null });
}
