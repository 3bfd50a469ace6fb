// Past nights: every match with its sheet, and what there is to tell of the night.

import { html, render, useState } from "../vendor/htm-preact.js";
import { useAnswer } from "./invite.js";
import { LanguageChoice, startLanguage } from "./language.js";
import { Statistics } from "./statistics.js";
import { SheetTable } from "./sheet.js";
import { useStore } from "./store.js";
import { called, listed, t } from "./texts.js";
import { Chart, Track } from "./track.js";

const DAWN = 6 * 3600 * 1000; // a match after midnight belongs to the evening before

function Page() {
  useStore();
  const answer = useAnswer("/api/matches");
  const [opened, setOpened] = useState(null);
  if (!answer) return html`<p class="loading">${t("link.connecting")}</p>`;
  const nights = nightsOf(answer.matches);
  const match = answer.matches.find((one) => one.number === opened);
  return html`<div class="reading history">
    <header class="reading-head"><h1>${t("history.title")}</h1></header>
    <main class="reading-main">
      ${nights.length === 0 && html`<p class="hint">${t("history.none")}</p>`}
      ${nights.map((night) => html`<section class="night" key=${night.day}>
        <h2>${night.day}</h2>
        <ul class="matches">${night.matches.map((one) => html`<li key=${one.number}>
          <button type="button" class="button match-card" aria-expanded=${one.number === opened} onClick=${() => setOpened(one.number === opened ? null : one.number)}>
            <strong>${t("history.match", { number: one.number })}</strong><span>${winnersOf(one)}</span>
            <small>${t("history.facts", { edition: one.sheet.edition_name, scoring: t(`scoring.${one.sheet.scoring}.title`), rounds: one.sheet.rounds.length, time: clock(one.started) })}</small>
          </button></li>`)}</ul>
        ${match && night.matches.includes(match) && html`<${PastMatch} record=${match} />`}
        <${Statistics} matches=${night.matches.map((one) => one.number)} />
      </section>`)}
    </main>
    <footer class="reading-foot"><a class="button" href="/">${t("pages.table")}</a><a class="button" href="/rules">${t("pages.rules")}</a><${LanguageChoice} /></footer>
  </div>`;
}

// The wall clock only sorts matches under the evening they began on.
function nightsOf(matches) {
  const nights = new Map();
  for (const match of matches) {
    const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "full" }).format(new Date(Date.parse(match.started) - DAWN));
    nights.set(day, [...(nights.get(day) ?? []), match]);
  }
  return [...nights].map(([day, found]) => ({ day, matches: found }));
}

function clock(label) {
  return new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short" }).format(new Date(label));
}

function winnersOf({ sheet, ended }) {
  const names = sheet.players.filter((player) => sheet.winners.includes(player.player)).map((player) => called(player.name));
  if (names.length) return t(names.length > 1 ? "won.shared" : "won.one", { names: listed(names) });
  return t(ended ? "history.unfinished" : "history.running");
}

// A kept sheet has no seats any more; for the track it is given what a running match has.
function asMatch({ number, sheet }) {
  const players = sheet.players.map((player) => ({ ...player, name: called(player.name), seat: null, present: player.stints.at(-1).left == null }));
  const worth = players.filter((player) => player.present).map((player) => player[sheet.scoring]);
  const best = sheet.scoring === "classic" ? Math.max(...worth) : Math.min(...worth);
  const leaders = sheet.rounds.length ? players.filter((player) => player.present && player[sheet.scoring] === best).map((player) => player.player) : [];
  return { ...sheet, number, players, leaders };
}

function PastMatch({ record }) {
  const match = asMatch(record);
  return html`<div class="past-match">
    <${Track} match=${match} />
    <${Chart} match=${match} />
    <${SheetTable} match=${match} />
    <a class="button quiet" href=${`/api/matches/${record.number}.csv`} download>${t("sheet.csv")}</a>
  </div>`;
}

await startLanguage();
render(html`<${Page} />`, document.getElementById("page"));
