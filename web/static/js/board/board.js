// The board: a large screen across the room, not for touching. What it shows is fetched after its first picture.

import { html, render, useEffect, useState } from "../../vendor/htm-preact.js";
import { start } from "../core/connection.js";
import { fetched } from "../core/renewal.js";
import { open, state, useStore } from "../core/store.js";
import { t } from "../core/texts.js";
import { startAwake } from "../device/awake.js";
import { startLanguage } from "../device/language.js";
import { Settings } from "../device/settings.js";
import { startTheme } from "../device/theme.js";
import { startHearing } from "../sound/hearing.js";

function Board() {
  const { dialog } = useStore();
  const [part, setPart] = useState(null);
  useEffect(() => {
    fetched(() => import("./show.js")).then(setPart);
  }, []);
  return html`${part ? html`<${part.Show} />` : html`<p class="loading">${t("link.connecting")}</p>`}
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
