// What the next match is played by: edition, scoring, way, and the house rules.

import { html } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { t } from "../core/texts.js";
import { acting, Choice, editionOf } from "../parts/components.js";
import { HeadStarts } from "./handicap.js";

// The house rules in the order of the sheet; each value and its help are texts of the catalogue. `rule` is the number
// of the rule that it belongs to, `race` says that only an edition with races has it. "What if" asks about it within a
// round, or only for the whole match, or never.
// What is changed most comes first.
const GROUPS = ["often", "race", "uno", "cards", "score"];

/** @type {Page.HouseRule[]} */
export const HOUSE_RULES = [
  { name: "deal_tie", group: "score", rule: 2, values: ["redraw", "first_seat"], whatIf: "match" },
  { name: "reverse_skips_for_two", group: "cards", rule: 7, values: [false, true], whatIf: "round" },
  { name: "guilty_gives_turn_back", group: "cards", rule: 11, values: [true, false], whatIf: "round" },
  { name: "hands_stay_down", group: "race", rule: 12, values: [false, true], whatIf: "race", race: true },
  { name: "no_slap", group: "race", rule: 12, values: ["pick", "all_draw"], whatIf: "race", race: true },
  { name: "wrong_catch_draws", group: "uno", rule: 13, values: [0, 1, 2, 4], whatIf: "round" },
  { name: "tie_goes_to", group: "uno", rule: 13, values: ["caller", "catcher"], whatIf: "round" },
  { name: "show_missing_call", group: "uno", rule: 13, values: [false, true], whatIf: "never" },
  { name: "race_on_last_card", group: "race", rule: 14, values: [false, true], whatIf: "round", race: true },
  { name: "lowest_tie", group: "score", rule: 19, values: ["share", "play_on"], whatIf: "match" },
  { name: "late_start", group: "score", rule: 19, values: ["highest", "average", "zero"], whatIf: "never" },
  { name: "target", group: "often", rule: 18, values: [null, 100, 200, 300, 500, 1000], whatIf: "never" },
  { name: "next_dealer", group: "often", rule: 20, values: ["left", "winner"], whatIf: "match" },
  { name: "most_players", group: "score", rule: 20, values: [2, 4, 6, 8, 10], whatIf: "never" },
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
  const set = (/** @type {object} */ part) => act("set_up", part);
  const { house } = table.setup;
  const target = house.target ?? chosen.target;
  const targets = [...new Set([100, 200, 500, 1000, chosen.target, target])]
    .sort((a, b) => a - b)
    .map((value) => ({ value: String(value), title: String(value) }));
  return html`<section class="setup" aria-label=${t("setup.title")}>
    <${Setting} name=${t("setup.edition")} value=${edition} options=${editions}
      onChoose=${(value) => set({ edition: value })} />
    <${Setting} name=${t("setup.scoring")} value=${scoring} options=${scorings}
      onChoose=${(value) => set({ scoring: value })} />
    <${Setting} name=${t("house.target.title")} value=${String(target)} options=${targets}
      onChoose=${(value) =>
        set({ house: { ...house, target: Number(value) === chosen.target ? null : Number(value) } })} />
    <${Setting} name=${t("setup.way")} value=${way} options=${ways(chosen)}
      onChoose=${(value) => set({ way: value })} />
  </section>`;
}

// All choices stand in one row; only what is chosen is explained.
/**
 * @param {{ name: string; value: string; options: { value: string; title: string; help?: string }[];
 *   onChoose: (value: string) => unknown }} props
 */
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
  return Object.entries(help).map(([value, text]) => ({ value, title: t(`way.${value}.title`), help: text }));
}

// Before the match the rules can be changed; in a match they can be read.
/** @param {Page.AtTable} props */
export function HouseRules({ table }) {
  const house = table.match ? table.match.house : table.setup.house;
  const { race } = editionOf(table);
  const locked = !acting() || table.match !== null;
  const set = (/** @type {string} */ name, /** @type {any} */ value) =>
    act("set_up", { house: { ...house, [name]: value } });
  return html`<div class="house">
    ${table.match && html`<p class="hint">${t("house.locked")}</p>`}
    ${GROUPS.filter((group) => race || group !== "race").map(
      (group) => html`<section key=${group} class="house-group"><h3>${t(`house.groups.${group}`)}</h3>
        ${group === "race" && table.seats.length > 0 && html`<${HeadStarts} table=${table} />`}
        ${HOUSE_RULES.filter((rule) => rule.group === group && (race || !rule.race)).map(
          (rule) => html`<div class="house-rule" key=${rule.name}>
            <p><strong>${t(`house.${rule.name}.title`)}</strong> <span>${t(`house.${rule.name}.help`)}</span></p>
            <${Choice} name=${t(`house.${rule.name}.title`)} value=${house[rule.name]} disabled=${locked}
              options=${rule.values.map((value) => ({ value, title: houseValue(rule.name, value) }))}
              onChoose=${(value) => set(rule.name, value)} />
          </div>`,
        )}</section>`,
    )}
  </div>`;
}

// A rule as it holds, in a few words: "A wrong catch costs (2)"; what is simply so needs no value.
/**
 * @param {string} name
 * @param {unknown} value
 */
export function houseRule(name, value) {
  const title = t(`house.${name}.title`);
  return value === true || value === undefined ? title : `${title} (${houseValue(name, value)})`;
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function houseValue(name, value) {
  if (typeof value === "boolean") return t(value ? "house.yes" : "house.no");
  if (typeof value === "number") return String(value);
  if (value === null) return t("house.as_printed");
  return t(`house.${name}.${value}`);
}
