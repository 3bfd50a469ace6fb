// The rest of the page: the texts of what comes later and of what the table answers, and styles that few parts wear.

import { loadAllTexts } from "./texts.js";

const PATIENCE = 1500; // milliseconds that an answer waits for its words

/** @type {Promise<unknown> | null} */
let texts = null;
/** @type {Promise<unknown> | null} */
let styles = null;

export function restOfTexts() {
  texts ??= loadAllTexts().catch((trouble) => {
    texts = null;
    throw trouble;
  });
  return texts;
}

/**
 * A part that wears the later styles, once they are here: whoever opens one waits for a new reckoning of all styles.
 * @template Part
 * @param {Promise<Part>} part
 */
export async function styled(part) {
  styles ??= loadLaterStyles().catch((trouble) => {
    styles = null;
    throw trouble;
  });
  const [shown] = await Promise.all([part, styles]);
  return shown;
}

/**
 * An answer of the table, once a refusal can be explained; without the rest its English text stands.
 * @template {{ error?: string }} Answer
 * @param {Answer} answer
 * @returns {Promise<Answer>}
 */
export async function explainable(answer) {
  if (!answer.error) return answer;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  await Promise.race([restOfTexts().catch(() => undefined), late]);
  return answer;
}

function loadLaterStyles() {
  /** @type {HTMLLinkElement | null} */
  const sheet = document.querySelector("link[rel='stylesheet'][data-later]");
  const more = document.createElement("link");
  return new Promise((/** @type {(done?: any) => void} */ resolve, reject) => {
    if (!sheet) return resolve();
    more.onerror = () => {
      more.remove();
      reject(new Error("The styles could not be fetched"));
    };
    more.onload = resolve;
    more.rel = "stylesheet";
    more.href = String(sheet.dataset.later);
    sheet.after(more);
  });
}
