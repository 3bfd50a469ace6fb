// All rulings of the match, and the referee's last word on one of them.

import { html, useState } from "../../../vendor/htm-preact.js";
import { act } from "../../core/connection.js";
import { close, open } from "../../core/store.js";
import { sentenceText, t } from "../../core/texts.js";
import { Calling } from "../../parts/calling.js";
import { acting, Button, Dialog, Mark, nameOf } from "../../parts/components.js";
import { Fit } from "../../parts/fit.js";
import { Stepper } from "../../parts/stepper.js";
import { houseRule } from "../../setup/setup.js";
import { isFinish, RuleBadge } from "./rulings.js";

// Rulings about a card, a race or a call can be overruled; points are edited where they stand.
const DISPUTED = ["R4", "R6", "R7", "R8", "R10", "R11", "R12", "R13", "R14"];

/** @param {{ ruling: Table.Ruling; [more: string]: any }} props */
function Ruling({ ruling, table }) {
  return html`<article class="ruling ${ruling.overruled ? "overruled" : ""}" data-ruling=${ruling.number}>
    <${RuleBadge} rule=${ruling.rule} />
    <div class="ruling-text">
      <p>${sentenceText(ruling.sentence)}</p>
      ${
        ruling.house.length > 0 &&
        html`<small>
          ${t("rulings.house", {
            rules: ruling.house.map((name) => houseRule(name, table.match.house[name])).join(t("list.separator")),
          })}
        </small>`
      }
      ${
        ruling.back.length > 0 &&
        html`<small>
          ${t("rulings.back", {
            cards: ruling.back.map((one) => `${nameOf(table, one.seat)} ${one.cards}`).join(t("list.separator")),
          })}
        </small>`
      }
      ${ruling.overruled && html`<small>${sentenceText(ruling.overruled)}</small>`}
      ${
        ruling.evidence?.type === "calling" &&
        html`<${Calling} call=${ruling.evidence.call}
          caught=${ruling.evidence.catch} />`
      }
    </div>
    <div class="ruling-actions">
      ${isFinish(table, ruling) && html`<${Button} tone="quiet" onTap=${() => open("photo")}>${t("race.photo")}<//>`}
      ${
        ruling.rule === "R12" &&
        ruling.evidence?.type === "finish" &&
        html`<${Button} tone="quiet"
          onTap=${() => open("look", { ruling: ruling.number })}>${t("rulings.second_look")}<//>`
      }
      ${
        !ruling.overruled &&
        table.round &&
        DISPUTED.includes(ruling.rule) &&
        html`<${Button} tone="quiet"
          disabled=${!acting()} onTap=${() => open("overrule", { ruling: ruling.number })}>${t("rulings.overrule")}<//>`
      }</div>
  </article>`;
}

/** @param {Page.AtTable} props */
export function AllRulings({ table }) {
  return html`<${Dialog} title=${t("rulings.title")} wide>
    <div class="all-rulings">
      ${table.rulings.map((ruling) => html`<${Ruling} key=${ruling.number} ruling=${ruling} table=${table} />`)}
    </div>
  <//>`;
}

// The referee's word in place of the ruling's: which seats draw, and how many.
/** @param {Page.AtTable} props */
export function Overrule({ table, ruling: number }) {
  const ruling = table.rulings.find((one) => one.number === number);
  const [seats, setSeats] = useState([]);
  const [cards, setCards] = useState(2);
  if (!ruling) return null;
  const toggle = (/** @type {number} */ seat) =>
    setSeats(seats.includes(seat) ? seats.filter((one) => one !== seat) : [...seats, seat]);
  const overrule = (/** @type {object} */ fields) => act("overrule", { ruling: number, ...fields }, close);
  return html`<${Dialog} title=${t("overrule.title")}>
    <p class="quote">${sentenceText(ruling.sentence)}</p>
    <${Button} tone="primary" class="huge" onTap=${() => overrule({})}>${t("overrule.nobody")}<//>
    <h3>${t("overrule.or")}</h3>
    <div class="picker">
      ${table.seats
        .filter((seat) => seat.playing)
        .map(
          (seat) => html`<button type="button" class="button who" key=${seat.number}
            aria-pressed=${seats.includes(seat.number)} onClick=${() => toggle(seat.number)}>
            <${Mark} seat=${seat.number} /><${Fit} text=${seat.name} /></button>`,
        )}
    </div>
    <div class="row">
      <${Stepper} value=${cards} least=${1} most=${20} onChange=${setCards} label=${t("overrule.cards")} />
      <${Button} tone="primary" disabled=${!seats.length} onTap=${() => overrule({ seats, draws: cards })}>
        ${t("overrule.draw", { cards })}
      <//>
    </div>
  <//>`;
}
