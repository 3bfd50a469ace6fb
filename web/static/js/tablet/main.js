// The start: texts first, then the page, then the line to the table.

import { html, render } from "../../vendor/htm-preact.js";
import { startAwake } from "../core/awake.js";
import { start } from "../core/connection.js";
import { afterFrame } from "../core/device.js";
import { startLanguage } from "../core/language.js";
import { followLink } from "../core/link.js";
import { fetched, tellRenewal } from "../core/renewal.js";
import { startTheme } from "../core/theme.js";
import { startHearing } from "../sound/hearing.js";
import { App } from "./app.js";

startTheme();
await startLanguage();
tellRenewal();
startHearing("tablet");
startAwake();
render(html`<${App} />`, document.getElementById("page"));
await followLink();
start();
afterFrame(() => fetched(() => import("../race/show_screens.js"))); // so that the first race waits for nothing
