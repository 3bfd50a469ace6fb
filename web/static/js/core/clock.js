// This page's own clock: the table asks for it again and again, and dates every press from the answers.

import { MS } from "./axis.js";
import { offerClock } from "./connection.js";
import { change, state, watch } from "./store.js";

const SLEPT = 200; // milliseconds by which the two clocks of a page part when it has slept

const page = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const grain = finest();
let wake = 0; // a new number for each stretch in which the clock went on without a break
let apart = Date.now() - performance.now();

export function startClock() {
  const sayHello = offerClock(() => ({ page, wake }), answer);
  const woke = () => {
    if (document.hidden) return;
    wake += 1;
    change({ exact: null });
    sayHello();
  };
  document.addEventListener("visibilitychange", woke);
  watch((now, before) => now.role !== before.role && sayHello());
  addEventListener("pageshow", (event) => event.persisted && woke());
}

// In some browsers this clock stands still while the device sleeps, and the other one does not.
/**
 * @param {number} number
 * @param {number | null} doubt
 */
function answer(number, doubt) {
  const moment = performance.now();
  const now = Date.now() - moment;
  if (Math.abs(now - apart) > SLEPT) wake += 1;
  apart = now;
  const exact = doubt === null ? null : Math.ceil(doubt / MS);
  if (state().exact !== exact && state().link === "live") change({ exact });
  return { answer: number, moment, wake, grain };
}

// When a finger came down, by the browser's own date of the event where it has one.
/** @param {Event} event */
export function momentOf(event) {
  const now = performance.now();
  return { moment: Math.abs(now - event.timeStamp) < 1000 ? event.timeStamp : now, wake };
}

// How fine this clock is, in milliseconds: some browsers blur it on purpose.
function finest() {
  const began = performance.now();
  let now = began;
  for (let looks = 0; now === began && looks < 1e5; looks += 1) now = performance.now();
  return now === began ? 100 : now - began;
}
