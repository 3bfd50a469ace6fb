// The start: texts first, then the page, then the line to the table.

import { html, render } from "../../vendor/htm-preact.js";
import { startAwake } from "../core/awake.js";
import { start } from "../core/connection.js";
import { startLanguage } from "../core/language.js";
import { change } from "../core/store.js";
import { has, t } from "../core/texts.js";
import { startHearing } from "../sound/hearing.js";
import { App } from "./app.js";

await startLanguage();
const problem = `pair.${location.hash.slice(1)}`;
if (location.hash && has(problem)) change({ notice: { error: location.hash.slice(1), message: t(problem) } });
startHearing("tablet");
startAwake();
render(html`<${App} />`, document.getElementById("page"));
start();
