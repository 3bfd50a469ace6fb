// The rest of the page: the texts and the styles of what comes later, and the words of what the table answers.

import { loadAllTexts } from "./texts.js";

const PATIENCE = 1500; // milliseconds that an answer waits for its words

/** @type {Promise<unknown> | null} */
let rest = null;

export function theRest() {
  rest ??= Promise.all([loadAllTexts(), loadLaterStyles()]).catch((trouble) => {
    rest = null;
    throw trouble;
  });
  return rest;
}

/**
 * An answer of the table, once a refusal can be explained; without the rest its English text stands.
 * @template {{ error?: string }} Answer
 * @param {Answer} answer
 * @returns {Promise<Answer>}
 */
export async function explainable(answer) {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  if (answer.error) await Promise.race([theRest().catch(() => undefined), late]);
  return answer;
}

function loadLaterStyles() {
  /** @type {HTMLLinkElement | null} */
  const sheet = document.querySelector("link[rel='stylesheet'][data-later]");
  if (!sheet) return null;
  const more = document.createElement("link");
  return new Promise((resolve, reject) => {
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
