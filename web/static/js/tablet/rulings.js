// The latest rulings: what was decided, by which rule, and the referee's last word on it.

import { html, useState } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { close, open } from "../core/store.js";
import { said, t } from "../core/texts.js";
import { Calling } from "../parts/calling.js";
import { acting, Button, Dialog, Mark, nameOf } from "../parts/components.js";
import { houseRule } from "../parts/setup.js";

/** @param {Page.AtTable} props */
export function Rulings({ table }) {
  const [latest, before] = table.rulings;
  if (!latest)
    return html`<section class="rulings quiet-box" aria-label=${t("rulings.title")}>
      <p class="hint">${t("rulings.none")}</p>
    </section>`;
  return html`<section class="rulings" aria-label=${t("rulings.title")} aria-live="polite">
    <${Ruling} ruling=${latest} table=${table} latest earlier=${Boolean(before)} />
    ${before && linesOf(latest) <= 2 && html`<${Ruling} ruling=${before} table=${table} />`}
  </section>`;
}

const LINE = 38; // letters in a line of the latest ruling

// About how many lines a ruling takes; the one before it has to leave it the room.
/** @param {Table.Ruling} ruling */
function linesOf(ruling) {
  const more = [
    ruling.house.length > 0,
    ruling.back.length > 0,
    ruling.overruled,
    ruling.evidence?.type === "calling",
  ].filter(Boolean).length;
  return Math.ceil(said(ruling.sentence).length / LINE) + more;
}

// What names many is written smaller, down to its verb.
/** @param {Table.Ruling} ruling */
function sizeOf(ruling) {
  const lines = linesOf(ruling);
  return lines > 5 ? "longest" : lines > 3 ? "long" : "";
}

// Rulings about a card, a race or a call can be overruled; points are edited where they stand.
const DISPUTED = ["R4", "R6", "R7", "R8", "R10", "R11", "R12", "R13", "R14"];

/** @param {{ ruling: Table.Ruling; [more: string]: any }} props */
function Ruling({ ruling, table, latest = false, whole = latest, earlier = false }) {
  const race = table.race?.ruling === ruling.number && ruling.evidence?.type === "finish";
  return html`<article class="ruling ${latest ? `latest ${sizeOf(ruling)}` : ""} ${ruling.overruled ? "overruled" : ""}"
    data-ruling=${ruling.number}>
    <span class="rule" title=${t("rulings.rule")}>${ruling.rule}</span>
    <div class="ruling-text" title=${said(ruling.sentence)}>
      <p>${said(ruling.sentence)}</p>
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
      ${ruling.overruled && html`<small>${said(ruling.overruled)}</small>`}
      ${
        whole &&
        ruling.evidence?.type === "calling" &&
        html`<${Calling} call=${ruling.evidence.call}
          caught=${ruling.evidence.catch} />`
      }
    </div>
    <div class="ruling-actions">
      ${race && whole && html`<${Button} tone="quiet" onTap=${() => open("photo")}>${t("race.photo")}<//>`}
      ${
        whole &&
        ruling.rule === "R12" &&
        ruling.evidence?.type === "finish" &&
        html`<${Button} tone="quiet"
          onTap=${() => open("look", { ruling: ruling.number })}>${t("rulings.second_look")}<//>`
      }
      ${
        whole &&
        !ruling.overruled &&
        table.round &&
        DISPUTED.includes(ruling.rule) &&
        html`<${Button} tone="quiet"
          disabled=${!acting()} onTap=${() => open("overrule", { ruling: ruling.number })}>${t("rulings.overrule")}<//>`
      }
      ${earlier && html`<${Button} tone="quiet" onTap=${() => open("rulings")}>${t("rulings.more")}<//>`}</div>
  </article>`;
}

/** @param {Page.AtTable} props */
export function AllRulings({ table }) {
  return html`<${Dialog} title=${t("rulings.title")} wide>
    <div class="all-rulings">
      ${table.rulings.map((ruling) => html`<${Ruling} key=${ruling.number} ruling=${ruling} table=${table} whole />`)}
    </div>
  <//>`;
}

// Nobody draws, or these seats draw so many: the referee's word replaces the ruling's.
/** @param {Page.AtTable} props */
export function Overrule({ table, ruling: number }) {
  const ruling = table.rulings.find((one) => one.number === number);
  const [seats, setSeats] = useState([]);
  const [cards, setCards] = useState(2);
  if (!ruling) return null;
  const toggle = (seat) => setSeats(seats.includes(seat) ? seats.filter((one) => one !== seat) : [...seats, seat]);
  const overrule = async (fields) => {
    if (await act("overrule", { ruling: number, ...fields })) close();
  };
  return html`<${Dialog} title=${t("overrule.title")}>
    <p class="quote">${said(ruling.sentence)}</p>
    <${Button} tone="primary" class="huge" onTap=${() => overrule({})}>${t("overrule.nobody")}<//>
    <h3>${t("overrule.or")}</h3>
    <div class="picker">
      ${table.seats
        .filter((seat) => seat.playing)
        .map(
          (seat) => html`<button type="button" class="button who" key=${seat.number}
            aria-pressed=${seats.includes(seat.number)} onClick=${() => toggle(seat.number)}>
            <${Mark} seat=${seat.number} /><span class="name">${seat.name}</span></button>`,
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

export function Stepper({ value, least, most, onChange, label }) {
  return html`<div class="stepper" role="group" aria-label=${label}>
    <button type="button" class="button round" aria-label=${t("common.less")} disabled=${value <= least}
      onClick=${() => onChange(value - 1)}>−</button>
    <output>${value}</output>
    <button type="button" class="button round" aria-label=${t("common.more")} disabled=${value >= most}
      onClick=${() => onChange(value + 1)}>+</button>
  </div>`;
}
