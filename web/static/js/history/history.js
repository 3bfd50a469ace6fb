// Past nights: every match that was played here, by night, by player and by group, and what there is to tell of it.

import { html, render, useEffect, useState } from "../../vendor/htm-preact.js";
import { counted } from "../core/counted.js";
import { change, useStore } from "../core/store.js";
import { explained, t } from "../core/texts.js";
import { LanguageChoice, startLanguage } from "../device/language.js";
import { startTheme } from "../device/theme.js";
import { Button } from "../parts/components.js";
import { WhatIf } from "../race/what_if.js";
import { isFiltered, PlaceLink, queryOf, unfiltered, usePlace, VIEWS } from "./address.js";
import { Filter } from "./filter.js";
import { PastMatch } from "./match.js";
import { chosen, nightsOf, peopleOf, played } from "./match_list.js";
import { Nights } from "./nights.js";
import { Groups, Players, Who } from "./people.js";
import { Statistics } from "./statistics/statistics.js";

function Page() {
  const { notice } = useStore();
  const place = usePlace();
  const [matches, setMatches] = useState(null);
  const load = async () => {
    const found = await fetched();
    setMatches((/** @type {any} */ before) => found ?? (Array.isArray(before) ? before : "failed"));
  };
  useEffect(() => {
    load();
    const again = () => document.visibilityState === "visible" && load();
    document.addEventListener("visibilitychange", again);
    return () => document.removeEventListener("visibilitychange", again);
  }, []);
  return html`<div class="reading history">
    <header class="reading-head"><div><h1>${t("history.title")}</h1>
      ${
        matches?.length > 0 &&
        html`<p class="hint">
          ${counted("matches", matches.length)} · ${counted("nights", nightsOf(matches).length)}
        </p>`
      }</div>
      ${matches?.length > 0 && html`<${Views} place=${place} />`}</header>
    ${notice && html`<p class="banner notice" role="alert">${explained(notice)}</p>`}
    <main class="reading-main"><${Inside} matches=${matches} place=${place} load=${load} /></main>
    <footer class="reading-foot">
      <a class="button" href="/">${t("pages.table")}</a><a class="button" href="/rules">${t("pages.rules")}</a>
      <${LanguageChoice} />
    </footer>
  </div>`;
}

// What was shown stays when the table does not answer a second time.
/** @returns {Promise<Past.Brief[] | null>} */
async function fetched() {
  try {
    const [found, session] = await Promise.all(
      ["/api/matches?brief=1", "/api/session"].map((address) =>
        fetch(address).then((answer) => (answer.ok ? answer.json() : null)),
      ),
    );
    change({ role: session?.role ?? "watcher", seat: session?.seat ?? null, link: found ? "live" : "stale" });
    return found?.matches ?? null;
  } catch {
    change({ link: "stale" });
    return null;
  }
}

/** @param {{ matches: Past.Brief[] | "failed" | null; place: Page.Place; load: () => Promise<void> }} props */
function Inside({ matches, place, load }) {
  if (matches === null) return html`<p class="loading">${t("link.connecting")}</p>`;
  if (matches === "failed")
    return html`<div class="panel-box nothing" role="alert">
      <p>${t("past.failed")}</p><${Button} tone="primary" onTap=${load}>${t("past.again")}<//>
    </div>`;
  if (matches.length === 0) return html`<p class="hint">${t("history.none")}</p>`;
  const shown = chosen(matches, place);
  if (place.match !== null) {
    const match = matches.find((one) => one.number === place.match);
    if (!match) return html`<${Nothing} place=${place} text=${t("past.no_match", { number: place.match })} />`;
    return html`<${PastMatch} key=${match.number} match=${match} place=${place} shown=${shown} load=${load} />`;
  }
  return html`<${Filter} matches=${matches} shown=${shown} place=${place} />
    ${
      shown.length === 0
        ? html`<${Nothing} place=${place} text=${t("past.nothing")} />`
        : html`<${View} shown=${shown} place=${place} load=${load} />
          <${TakeAway} shown=${shown} place=${place} />`
    }`;
}

/** @param {{ shown: Past.Brief[]; place: Page.Place; load: () => Promise<void> }} props */
function View({ shown, place, load }) {
  switch (place.view) {
    case "players":
      return html`<${Players} matches=${played(shown)} place=${place} />`;
    case "groups":
      return html`<${Groups} matches=${played(shown)} place=${place} />`;
    case "figures":
      return html`<${Statistics} query=${queryOf(place)} />`;
    case "what_if":
      return html`<section class="panel-box">
        <${WhatIf} key=${queryOf(place)} query=${queryOf(place)} of=${shown.length}
          players=${peopleOf(shown).map((one) => one.name)} />
      </section>`;
    default:
      return html`<${Who} shown=${shown} place=${place} load=${load} /><${Nights} matches=${shown} place=${place} />`;
  }
}

/** @param {{ place: Page.Place }} props */
function Views({ place }) {
  return html`<nav class="views" aria-label=${t("past.views")}>${VIEWS.map(
    (view) => html`<${PlaceLink} key=${view} to=${{ ...place, view, match: null, race: null }} stay
      class="view-link" aria-current=${place.view === view && place.match === null ? "page" : null}>${t(
        `past.view.${view}`,
      )}<//>`,
  )}</nav>`;
}

/** @param {{ place: Page.Place; text: string }} props */
function Nothing({ place, text }) {
  return html`<div class="panel-box nothing" role="status">
    <p>${text}</p><${PlaceLink} to=${unfiltered(place)} class="button primary">${t("past.show_all")}<//>
  </div>`;
}

// The chosen matches as files, for counting elsewhere.
/** @param {{ shown: Past.Brief[]; place: Page.Place }} props */
function TakeAway({ shown, place }) {
  const query = queryOf(place);
  const files = [
    ["scores", "/api/matches.csv"],
    ["races", "/api/matches/races.csv"],
    ["sheets", "/api/matches.json"],
  ];
  return html`<section class="panel-box take-away" aria-label=${t("past.take")}>
    <h2>${t("past.take")}</h2>
    <p class="hint">
      ${t(isFiltered(place) ? "past.take_some" : "past.take_all", { matches: counted("matches", shown.length) })}
    </p>
    <div class="tools">
      ${files.map(
        ([name, address]) => html`<a key=${name} class="button"
          href=${query ? `${address}?${query}` : address} download>${t(`past.file.${name}`)}</a>`,
      )}
    </div>
  </section>`;
}

startTheme();
await startLanguage();
render(html`<${Page} />`, document.getElementById("page"));
