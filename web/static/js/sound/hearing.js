// What this device lets be heard and felt: chosen in the settings, and kept here.

import { afterFrame, keep, kept, touched } from "../core/device.js";
import { onFlash } from "../core/flashes.js";
import { change, state, watch } from "../core/store.js";
import { sentenceText } from "../core/texts.js";
import { SOUNDS, sound, startSounds } from "./sounds.js";
import { hush, speak } from "./voice.js";
import { freshRulings, momentOf, ownMoment, tookBack } from "./worth_hearing.js";

// A board is across the room and speaks; a tablet lies among people who read; a phone is one player's own.
/** @type {Record<string, { sounds: string[]; voice: boolean }>} */
const KINDS = {
  tablet: { sounds: Object.keys(SOUNDS), voice: false },
  board: { sounds: Object.keys(SOUNDS).filter((name) => name !== "refusal"), voice: true },
  phone: { sounds: ["press", "race", "ask", "turn", "refusal"], voice: false },
};
const BUZZ = 30; // milliseconds

let kind = "tablet";

/** @param {string} page */
export function startHearing(page) {
  kind = page;
  change({ hearing: { muted: false, off: [], voice: KINDS[kind].voice, buzz: true, ...remembered() } });
  startSounds();
  watch(hear);
  if (kind !== "phone") onFlash(landed);
}

export function soundsHere() {
  return KINDS[kind].sounds;
}

/** @param {Partial<Page.Hearing>} part */
export function setHearing(part) {
  const hearing = { ...state().hearing, ...part };
  keep(`hearing.${kind}`, JSON.stringify(hearing));
  change({ hearing });
  if (!hearing.voice || hearing.muted) hush();
}

function remembered() {
  try {
    return JSON.parse(kept(`hearing.${kind}`) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} name */
function sounding(name) {
  const { hearing } = state();
  return !hearing.muted && !hearing.off.includes(name);
}

/** @param {string} name */
export function play(name) {
  if (soundsHere().includes(name) && sounding(name)) afterFrame(() => sound(name));
}

// The finger's own answer, at once; nothing else may be felt or heard sooner.
export function pressed() {
  if (state().hearing.buzz && touched()) navigator.vibrate?.(BUZZ);
  if (sounding("press")) sound("press");
}

// A page that was out of touch catches up in silence.
/**
 * @param {Page.State} now
 * @param {Page.State} before
 */
function hear(now, before) {
  if (document.hidden) return;
  if (now.link !== "live" || before.link !== "live") return;
  if ((now.notice && now.notice !== before.notice) || (now.refused && now.refused !== before.refused)) play("refusal");
  if (now.shown && before.shown && now.shown !== before.shown) turned(now, before.shown.table, now.shown.table);
}

/** @param {number} number */
function landed(number) {
  const { link, shown } = state();
  if (document.hidden || link !== "live") return;
  play(shown?.table.seats.find((seat) => seat.number === number)?.racing ? "slap" : "press");
}

/**
 * @param {Page.State} now
 * @param {Table.View} before
 * @param {Table.View} after
 */
function turned(now, before, after) {
  const moment = kind === "phone" ? ownMoment(before, after, now.seat) : momentOf(before, after);
  if (moment) play(moment);
  if (!now.hearing.voice || now.hearing.muted) return;
  const fresh = freshRulings(before, after).filter((ruling) => !ruling.overruled);
  if (fresh.length) speak(fresh.map((ruling) => sentenceText(ruling.sentence)).join(" "));
  else if (tookBack(before, after)) hush();
}
