// Press flashes, apart from all else that the page knows: a press draws its own seat anew, and only that.

import { html, useEffect, useState } from "../vendor/htm-preact.js";

const FLASH = 450;
const lit = new Map(); // by seat, the press that it was lit for
const watchers = new Set();
const listeners = new Set();

export function flash({ seat, at }) {
  if (seat === null) return;
  lit.set(seat, at);
  tell(seat);
  for (const listener of listeners) listener(seat);
  setTimeout(() => {
    if (lit.get(seat) !== at) return;
    lit.delete(seat);
    tell(seat);
  }, FLASH);
}

function tell(seat) {
  for (const watcher of watchers) watcher(seat);
}

// Be told the seat of every press.
export function onFlash(listener) {
  listeners.add(listener);
}

// An element of its own, which the browser keeps as a layer: to light it, nothing is painted anew.
export function PressLight({ seat }) {
  const [on, setOn] = useState(lit.has(seat));
  useEffect(() => {
    const watcher = (changed) => changed === seat && setOn(lit.has(seat));
    watchers.add(watcher);
    watcher(seat);
    return () => watchers.delete(watcher);
  }, [seat]);
  return html`<span class="press-light ${on ? "flash" : ""}" data-light=${seat} aria-hidden="true"></span>`;
}
