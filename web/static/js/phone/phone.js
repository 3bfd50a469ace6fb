// A player's phone: one large button, what concerns this seat, and its own hand at the end of a round.

import { html, render, useEffect, useState } from "../../vendor/htm-preact.js";
import { startAwake } from "../core/awake.js";
import { momentOf, startClock } from "../core/clock.js";
import { act, start } from "../core/connection.js";
import { counted } from "../core/counted.js";
import { startLanguage } from "../core/language.js";
import { change, open, useStore } from "../core/store.js";
import { explained, has, listed, named, said, t } from "../core/texts.js";
import { CardFace, cardTitle } from "../parts/cards.js";
import { Button, editionOf, Heard, Mark, nameOf } from "../parts/components.js";
import { HeadStartChip } from "../parts/handicap.js";
import { Asked, questionsTo } from "../parts/questions.js";
import { Settings } from "../parts/settings.js";
import { isOpen } from "../race/race.js";
import { Entry } from "../score/hands.js";
import { Share, seatsOf } from "../share/share.js";
import { pressed, startHearing } from "../sound/hearing.js";
import { ownPlace, ownRound, ownStep } from "./player_words.js";

const PRESSED = 250; // milliseconds for which a press stays visible

function Phone() {
  const { shown, link, role, seat: own, notice, refused, dialog } = useStore();
  if (!shown) return html`<p class="loading">${t("link.connecting")}</p>`;
  const table = named(shown.table);
  const number = own ?? Number(location.pathname.split("/")[2]);
  const seat = table.seats.find((one) => one.number === number);
  const able = link === "live" && (role === "referee" || own === number);
  const problem = notice ?? refused?.answer;
  return html`<div class="phone ${link}" data-link=${link} data-role=${role} data-seat=${number}>
    <header class="phone-top">
      ${seat && html`<${Mark} seat=${number} />`}
      <div class="phone-who"><h1 class="name">${seat ? seat.name : t("common.seat", { number })}</h1>
        ${
          seat &&
          html`<p class="phone-facts">
            ${
              table.match &&
              html`<span class="phone-total">
                ${seat[table.match.scoring]} <small>${t("phone.of", { target: table.match.target })}</small>
              </span>`
            }<${HeadStartChip} table=${table} seat=${seat} />
          </p>`
        }</div>
      <button type="button" class="button quiet round" aria-label=${t("settings.title")}
        onClick=${() => open("settings")}>☰</button>
    </header>
    <div class="phone-news" role="status">
      ${link !== "live" && html`<p class="banner stale">${t("phone.stale")}</p>`}
      ${
        problem &&
        html`<p class="banner notice"><span>${explained(problem)}${refused && html` ${t("phone.ask_referee")}`}</span>
          <button type="button" class="button quiet round" aria-label=${t("common.close")}
            onClick=${() => change({ notice: null, refused: null })}>✕</button></p>`
      }
      ${link === "live" && !able && html`<p class="banner watching">${t(seat ? "phone.watching" : "phone.nobody")}</p>`}
    </div>
    ${seat && html`<${Own} table=${table} seat=${seat} able=${able} paired=${own === number} />`}
    ${
      !seat &&
      html`<main class="phone-main"><div class="phone-told"><p class="phone-wait">${t("phone.empty")}</p>
        <a class="button" href="/">${t("pages.table")}</a></div></main>`
    }
    ${dialog && html`<${Settings} />`}
  </div>`;
}

/** @param {Page.AtTable<Page.InMatch> & { seat: Table.SeatShown }} props */
function Own({ table, seat, able, paired }) {
  if (table.phase === "hands" && seat.scored && !isOpen(table.race))
    return html`<${OwnHand} table=${table} seat=${seat} able=${able} />`;
  if (table.round && seat.playing) return html`<${OwnButton} table=${table} seat=${seat} able=${able} />`;
  return html`<main class="phone-main"><div class="phone-told"><p class="phone-wait">${ownStep(table, seat, paired)}</p>
    ${table.match && html`<p class="phone-place">${ownPlace(table, seat)}</p>`}
    ${table.phase === "between" && html`<p class="hint">${ownRound(table, seat)}</p>`}</div>
    ${
      table.phase === "won" && html`<${Share} class="huge" match=${table.match.number} seats=${seatsOf(table.match)} />`
    }</main>`;
}

// What a press would be good for now.
/**
 * @param {Table.View} table
 * @param {Table.SeatShown} seat
 */
function meaning(table, seat) {
  const dark = table.race?.state === "slap_off" && !table.race.slap_off?.lit;
  if (seat.racing) return dark ? "wait" : "slap";
  if (table.race?.state === "undecided") return table.race.tied.includes(seat.number) ? "tie" : "race";
  if (seat.slapped) return "slapped";
  if (isOpen(table.race)) return table.race?.layer === seat.number ? "layer" : "race";
  if (seat.press_again) return "twice";
  if (seat.on_one) return seat.called ? "called" : "uno";
  if (table.round?.way === "refereed" && table.uno) return "catch";
  return seat.called ? "called" : "uno";
}

/** @param {Page.AtTable & { seat: Table.SeatShown }} props */
function OwnButton({ table, seat, able }) {
  const [down, setDown] = useState(false);
  useEffect(() => {
    const timer = down ? setTimeout(() => setDown(false), PRESSED) : undefined;
    return () => clearTimeout(timer);
  }, [down]);
  const press = (event) => {
    event.preventDefault();
    const moment = momentOf(event);
    setDown(true);
    pressed();
    act("press_seat", { seat: seat.number, ...moment });
  };
  const typed = (event) => [" ", "Enter"].includes(event.key) && !event.repeat && press(event);
  const kind = meaning(table, seat);
  const hint = editionOf(table).race && ["uno", "called"].includes(kind);
  return html`<main class="phone-main">
    <${Concerns} table=${table} seat=${seat} able=${able} />
    <button type="button" class="own-button ${kind} ${down ? "down" : ""}" disabled=${!able} data-meaning=${kind}
      onPointerDown=${press} onKeyDown=${typed} onContextMenu=${(event) => event.preventDefault()}>
      <span class="own-cap"><${Mark} seat=${seat.number} /><strong>${t(`phone.${kind}`)}</strong>
        <small>${t(`phone.${kind}_help`)}</small>${hint && html`<small>${t("phone.in_a_race")}</small>`}</span>
    </button>
    ${able && html`<${Exactness} />`}
  </main>`;
}

// How exactly a press on this phone is dated, as far as the table knows by now.
function Exactness() {
  const { exact } = useStore();
  const text = exact === null ? t("phone.not_in_step") : t("phone.exact", { doubt: exact });
  return html`<p class="exactness" data-exact=${exact ?? ""}>${text}</p>`;
}

// A question to this player takes the place of what else there is to say.
/** @param {Page.AtTable<Page.InRace> & { seat: Table.SeatShown }} props */
function Concerns({ table, seat, able }) {
  const questions = questionsTo(table, seat.number);
  const verdict =
    seat.last && table.race?.state === "ruled" && table.rulings.find((ruling) => ruling.number === table.race.ruling);
  return html`<div class="concerns"><${Asked} questions=${questions} able=${able} />
    ${!questions.length && html`<${Told} table=${table} seat=${seat} verdict=${verdict} />`}</div>`;
}

/** @param {Page.AtTable & { seat: Table.SeatShown }} props */
function Told({ table, seat, verdict }) {
  const others = !seat.turn && !seat.racing && seat.owes === 0 && !table.next.code.startsWith("next.free");
  return html`<ul>
    ${
      seat.owes > 0 &&
      html`<li class="owes">
        ${verdict ? said(verdict.sentence) : t("phone.owes", { cards: seat.owes })}
      </li>`
    }
    ${seat.turn && html`<li class="turn">${t("phone.turn")}</li>`}
    ${seat.on_one && html`<li class="one">${t(seat.called ? "phone.one_called" : "phone.one")}</li>`}
    ${seat.hand !== null && !seat.on_one && html`<li>${t("phone.holds", { cards: seat.hand })}</li>`}
    ${others && html`<li class="others">${ownStep(table, seat)}</li>`}
  </ul>`;
}

/** @param {Page.AtTable<Page.InRound> & { seat: Table.SeatShown }} props */
function OwnHand({ table, seat, able }) {
  const [again, setAgain] = useState(false);
  const left = table.round.left[seat.number];
  const missing = table.round.missing_hands.map((number) => nameOf(table, number));
  const others = html`<p class="hint">
    ${missing.length ? t("phone.missing", { names: listed(missing) }) : ownStep(table, seat)}
  </p>`;
  if (seat.out)
    return html`<main class="phone-main">
      <div class="phone-told"><p class="phone-wait">${t("phone.out")}</p>${others}</div>
    </main>`;
  if (!left || again) {
    return html`<main class="phone-main entering"><h2>${t("phone.count")}</h2>
      <${Entry} table=${table} seat=${seat.number} able=${able} own onDone=${() => setAgain(false)} /></main>`;
  }
  return html`<main class="phone-main">
    <div class="phone-told"><p class="phone-wait">${t("phone.counted", { points: counted("points", left.points) })}</p>
      ${left.cards && html`<${CountedCards} table=${table} cards=${left.cards} />`}
      ${others}</div>
    <${Button} disabled=${!able} onTap=${() => setAgain(true)}>${t("phone.again")}<//>
  </main>`;
}

// What the table has of this hand, to be compared with the cards themselves.
/** @param {Page.AtTable} props */
function CountedCards({ table, cards }) {
  const held = editionOf(table).cards.filter((card) => cards[card.card]);
  return html`<ul class="held counted-cards" aria-label=${t("phone.your_cards")}>
    ${held.map(
      (card) => html`<li key=${card.card} data-counted=${card.card}><${CardFace} card=${card} />
        ${cards[card.card] > 1 && html`<span class="count" aria-hidden="true">${cards[card.card]}</span>`}
        <${Heard}>${t("card.counted", { card: cardTitle(card), count: cards[card.card] })}<//></li>`,
    )}
  </ul>`;
}

await startLanguage();
const problem = `pair.${location.hash.slice(1)}`;
if (location.hash && has(problem)) change({ notice: { error: location.hash.slice(1), message: t(problem) } });
startHearing("phone");
startAwake();
startClock();
render(html`<${Phone} />`, document.getElementById("page"));
start();
