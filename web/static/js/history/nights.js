// The nights, latest first: a card for each match, and earlier nights as one gets to them.

import { html, useEffect, useRef, useState } from "../../vendor/htm-preact.js";
import { counted } from "../core/counted.js";
import { dated, onEvening } from "../core/evening.js";
import { displayName, t } from "../core/texts.js";
import { PlaceLink } from "./address.js";
import { nightsOf, outcome } from "./match_list.js";

const AT_ONCE = 48; // matches that are drawn before somebody scrolls on
let reached = AT_ONCE; // so that the way back leads to where one was

/** @param {{ matches: Past.Brief[]; place: Page.Place }} props */
export function Nights({ matches, place }) {
  const [until, setUntil] = useState(reached);
  const more = () => {
    reached = until + AT_ONCE;
    setUntil(reached);
  };
  let drawn = 0;
  const nights = nightsOf(matches).filter((night) => {
    const fits = drawn < until;
    drawn += night.matches.length;
    return fits;
  });
  const left = matches.length - nights.reduce((sum, night) => sum + night.matches.length, 0);
  return html`${nights.map((night) => html`<${Night} key=${night.day} night=${night} place=${place} />`)}
    ${left > 0 && html`<${Earlier} key=${until} left=${left} onReached=${more} />`}`;
}

/** @param {{ night: { started: string; matches: Past.Brief[] }; place: Page.Place }} props */
function Night({ night, place }) {
  const numbers = night.matches.map((match) => match.number);
  const only = { ...place, from: Math.min(...numbers), to: Math.max(...numbers) };
  return html`<section class="one-night">
    <header class="night-head"><h2>${onEvening(night.started, { dateStyle: "full" }) || t("past.some_day")}</h2>
      <span class="night-ways">
        <${PlaceLink} to=${{ ...only, view: "figures" }} class="button quiet">${t("past.night_figures")}<//>
        <${PlaceLink} to=${{ ...only, view: "what_if" }} class="button quiet">${t("what_if.title")}<//></span></header>
    <ul class="matches">
      ${night.matches.map((match) => html`<li key=${match.number}><${MatchCard} match=${match} place=${place} /></li>`)}
    </ul>
  </section>`;
}

/** @param {{ match: Past.Brief; place: Page.Place }} props */
function MatchCard({ match, place }) {
  const low = match.scoring === "alternative";
  const order = [...match.players].sort((a, b) => (low ? a.points - b.points : b.points - a.points));
  return html`<${PlaceLink} to=${{ ...place, match: match.number }} class="match-card" data-match=${match.number}>
    <span class="match-head">
      <strong>${t("history.match", { number: match.number })}</strong>
      <time>${dated(match.started, { timeStyle: "short" })}</time>
    </span>
    <span class="match-won ${match.winners.length ? "" : "open"}">${outcome(match)}</span>
    <span class="match-players">
      ${order.map(
        (player) => html`<span key=${player.name}
          class=${match.winners.includes(player.name) ? "winner-name" : ""}><span class="name">
            ${displayName(player.name)}
          </span> <b>${player.points}</b></span>`,
      )}
    </span>
    <small>${match.edition_name} · ${t(`scoring.${match.scoring}.title`)} · ${counted("rounds", match.rounds)}</small>
  <//>`;
}

// Drawn when one comes near, and there is a button to do it without scrolling.
/** @param {{ left: number; onReached: () => void }} props */
function Earlier({ left, onReached }) {
  const here = useRef(null);
  useEffect(() => {
    const near = new IntersectionObserver(([seen]) => seen.isIntersecting && onReached(), { rootMargin: "600px" });
    near.observe(here.current);
    return () => near.disconnect();
  }, []);
  return html`<button type="button" ref=${here} class="button earlier" onClick=${onReached}>
    ${counted("earlier", left)}
  </button>`;
}
