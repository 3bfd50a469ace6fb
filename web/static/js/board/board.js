// The board: a large screen across the room, not for touching.

import { html, render } from "../../vendor/htm-preact.js";
import { start } from "../core/connection.js";
import { open, state, useStore } from "../core/store.js";
import { startAwake } from "../device/awake.js";
import { startLanguage } from "../device/language.js";
import { Settings } from "../device/settings.js";
import { startTheme } from "../device/theme.js";
import { startHearing } from "../sound/hearing.js";
import { Show } from "./show.js";

function Board() {
  const { dialog } = useStore();
  return html`<${Show} />
    ${dialog && html`<${Settings} />`}`;
}

startTheme();
await startLanguage();
startHearing("board");
startAwake();
render(html`<${Board} />`, document.getElementById("page"));
start();

// Nothing on the board needs a touch; a touch opens its sound and language.
const settings = (/** @type {any} */ event) =>
  state().dialog === null && !event.target.closest?.("dialog") && open("settings");
document.addEventListener("click", settings);
document.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && settings(event));
