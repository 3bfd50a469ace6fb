// The head start of one player, as it is chosen.

import { html, useState } from "../../vendor/htm-preact.js";
import { MS } from "../core/axis.js";
import { act } from "../core/connection.js";
import { close } from "../core/store.js";
import { t } from "../core/texts.js";
import { acting, Button, Choice, Dialog, seatOf } from "../parts/components.js";

const STEP = 50;
const MOST = 2000;
const COMMON = [0, 100, 200, 300, 500, 1000];

// What is being chosen belongs to the finger; the table hears of it once, so that one step takes it back.
/** @param {Page.AtTable} props */
export function HeadStart({ table, seat: number }) {
  const seat = seatOf(table, number);
  const [chosen, setChosen] = useState(null);
  if (!seat) return null;
  const held = seat.handicap / MS;
  const ms = chosen ?? held;
  const give = () => act("set_handicap", { seat: number, milliseconds: ms }, close);
  const options = COMMON.map((one) => ({ value: one, title: one ? String(one) : t("handicap.none") }));
  return html`<${Dialog} title=${t("handicap.of", { name: seat.name })}>
    <p>${t("handicap.help", { name: seat.name })}</p>
    <div class="head-start-step" role="group" aria-label=${t("handicap.of", { name: seat.name })}>
      <button type="button" class="button" aria-label=${t("handicap.less")} disabled=${ms <= 0}
        onClick=${() => setChosen(Math.max(0, ms - STEP))}>−</button>
      <output>${t("race.ms", { ms })}</output>
      <button type="button" class="button" aria-label=${t("handicap.more")} disabled=${ms >= MOST}
        onClick=${() => setChosen(Math.min(MOST, ms + STEP))}>+</button>
    </div>
    <div class="head-starts">
      <${Choice} name=${t("house.handicap.title")} value=${ms} options=${options} onChoose=${setChosen} />
    </div>
    <div class="go"><${Button} tone="primary" class="huge" disabled=${!acting() || ms === held} onTap=${give}>
      ${ms ? t("handicap.save", { ms }) : t("handicap.take")}<//></div>
  <//>`;
}
