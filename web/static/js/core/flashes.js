// Press flashes, apart from all else that the page knows: a press lights its own seat and draws nothing else.

import { html, useLayoutEffect, useRef } from "../../vendor/htm-preact.js";
import { afterFrame } from "./device.js";

const FLASH = 450;
const LONGEST = 100; // milliseconds that anything waits for a flash; a hidden page draws no frames
const pressed = new Map(); // by seat, the press that it is lit for
const lights = new Map(); // by seat, what shines
const listeners = new Set();
/** @type {(() => void)[] | null} */
let postponed = null; // what waits until a flash is painted

/** @param {{ seat: number; at: number }} press */
export function flash({ seat, at }) {
  if (seat === null) return;
  pressed.set(seat, at);
  shine(seat, true);
  keepClear();
  setTimeout(() => {
    if (pressed.get(seat) !== at) return;
    pressed.delete(seat);
    shine(seat, false);
  }, FLASH);
  for (const listener of listeners) listener(seat);
}

/**
 * @param {number} seat
 * @param {boolean} on
 */
function shine(seat, on) {
  lights.get(seat)?.classList.toggle("flash", on);
}

function keepClear() {
  if (postponed || document.hidden) return;
  /** @type {(() => void)[]} */
  const mine = [];
  const resume = () => {
    if (postponed !== mine) return;
    postponed = null;
    for (const work of mine) work();
  };
  postponed = mine;
  afterFrame(resume);
  setTimeout(resume, LONGEST);
}

// Do what redraws much, though never between a flash and its frame.
/** @param {() => void} work */
export function afterFlash(work) {
  if (postponed) postponed.push(work);
  else work();
}

// Be told the seat of every press.
/** @param {(seat: number) => void} listener */
export function onFlash(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// An element of its own, which the browser keeps as a layer: to light it, nothing is painted anew.
/** @param {{ seat: number }} props */
export function PressLight({ seat }) {
  const light = useRef();
  useLayoutEffect(() => {
    lights.set(seat, light.current);
    shine(seat, pressed.has(seat));
    return () => lights.get(seat) === light.current && lights.delete(seat);
  }, [seat]);
  return html`<span ref=${light} class="press-light" aria-hidden="true"></span>`;
}
