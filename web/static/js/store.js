// What the page knows, in one place; every part that uses it is drawn again when it changes.

import { useEffect, useState } from "../vendor/htm-preact.js";

let known = {
  shown: null, // the whole view, as the table last sent it
  link: "connecting", // "connecting", "live" or "stale"
  role: "watcher",
  seat: null, // a player's own seat
  notice: null, // a sentence that wants attention
  question: null, // a refusal that the referee may insist on
  flashes: {}, // seats whose button was just pressed
  dialog: null, // which dialog is open
  language: null, // the language that was chosen since the page was opened
  seen: null, // the ruling of a race that needs no more attention
};
const watchers = new Set();

export function state() {
  return known;
}

export function change(part) {
  known = { ...known, ...part };
  for (const watcher of watchers) watcher(known);
}

export function useStore() {
  const [now, setNow] = useState(known);
  useEffect(() => {
    watchers.add(setNow);
    setNow(known);
    return () => watchers.delete(setNow);
  }, []);
  return now;
}

export function open(name, about = {}) {
  change({ dialog: { name, ...about } });
}

export function close() {
  change({ dialog: null });
}
