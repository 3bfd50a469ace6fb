// The start: texts first, then the page, then the line to the table.

import { html, render } from "../vendor/htm-preact.js";
import { App } from "./app.js";
import { startAwake } from "./awake.js";
import { start } from "./connection.js";
import { startHearing } from "./hearing.js";
import { startLanguage } from "./language.js";
import { change } from "./store.js";
import { has, t } from "./texts.js";

await startLanguage();
const problem = `pair.${location.hash.slice(1)}`;
if (location.hash && has(problem)) change({ notice: { error: location.hash.slice(1), message: t(problem) } });
startHearing("tablet");
startAwake();
render(html`<${App} />`, document.getElementById("page"));
start();
