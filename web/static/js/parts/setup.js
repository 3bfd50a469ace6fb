// What the next match is played by: edition, scoring, way, and the house rules.

import { html } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { t } from "../core/texts.js";
import { acting, Choice, editionOf } from "./components.js";
import { HeadStarts } from "./handicap.js";

// The house rules in the order of the sheet; each value and its help are texts of the catalogue.
export const HOUSE_RULES = [
  { name: "deal_tie", values: ["redraw", "first_seat"] },
  { name: "reverse_skips_for_two", values: [false, true] },
  { name: "guilty_gives_turn_back", values: [true, false] },
  { name: "hands_stay_down", values: [false, true], race: true },
  { name: "no_slap", values: ["pick", "all_draw"], race: true },
  { name: "wrong_catch_draws", values: [0, 1, 2, 4] },
  { name: "tie_goes_to", values: ["caller", "catcher"] },
  { name: "race_on_last_card", values: [false, true], race: true },
  { name: "lowest_tie", values: ["share", "play_on"] },
  { name: "late_start", values: ["highest", "average", "zero"] },
  { name: "target", values: [null, 100, 200, 300, 500, 1000] },
  { name: "next_dealer", values: ["left", "winner"] },
  { name: "most_players", values: [2, 4, 6, 8, 10] },
];

/** @param {Page.AtTable} props */
export function Setup({ table }) {
  const { edition, scoring, way } = table.setup;
  const chosen = /** @type {Table.EditionShown} */ (table.editions.find((one) => one.key === edition));
  const editions = table.editions.map((one) => ({
    value: one.key,
    title: one.name,
    help: t("setup.edition_help", { size: one.size, dealt: one.dealt, target: one.target }),
  }));
  const scorings = ["classic", "alternative"].map((value) => ({
    value,
    title: t(`scoring.${value}.title`),
    help: t(`scoring.${value}.help`, { target: table.setup.house.target ?? chosen.target }),
  }));
  const set = (part) => act("set_up", part);
  return html`<section class="block">
    <h2>${t("setup.title")}</h2>
    <${Setting} name=${t("setup.edition")} value=${edition} options=${editions}
      onChoose=${(value) => set({ edition: value })} />
    <${Setting} name=${t("setup.scoring")} value=${scoring} options=${scorings}
      onChoose=${(value) => set({ scoring: value })} />
    <${Setting} name=${t("setup.way")} value=${way} options=${ways(chosen)}
      onChoose=${(value) => set({ way: value })} />
  </section>`;
}

// One line a choice; only what is chosen is explained, so that all fits beside the players.
function Setting({ name, value, options, onChoose }) {
  const chosen = options.find((option) => option.value === value);
  const short = options.map((option) => ({ value: option.value, title: option.title }));
  return html`<div class="setting"><span class="setting-name">${name}</span>
    <${Choice} name=${name} value=${value} options=${short} disabled=${!acting()} onChoose=${onChoose} />
    <small>${chosen?.help}</small></div>`;
}

/** @param {Table.EditionShown} edition */
export function ways(edition) {
  const help = { free: t(edition.race ? "way.free.help" : "way.free.no_races"), refereed: t("way.refereed.help") };
  return ["free", "refereed"].map((value) => ({ value, title: t(`way.${value}.title`), help: help[value] }));
}

// Before the match the rules can be changed; in a match they can be read.
/** @param {Page.AtTable} props */
export function HouseRules({ table }) {
  const house = table.match ? table.match.house : table.setup.house;
  const { race } = editionOf(table);
  const locked = !acting() || table.match !== null;
  const set = (name, value) => act("set_up", { house: { ...house, [name]: value } });
  return html`<div class="house">
    ${table.match && html`<p class="hint">${t("house.locked")}</p>`}
    ${HOUSE_RULES.filter((rule) => race || !rule.race).map(
      (rule) => html`<div class="house-rule" key=${rule.name}>
        <p><strong>${t(`house.${rule.name}.title`)}</strong> <span>${t(`house.${rule.name}.help`)}</span></p>
        <${Choice} name=${t(`house.${rule.name}.title`)} value=${house[rule.name]} disabled=${locked}
          options=${rule.values.map((value) => ({ value, title: houseValue(rule.name, value) }))}
          onChoose=${(value) => set(rule.name, value)} />
      </div>`,
    )}
    ${race && table.seats.length > 0 && html`<${HeadStarts} table=${table} />`}
  </div>`;
}

// A rule as it holds, in a few words: "A wrong catch costs (2)"; what is simply so needs no value.
export function houseRule(name, value) {
  const title = t(`house.${name}.title`);
  return value === true || value === undefined ? title : `${title} (${houseValue(name, value)})`;
}

export function houseValue(name, value) {
  if (typeof value === "boolean") return t(value ? "house.yes" : "house.no");
  if (typeof value === "number") return String(value);
  if (value === null) return t("house.as_printed");
  return t(`house.${name}.${value}`);
}
