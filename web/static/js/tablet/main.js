// The start: texts first, then the page, then the line to the table.

import { html, render } from "../../vendor/htm-preact.js";
import { start } from "../core/connection.js";
import { followLink } from "../core/link.js";
import { fetched, tellRenewal } from "../core/renewal.js";
import { startAwake } from "../device/awake.js";
import { startLanguage } from "../device/language.js";
import { startTheme } from "../device/theme.js";
import { startHearing } from "../sound/hearing.js";
import { App } from "./app.js";

const SETTLED = 4000; // milliseconds after which the first page is there, on a slow line too

startTheme();
await startLanguage();
tellRenewal();
startHearing("tablet");
startAwake();
render(html`<${App} />`, document.getElementById("page"));
await followLink();
start();
// So that neither the first race nor a dialog waits for anything.
setTimeout(() => fetched(() => Promise.all([import("../race/show_screens.js"), import("./dialogs.js")])), SETTLED);
