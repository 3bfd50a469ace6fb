// The language of this device: chosen once, kept here, and otherwise what the browser asks for.

import { html } from "../../vendor/htm-preact.js";
import { keep, kept } from "../core/device.js";
import { change } from "../core/store.js";
import { loadTexts, t } from "../core/texts.js";

const LANGUAGES = ["en", "es", "fr", "de", "pt"];
const PLACE = "language";

// The first of the wanted languages that there is a catalogue for; "pt-BR" is content with "pt".
/** @param {readonly string[]} wanted */
function preferred(wanted) {
  const known = wanted.map((one) => one.toLowerCase().split("-")[0]).filter((one) => LANGUAGES.includes(one));
  return known[0] ?? LANGUAGES[0];
}

export function startLanguage() {
  return loadTexts(preferred([kept(PLACE) ?? "", ...navigator.languages]));
}

/** @param {string} language */
async function choose(language) {
  try {
    await loadTexts(language);
  } catch {
    change({ notice: { error: "no_answer", message: t("link.no_answer") } });
    return;
  }
  keep(PLACE, language);
  // biome-ignore lint/suspicious/noDocumentCookie: the table sends these texts at once; plain HTTP has no other store
  document.cookie = `${PLACE}=${language}; path=/; max-age=31536000; samesite=lax`;
  change({ language });
}

// Every language is called by its own name, for a reader who does not know the present one.
export function LanguageChoice() {
  const now = document.documentElement.lang;
  return html`<div class="languages choice" role="radiogroup" aria-label=${t("language.title")}>
    ${LANGUAGES.map(
      (one) => html`<button type="button" role="radio" class="option" key=${one} lang=${one} data-language=${one}
        aria-checked=${one === now} onClick=${() => one !== now && choose(one)}><strong>
          ${t(`language.names.${one}`)}
        </strong></button>`,
    )}
  </div>`;
}
