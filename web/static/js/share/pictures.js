// What the pictures are made of, asked of the table, and the pictures as files.

import { eveningOf } from "../core/evening.js";
import { awardsOf } from "./awards.js";
import { finishPicture, finishTitle, raceFacts } from "./finish.js";
import { HIGH, tame, WIDE } from "./pen.js";
import { packed } from "./png.js";
import { placed, standingPicture, standingTitle } from "./standing.js";

const FACTS = 2;
const SHARPER = 2; // dots of the file for each unit of the drawing

/**
 * @param {string} address
 * @returns {Promise<any>}
 */
async function asked(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.json();
}

/** @param {Page.SharedThing} wanted */
export async function standingOf({ match, record, seats = {} }) {
  const [found, night] = await Promise.all([
    record ?? asked(`/api/matches/${match}`),
    asked(`/api/statistics?from=${match}&to=${match}`).catch(() => null),
  ]);
  const shown = placed(found, seats);
  const places = shown.order.map((one) => `${one.place ?? "–"} ${one.name} ${one.points}`).join(", ");
  return {
    svg: standingPicture(found, seats, night ? awardsOf(night, tame).slice(0, FACTS) : []),
    words: `${standingTitle(shown)} ${places}`,
    name: fileName(found.started, match, "standing"),
    best: night?.shave?.ruling ?? null,
  };
}

/** @param {{ match: number; ruling: number }} wanted */
export async function finishOf({ match, ruling }) {
  const [look, { started }] = await Promise.all([
    asked(`/api/matches/${match}/races/${ruling}`),
    asked(`/api/matches/${match}`),
  ]);
  const race = raceFacts(look, started);
  return {
    svg: finishPicture(race),
    words: finishTitle(race),
    name: fileName(started, match, `race-${ruling}`),
    best: ruling,
  };
}

/**
 * @param {string} label
 * @param {number} match
 * @param {string} what
 */
function fileName(label, match, what) {
  const when = eveningOf(label);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const day = Number.isNaN(when.getTime()) ? [] : [when.getFullYear(), two(when.getMonth() + 1), two(when.getDate())];
  return [...day, "match", match, what].join("-");
}

// Drawn by the browser itself; the page's rules let a picture come from the page's own text, and from nowhere else.
/** @param {string} svg */
export async function asPng(svg) {
  const picture = new Image();
  await new Promise((done, failed) => {
    picture.onload = done;
    picture.onerror = failed;
    picture.src = asAddress(svg);
  });
  const canvas = Object.assign(document.createElement("canvas"), { width: SHARPER * WIDE, height: SHARPER * HIGH });
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  if (window.CompressionStream) return packed(canvas);
  return new Promise((done, failed) =>
    canvas.toBlob((file) => (file ? done(file) : failed(new Error("The browser drew nothing"))), "image/png"),
  );
}

/** @param {string} svg */
function asAddress(svg) {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** @param {Blob} file */
export function inText(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = failed;
    reader.readAsDataURL(file);
  });
}
