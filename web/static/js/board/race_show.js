// A race on the large screen: lights, lanes that fill while hands are awaited, then who was last.

import { html, useEffect, useRef } from "../../vendor/htm-preact.js";
import { MS } from "../core/axis.js";
import { tableNow } from "../core/connection.js";
import { number } from "../core/counted.js";
import { listed, sentenceText, t } from "../core/texts.js";
import { Heard, Mark, nameOf } from "../parts/components.js";
import { Headline, whyOf } from "../race/headline.js";
import { Lights, LiveLanes, PhotoLanes } from "../race/lanes.js";
import { bright, Large } from "../race/large.js";
import { digitsOf, ms } from "../race/margin.js";
import { inOrder } from "../score/places.js";
import { marksOf } from "../score/track.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Page.AtTable<Page.InRace>} props */
export function RaceShow({ table }) {
  const { race } = table;
  const ruling = table.rulings.find((one) => one.number === race.ruling);
  switch (race.state) {
    case "ruled":
      return html`<${Finished} table=${table} ruling=${ruling} />`;
    case "undecided":
      return html`<${DeadHeat} table=${table} ruling=${ruling} />`;
    default:
      return html`<${Running} table=${table} />`;
  }
}

/** @param {Page.AtTable<Page.InRace>} props */
function Running({ table }) {
  const { race } = table;
  const light = race.state === "slap_off" ? race.slap_off : null;
  const dark = light !== null && !light.lit;
  const title = t(light ? "race.slap_off" : "race.title");
  return html`<main class="show-race ${dark ? "dark" : "lit"}" data-state=${race.state}>
    <header class="show-race-head">
      <div><p class="show-by">${light ? t("show.tie") : by(table)}</p>
        <h1 class="show-title" style=${{ "--letters": title.length }}>${title}</h1></div>
      <${Lights} dark=${dark} heard />
      ${
        light
          ? html`<p class="show-call">${t(dark ? "race.wait" : "race.now")}</p>`
          : html`<${Clock} start=${race.anchor} />`
      }
    </header>
    <${JumpedLight} table=${table} />
    <${LiveLanes} table=${table} />
    <${Totals} table=${table} />
  </main>`;
}

/** @param {Table.View & Page.InRace} table */
function by(table) {
  return table.race.layer === null
    ? t("show.hands_down")
    : t("show.laid_by", { name: nameOf(table, table.race.layer) });
}

/** @param {Page.AtTable<Page.InRace>} props */
function JumpedLight({ table }) {
  const [latest] = table.rulings;
  if (table.race.state !== "slap_off" || latest?.outcome !== "false_starts") return null;
  return html`<p class="show-call jumped">${sentenceText(latest.sentence)}</p>`;
}

// The clock runs without anything being drawn anew; who wants no motion has none.
/** @param {{ start: number }} props */
function Clock({ start }) {
  const box = useRef(null);
  useEffect(() => {
    if (still.matches) return undefined;
    let frame = 0;
    const tick = () => {
      if (box.current) box.current.textContent = number(Math.max(0, (tableNow() - start) / MS) / 1000, 2);
      frame = requestAnimationFrame(tick);
    };
    tick();
    return () => cancelAnimationFrame(frame);
  }, [start]);
  return html`<p class="show-clock" aria-hidden="true" ref=${box}></p>`;
}

/** @param {Page.AtTable<Page.InRace> & { ruling: Table.Ruling | undefined }} props */
function Finished({ table, ruling }) {
  return html`<main class="verdict-show cost with-lanes" data-state="ruled">
    ${
      ruling &&
      html`<${Headline} as="h1" class="verdict-line" table=${table} ruling=${ruling}
        otherwise=${sentenceText(ruling.sentence)} />`
    }
    <p class="verdict-why">${ruling && why(table, ruling)}</p>
    <div class="show-chequers" aria-hidden="true"></div>
    <${PhotoLanes} table=${table} />
  </main>`;
}

/**
 * @param {Table.View & Page.InRace} table
 * @param {Table.Ruling} ruling
 */
function why(table, ruling) {
  const { finish } = table.race;
  if (!finish?.margin || finish.no_slap || ruling.outcome !== "last") return whyOf(ruling);
  const margin = t("show.last_by", { margin: ms(finish.margin, digitsOf(finish)) });
  return [margin, by(table), ...(finish.by_handicap ? [t("race.by_handicap")] : [])].join(" · ");
}

/** @param {Page.AtTable<Page.InRace> & { ruling: Table.Ruling | undefined }} props */
function DeadHeat({ table, ruling }) {
  const { race } = table;
  const together = race.outcome === "dead_heat";
  const title = together ? t("show.dead_heat") : t("show.open");
  const names = listed(race.tied.map((seat) => nameOf(table, seat)));
  return html`<main class="verdict-show tie with-lanes" data-state="undecided">
    <${Large} as="h1" class="verdict-line" text=${bright(title)} />
    <p class="verdict-why">${together ? names : ruling && sentenceText(ruling.sentence)}</p>
    <div class="show-chequers" aria-hidden="true"></div>
    <${PhotoLanes} table=${table} />
  </main>`;
}

// The score stays in sight while everybody looks at the lanes.
/** @param {Page.AtTable} props */
function Totals({ table }) {
  const { match } = table;
  if (!match) return null;
  const marks = marksOf(match);
  return html`<footer class="show-totals">
    ${inOrder(match).map(
      (
        player,
      ) => html`<span key=${player.player}><${Mark} seat=${marks[player.player]} /><${Heard}>${player.name}<//>${" "}
        <strong>${player[match.scoring]}</strong></span>`,
    )}
  </footer>`;
}
