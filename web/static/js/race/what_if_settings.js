// What to judge by instead: switches and steps for rules, durations and head starts, and the asking.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { MS } from "../core/axis.js";
import { displayName, explained, t } from "../core/texts.js";
import { Button, Choice, Mark } from "../parts/components.js";
import { HOUSE_RULES, houseValue } from "../setup/setup.js";

const PAUSE = 200; // a finger that still moves is not answered yet

// Each with the values that a finger steps through, in milliseconds.
/** @type {{ name: keyof Past.Timing; race?: boolean; values: number[] }[]} */
const DURATIONS = [
  { name: "switch_tolerance", race: true, values: [0, 1, 2, 5, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200] },
  { name: "tablet_uncertainty", race: true, values: [0, 5, 10, 20, 50, 80, 100, 150, 250] },
  { name: "race_limit", race: true, values: [500, 1000, 1500, 2000, 3000, 5000, 7500, 10000, 15000, 20000] },
  { name: "least_gap", values: [0, 0.1, 1, 5, 10, 20, 50] },
];
const HEAD_STARTS = [0, 25, 50, 75, 100, 150, 200, 300, 400, 500, 750, 1000, 1500, 2000];
const MOST_NAMES = 10; // those who have played most; a table has no more seats

/** @param {Page.WhatIfWish} wish */
export function isEmpty(wish) {
  return (
    !wish.scoring && [wish.house, wish.timing, wish.handicaps].every((part) => Object.keys(part ?? {}).length === 0)
  );
}

// The answer to the latest question; an earlier one that comes late is passed over.
/**
 * @param {object} place
 * @param {Page.WhatIfWish} wish
 * @param {string} query
 */
export function useWhatIf(place, wish, query = "") {
  const [answer, setAnswer] = useState(null);
  const [trouble, setTrouble] = useState(null);
  const asked = JSON.stringify({ ...place, ...wish });
  useEffect(() => {
    if (isEmpty(wish)) {
      setAnswer(null);
      setTrouble(null);
      return undefined;
    }
    let wanted = true;
    const ask = async (/** @type {number} */ tries) => {
      const found = await fetch(`/api/what-if${query && `?${query}`}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: asked,
      })
        .then((reply) => reply.json())
        .catch(() => ({ error: "not_reached", message: t("look.failed") }));
      if (!wanted) return;
      if (found.error === "busy_judging" && tries > 0) setTimeout(() => wanted && ask(tries - 1), 1000);
      else if (found.error) setTrouble(explained(found));
      else {
        setTrouble(null);
        setAnswer(found);
      }
    };
    const timer = setTimeout(() => ask(3), PAUSE);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [asked, query]);
  return [answer, trouble];
}

// A part of the wish with one thing changed; what is as it was played is not wished for.
/**
 * @param {Page.WhatIfWish} wish
 * @param {"house" | "timing" | "handicaps"} part
 * @param {string} name
 * @param {unknown} value
 * @param {unknown} played
 * @returns {Page.WhatIfWish}
 */
function changed(wish, part, name, value, played) {
  const rest = { ...(wish[part] ?? {}) };
  if (value === played) delete rest[name];
  else rest[name] = value;
  return { ...wish, [part]: rest };
}

/**
 * @param {{ look: Past.RaceReview; names: Record<number, string>; wish: Page.WhatIfWish;
 *   onWish: (wish: Page.WhatIfWish) => void }} props
 */
export function RaceWishes({ look, names, wish, onWish }) {
  const timing = (/** @type {keyof Past.Timing} */ name) => look.timing[name] / MS;
  const durations = DURATIONS.filter((one) => one.race && relevant(one.name, look));
  const racers = look.racers.filter((seat) => names[seat]);
  const headStart = (/** @type {number} */ seat) => (look.handicaps[seat] ?? 0) / MS;
  const title = Object.fromEntries(look.seats.map((seat) => [seat.number, seat.name]));
  return html`<section class="wishes" aria-label=${t("what_if.title")}>
    <header class="wishes-head"><h3>${t("what_if.title")}</h3><${Reset} wish=${wish} onWish=${onWish} /></header>
    <div class="wish-grid">
      ${durations.map(
        (one) => html`<${Steps} key=${one.name} label=${t(`what_if.timing.${one.name}`)} values=${one.values}
          played=${timing(one.name)} asked=${wish.timing?.[`${one.name}_ms`]}
          onStep=${(value) => onWish(changed(wish, "timing", `${one.name}_ms`, value, timing(one.name)))} />`,
      )}
      ${
        look.kind !== "slap_off" &&
        HOUSE_RULES.filter((rule) => rule.whatIf === "race").map(
          (rule) =>
            html`<${HouseWish} key=${rule.name} rule=${rule} played=${look.house[rule.name]} wish=${wish}
              onWish=${onWish} />`,
        )
      }
      ${racers.map(
        (seat) => html`<${Steps} key=${seat} seat=${seat} label=${t("what_if.head_start", { name: names[seat] })}
          values=${HEAD_STARTS} played=${headStart(seat)} asked=${wish.handicaps?.[title[seat]]}
          onStep=${(value) => onWish(changed(wish, "handicaps", title[seat], value, headStart(seat)))} />`,
      )}
    </div>
    <p class="hint">${t("what_if.nothing_changes")}</p>
  </section>`;
}

/**
 * @param {string} name
 * @param {Past.RaceReview} look
 */
function relevant(name, look) {
  if (name === "tablet_uncertainty") return look.presses.some((press) => press.source === "tablet");
  return name !== "race_limit" || look.kind === "race";
}

/** @param {{ wish: Page.WhatIfWish; onWish: (wish: Page.WhatIfWish) => void }} props */
export function Reset({ wish, onWish }) {
  return html`<${Button} disabled=${isEmpty(wish)} onTap=${() => onWish({})}>${t("what_if.reset")}<//>`;
}

/**
 * @param {{ rule: Page.HouseRule; played: unknown; wish: Page.WhatIfWish;
 *   onWish: (wish: Page.WhatIfWish) => void }} props
 */
function HouseWish({ rule, played, wish, onWish }) {
  const value = wish.house?.[rule.name] ?? played;
  return html`<div class="wish ${value === played ? "" : "other"}">
    <span class="wish-name">${t(`house.${rule.name}.title`)}</span>
    <${Choice} name=${t(`house.${rule.name}.title`)} value=${value}
      options=${rule.values.map((one) => ({ value: one, title: houseValue(rule.name, one) }))}
      onChoose=${(chosen) => onWish(changed(wish, "house", rule.name, chosen, played))} /></div>`;
}

// Down and up through the values; where it was played by another one, that one is among them.
/**
 * @param {{ label: string; values: number[]; played: number | null; asked?: number; onStep: (value: number) => void;
 *   seat?: number | null }} props
 */
function Steps({ label, values, played, asked, onStep, seat = null }) {
  const known = [...new Set([...values, ...(played === null ? [] : [played])])].sort((one, other) => one - other);
  const value = asked ?? played;
  const at = value === null ? -1 : known.indexOf(value);
  const shown = value === null ? t("what_if.as_played") : t("race.ms", { ms: value });
  return html`<div class="wish ${asked === undefined || value === played ? "" : "other"}" role="group"
    aria-label=${label}>
    <span class="wish-name">${seat && html`<${Mark} seat=${seat} />`}${label}</span>
    <span class="stepper">
      <button type="button" class="button round" aria-label=${t("common.less")} disabled=${at === 0}
        onClick=${() => onStep(known[Math.max(0, at < 0 ? Math.floor(known.length / 2) : at - 1)])}>−</button>
      <output>${shown}</output>
      <button type="button" class="button round" aria-label=${t("common.more")} disabled=${at === known.length - 1}
        onClick=${() => onStep(known[at < 0 ? Math.floor(known.length / 2) : at + 1])}>+</button>
    </span>
  </div>`;
}

/** @type {{ name: string; wish: Page.WhatIfWish; whole?: boolean }[]} */
const PRESETS = [
  { name: "close", wish: { timing: { switch_tolerance_ms: 60 } } },
  { name: "wrong_catch", wish: { house: { wrong_catch_draws: 2 } } },
  { name: "scoring", wish: { scoring: "alternative" }, whole: true },
  { name: "slow", wish: { timing: { race_limit_ms: 1000 } }, whole: false },
];

// Three things that people ask first; a tap on the chosen one takes it back.
/** @param {{ wish: Page.WhatIfWish; onWish: (wish: Page.WhatIfWish) => void; whole: boolean }} props */
export function Presets({ wish, onWish, whole }) {
  const asked = JSON.stringify(wish);
  return html`<div class="presets" role="group" aria-label=${t("what_if.presets")}>
    <span class="chips-name" aria-hidden="true">${t("what_if.presets")}</span>
    ${PRESETS.filter((one) => (one.whole ?? whole) === whole).map((one) => {
      const on = asked === JSON.stringify(one.wish);
      return html`<button type="button" class="button" key=${one.name} data-preset=${one.name} aria-pressed=${on}
        onClick=${() => onWish(on ? {} : one.wish)}>${t(`what_if.preset.${one.name}`)}</button>`;
    })}
  </div>`;
}

// For many matches nothing is known of how each was played; so a wish is made, or it is not.
/**
 * @param {{ wish: Page.WhatIfWish; onWish: (wish: Page.WhatIfWish) => void; players: string[]; whole: boolean }} props
 */
export function NightWishes({ wish, onWish, players, whole }) {
  const scorings = [null, "classic", "alternative"].map((value) => ({
    value,
    title: value ? t(`scoring.${value}.title`) : t("what_if.as_played"),
  }));
  return html`<div class="wish-grid">
    ${
      whole &&
      html`<div class="wish ${wish.scoring ? "other" : ""}"><span class="wish-name">${t("setup.scoring")}</span>
        <${Choice} name=${t("setup.scoring")} value=${wish.scoring ?? null} options=${scorings}
          onChoose=${(value) => onWish({ ...wish, scoring: value ?? undefined })} /></div>`
    }
    ${HOUSE_RULES.filter((rule) => rule.whatIf !== "never" && (whole || rule.whatIf !== "match")).map(
      (rule) => html`<div class="wish ${rule.name in (wish.house ?? {}) ? "other" : ""}" key=${rule.name}>
        <span class="wish-name">${t(`house.${rule.name}.title`)}</span>
        <${Choice} name=${t(`house.${rule.name}.title`)} value=${wish.house?.[rule.name] ?? null}
          options=${[
            { value: null, title: t("what_if.as_played") },
            ...rule.values.map((one) => ({ value: one, title: houseValue(rule.name, one) })),
          ]}
          onChoose=${(value) => onWish(changed(wish, "house", rule.name, value, null))} /></div>`,
    )}
    ${DURATIONS.map(
      (
        one,
      ) => html`<${Steps} key=${one.name} label=${t(`what_if.timing.${one.name}`)} values=${one.values} played=${null}
        asked=${wish.timing?.[`${one.name}_ms`]}
        onStep=${(value) => onWish(changed(wish, "timing", `${one.name}_ms`, value, null))} />`,
    )}
    ${players.slice(0, MOST_NAMES).map(
      (name) => html`<${Steps} key=${name} label=${t("what_if.head_start", { name: displayName(name) })}
        values=${HEAD_STARTS}
        played=${null} asked=${wish.handicaps?.[name]}
        onStep=${(value) => onWish(changed(wish, "handicaps", name, value, null))} />`,
    )}
  </div>`;
}
