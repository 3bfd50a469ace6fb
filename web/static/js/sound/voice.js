// Rulings said aloud by the browser's own speech, in the language of the page.

import { afterFrame, touched } from "../core/device.js";
import { t } from "../core/texts.js";

/** @type {SpeechSynthesisUtterance | null} */
let spoken = null; // some browsers fall silent in mid-sentence when no variable holds it

// Only a voice that lives on the device: others would send each sentence to a stranger.
/** @param {string} language */
export function voiceFor(language) {
  const voices = globalThis.speechSynthesis?.getVoices() ?? [];
  const fitting = voices.filter((voice) => voice.localService && base(voice.lang) === language);
  const near = navigator.languages.map((one) => one.toLowerCase());
  return (
    fitting.find((voice) => near.includes(voice.lang.toLowerCase().replace("_", "-"))) ??
    fitting.find((voice) => voice.default) ??
    fitting[0] ??
    null
  );
}

/** @param {string} tag */
function base(tag) {
  return tag.toLowerCase().split(/[-_]/)[0];
}

// Voices may become known some time after the page has opened.
/** @param {() => void} then */
export function onVoices(then) {
  const speech = globalThis.speechSynthesis;
  speech?.addEventListener?.("voiceschanged", then);
  return () => speech?.removeEventListener?.("voiceschanged", then);
}

// The newest sentence is the one that counts: what is still being said is broken off.
/** @param {string} text */
export function speak(text) {
  afterFrame(() => {
    const voice = voiceFor(document.documentElement.lang);
    if (!voice || !touched()) return;
    hush();
    spoken = new SpeechSynthesisUtterance(aloud(text));
    spoken.voice = voice;
    spoken.lang = voice.lang;
    speechSynthesis.speak(spoken);
  });
}

export function hush() {
  const speech = globalThis.speechSynthesis;
  if (speech && (speech.speaking || speech.pending)) speech.cancel();
}

// Units are short on the screen and words in the ear.
/** @param {string} text */
export function aloud(text) {
  return text
    .replace(/(\d) ms\b/g, (_, digit) => `${digit} ${t("voice.ms")}`)
    .replace(/(\d) s\b/g, (_, digit) => `${digit} ${t("voice.s")}`);
}
