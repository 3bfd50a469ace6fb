// A page that was left open over an upgrade asks for parts that are gone: it is loaded anew then, and says so.

import { restOfTexts } from "./rest.js";
import { change } from "./store.js";
import { t } from "./texts.js";

const RENEWED = "renewed";
const AGAIN = 2000; // milliseconds until a part is asked for once more

/**
 * Fetch a part of the page that comes later, however long the table cannot be reached.
 * @param {() => Promise<Record<string, any>>} load
 * @returns {Promise<Record<string, any>>}
 */
export async function fetched(load) {
  for (;;) {
    try {
      const [part] = await Promise.all([load(), restOfTexts()]);
      return part;
    } catch {
      if (await isReplaced()) {
        sessionStorage.setItem(RENEWED, "yes");
        location.reload();
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}

// A table that answers, but not with the script of this page, has a page of another version.
async function isReplaced() {
  /** @type {HTMLScriptElement | null} */
  const script = document.querySelector("script[type='module'][src]");
  try {
    return (await fetch(script?.src ?? "", { cache: "no-store" })).status === 404;
  } catch {
    return false;
  }
}

// Say after the loading why everything looks as if somebody had touched it.
export function tellRenewal() {
  if (sessionStorage.getItem(RENEWED) === null) return;
  sessionStorage.removeItem(RENEWED);
  change({ notice: { error: RENEWED, message: t("link.renewed") } });
}
