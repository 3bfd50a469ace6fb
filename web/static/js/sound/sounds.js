// Sounds, made of a few tones when they are needed; there is no file to fetch.

import { afterFrame, onTouch } from "../core/device.js";

// Each tone: its wave, from which pitch to which, when it begins, how long it lasts, how loud it is.
/** @typedef {{ wave: string; from: number; to: number; at: number; lasts: number; loud: number }} Tone */

/** @type {(wave: string, from: number, to: number, at: number, lasts: number, loud: number) => Tone} */
const tone = (wave, from, to, at, lasts, loud) => ({ wave, from, to, at, lasts, loud });
/** @type {(at: number, lasts: number, loud: number) => Tone} */
const knock = (at, lasts, loud) => tone("noise", 0, 0, at, lasts, loud);

/** @type {Record<string, Tone[]>} */
export const SOUNDS = {
  press: [tone("sine", 620, 480, 0, 0.06, 0.16)],
  slap: [knock(0, 0.07, 0.5), tone("triangle", 190, 70, 0, 0.13, 0.6)],
  race: [
    tone("square", 392, 392, 0, 0.09, 0.12),
    tone("square", 392, 392, 0.13, 0.09, 0.12),
    tone("square", 784, 784, 0.26, 0.28, 0.14),
  ],
  verdict: [tone("triangle", 494, 494, 0, 0.16, 0.34), tone("triangle", 349, 330, 0.17, 0.42, 0.34)],
  uno: [tone("triangle", 784, 784, 0, 0.09, 0.28), tone("triangle", 1175, 1175, 0.1, 0.2, 0.28)],
  caught: [tone("sawtooth", 311, 294, 0, 0.16, 0.16), tone("sawtooth", 220, 165, 0.17, 0.36, 0.16)],
  ask: [tone("triangle", 523, 523, 0, 0.1, 0.22), tone("triangle", 698, 698, 0.14, 0.18, 0.22)],
  turn: [tone("sine", 587, 587, 0, 0.14, 0.09)],
  refusal: [tone("square", 165, 165, 0, 0.08, 0.09), tone("square", 165, 165, 0.12, 0.12, 0.09)],
  winner: [523, 659, 784, 1047].map((pitch, at) =>
    tone("triangle", pitch, pitch, at * 0.13, at === 3 ? 0.7 : 0.16, 0.3),
  ),
};

/** @type {any} */
let context = null;

// A context that is made before the first touch would be refused, and the browser would complain.
export function startSounds() {
  onTouch(() => (context === null || context.state !== "running") && afterFrame(wake));
}

function wake() {
  const Maker = globalThis.AudioContext ?? globalThis.webkitAudioContext;
  if (!Maker) return;
  context ??= new Maker({ latencyHint: "interactive" });
  if (context.state !== "running") context.resume().catch(() => null);
}

/** @param {string} name */
export function sound(name) {
  if (context?.state !== "running") return;
  for (const part of SOUNDS[name]) voiced(part, context.currentTime + 0.005);
}

/**
 * @param {Tone} part
 * @param {number} now
 */
function voiced({ wave, from, to, at, lasts, loud }, now) {
  const begin = now + at;
  const source = wave === "noise" ? noise(lasts) : context.createOscillator();
  if (wave !== "noise") {
    source.type = wave;
    source.frequency.setValueAtTime(from, begin);
    source.frequency.exponentialRampToValueAtTime(to, begin + lasts);
  }
  const volume = context.createGain();
  volume.gain.setValueAtTime(0.0001, begin);
  volume.gain.exponentialRampToValueAtTime(loud, begin + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + lasts);
  source.connect(volume).connect(context.destination);
  source.start(begin);
  source.stop(begin + lasts + 0.02);
}

/** @param {number} lasts */
function noise(lasts) {
  const length = Math.ceil(context.sampleRate * lasts);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < length; at += 1) samples[at] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = buffer;
  return source;
}
