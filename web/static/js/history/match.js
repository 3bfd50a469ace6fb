// One past match: how it ended, the way there, its rounds with their rulings, and what to do with it.

import { html, useEffect, useRef } from "../../vendor/htm-preact.js";
import { counted } from "../core/counted.js";
import { inFull } from "../core/evening.js";
import { displayName, t } from "../core/texts.js";
import { Button } from "../parts/components.js";
import { SecondLook } from "../race/race_review.js";
import { SheetTable } from "../score/sheet.js";
import { Chart, Track } from "../score/track.js";
import { useAnswer } from "../setup/invite.js";
import { HOUSE_RULES, houseValue } from "../setup/setup.js";
import { Share, seatsOf } from "../share/share.js";
import { go, PlaceLink, unfiltered } from "./address.js";
import { ForgetMatch } from "./forget.js";
import { outcome } from "./match_list.js";
import { Rounds } from "./timeline.js";

/** @param {{ match: Past.Brief; place: Page.Place; shown: Past.Brief[]; load: () => Promise<void> }} props */
export function PastMatch({ match, place, shown, load }) {
  /** @type {Past.MatchRecord | null} */
  const record = useAnswer(`/api/matches/${match.number}`);
  /** @type {Past.Timeline | null} */
  const story = useAnswer(`/api/matches/${match.number}/story`);
  const title = useRef(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), [match.number]);
  const at = shown.findIndex((one) => one.number === match.number);
  const sheet = record && asMatch(record, story);
  return html`<article class="past-match">
    <nav class="match-nav" aria-label=${t("past.other_matches")}>
      <${PlaceLink} to=${{ ...place, match: null, race: null }} class="button">‹ ${t("past.back")}<//>
      <span class="match-steps">
        ${shown[at + 1] && at >= 0 && html`<${Step} to=${shown[at + 1]} place=${place} sign="←" />`}
        ${at > 0 && html`<${Step} to=${shown[at - 1]} place=${place} sign="→" />`}
      </span>
    </nav>
    <header class="panel-box match-top">
      <p class="hint">${inFull(match.started)}</p>
      <h2 ref=${title} tabindex="-1">${t("history.match", { number: match.number })}</h2>
      <p class="match-outcome ${match.winners.length ? "" : "open"}">${outcome(match)}</p>
      <p class="hint">
        ${match.edition_name} · ${t(`scoring.${match.scoring}.title`)} · ${counted("rounds", match.rounds)}
      </p>
      ${
        sheet &&
        sheet.rounds.length > 0 &&
        html`<div class="tools"><${Share} record=${record} seats=${seatsOf(sheet)} /></div>`
      }
    </header>
    ${
      sheet &&
      html`
        <section class="panel-box" aria-label=${t("sheet.standing")}>
          <h3>${t("sheet.standing")}</h3><${Track} match=${sheet} /><${Chart} match=${sheet} />
        </section>
        <${Rounds} record=${record} story=${story} place=${place} />
        <section class="panel-box" aria-label=${t("past.sheet")}>
          <h3>${t("past.sheet")}</h3><${SheetTable} match=${sheet} />
        </section>
        <${House} house=${record.sheet.house} />
        <${Tools} record=${record} place=${place} load=${load} />`
    }
    ${
      place.race !== null &&
      html`<${SecondLook} match=${match.number} ruling=${place.race}
        onClose=${() => go({ ...place, race: null }, { stay: true })} />`
    }
  </article>`;
}

/** @param {{ to: Past.Brief; place: Page.Place; sign: string }} props */
function Step({ to, place, sign }) {
  const title = t("history.match", { number: to.number });
  return html`<${PlaceLink} to=${{ ...place, match: to.number, race: null }} class="button">
    ${sign === "←" ? `${sign} ${title}` : `${title} ${sign}`}
  <//>`;
}

// A kept sheet has no seats any more; the story still knows who sat where at the end.
/**
 * @param {Past.MatchRecord} record
 * @param {Past.Timeline | null} story
 */
function asMatch({ number, sheet }, story) {
  const seats = Object.fromEntries(
    (story?.rounds ?? []).flatMap((round) => round.players).map((one) => [one.player, one.seat]),
  );
  const twice = (/** @type {number} */ seat) => Object.values(seats).filter((one) => one === seat).length > 1;
  const players = sheet.players.map((player) => ({
    ...player,
    name: displayName(player.name),
    seat: twice(seats[player.player]) ? null : (seats[player.player] ?? null),
    present: player.stints.at(-1)?.left == null,
  }));
  const worth = players.filter((player) => player.present).map((player) => player[sheet.scoring]);
  const best = sheet.scoring === "classic" ? Math.max(...worth) : Math.min(...worth);
  const leaders = sheet.rounds.length
    ? players.filter((player) => player.present && player[sheet.scoring] === best).map((player) => player.player)
    : [];
  return { ...sheet, number, players, leaders };
}

/** @param {{ house: Past.HouseRules }} props */
function House({ house }) {
  const rules = HOUSE_RULES.filter((rule) => rule.name in house);
  return html`<details class="panel-box unfold"><summary><h3>${t("past.house")}</h3></summary>
    <dl class="house-list">
      ${rules.map(
        (rule) => html`<div key=${rule.name}>
          <dt>${t(`house.${rule.name}.title`)}</dt><dd>${houseValue(rule.name, house[rule.name])}</dd>
        </div>`,
      )}
    </dl>
  </details>`;
}

/** @param {{ record: Past.MatchRecord; place: Page.Place; load: () => Promise<void> }} props */
function Tools({ record, place, load }) {
  const only = { ...unfiltered(place), from: record.number, to: record.number };
  const forgotten = async () => {
    await load();
    go({ ...place, match: null, race: null });
  };
  return html`<footer class="tools">
    <${PlaceLink} to=${{ ...only, view: "figures" }} class="button">${t("past.figures_of_match")}<//>
    <${PlaceLink} to=${{ ...only, view: "what_if" }} class="button">${t("what_if.title")}<//>
    <${Button} onTap=${() => print()}>${t("sheet.print")}<//>
    <a class="button" href=${`/api/matches/${record.number}.csv`} download>${t("sheet.csv")}</a>
    <a class="button" href=${`/api/matches.json?from=${record.number}&to=${record.number}`}
      download=${`match-${record.number}.json`}>${t("past.json")}</a>
    <${ForgetMatch} record=${record} onDone=${forgotten} />
  </footer>`;
}
