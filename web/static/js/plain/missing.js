// An address at which there is nothing: its few words stand in the page itself, and are said here in other languages.

import { t } from "../core/texts.js";
import { startLanguage } from "../device/language.js";
import { startTheme } from "../device/theme.js";

const WORDS = ["missing.title", "missing.text", "pages.table"];

startTheme();
await startLanguage();
for (const key of WORDS) {
  const place = document.querySelector(`[data-text="${key}"]`);
  if (place) place.textContent = t(key);
}
