// A player's phone: one large button, what concerns this seat, and its own hand at the end of a round.

import { html, render, useEffect, useState } from "../../vendor/htm-preact.js";
import { momentOf, startClock } from "../core/clock.js";
import { act, start, testPress } from "../core/connection.js";
import { counted } from "../core/counted.js";
import { onFlash } from "../core/flashes.js";
import { followLink } from "../core/link.js";
import { tellRenewal } from "../core/renewal.js";
import { change, open, useStore } from "../core/store.js";
import { explained, listed, named, t } from "../core/texts.js";
import { startAwake } from "../device/awake.js";
import { startLanguage } from "../device/language.js";
import { Settings } from "../device/settings.js";
import { startTheme } from "../device/theme.js";
import { CardFace, cardTitle } from "../parts/cards.js";
import { Button, editionOf, Heard, Mark, nameOf } from "../parts/components.js";
import { Fit } from "../parts/fit.js";
import { later } from "../parts/later.js";
import { Asked, questionsTo } from "../parts/questions.js";
import { Trouble } from "../parts/trouble.js";
import { isOpen } from "../race/state.js";
import { EnterHand } from "../score/hands.js";
import { ChooseMark } from "../setup/choose_mark.js";
import { HeadStartChip } from "../setup/handicap.js";
import { Share, ShareMoment, seatsOf } from "../share/share.js";
import { pressed, startHearing } from "../sound/hearing.js";
import { NEWS_LAST, ownNeeds, ownNews, ownPlace, ownRound, ownStep } from "./player_words.js";

const Confetti = later(() => import("../parts/confetti.js"), "Confetti");
const PRESSED = 250; // milliseconds for which a press stays visible

function Phone() {
  const { shown, link, role, seat: own, notice, refused, dialog } = useStore();
  if (!shown) return html`<p class="loading">${t("link.connecting")}</p>`;
  const table = named(shown.table);
  const number = own ?? Number(location.pathname.split("/")[2]);
  const seat = table.seats.find((one) => one.number === number);
  const able = link === "live" && (role === "referee" || own === number);
  const problem = notice ?? refused?.answer;
  return html`<div class="phone ${link}" data-link=${link} data-role=${role} data-seat=${number}
    data-version=${table.version}>
    <${Head} table=${table} seat=${seat} number=${number} />
    <div class="phone-news" role="status">
      ${link !== "live" && html`<p class="banner stale">${t("phone.stale")}</p>`}
      <${Trouble} service=${shown.service} look="banner trouble" />
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
        <a class="button primary huge" href="/">${t("pages.table")}</a></div></main>`
    }
    ${dialog?.name === "mark" && html`<${ChooseMark} table=${table} seat=${number} able=${able} />`}
    ${dialog?.name === "settings" && html`<${Settings} />`}
  </div>`;
}

/** @param {Page.AtTable & { seat: Table.SeatShown | undefined; number: number }} props */
function Head({ table, seat, number }) {
  const { match } = table;
  return html`<header class="phone-top">
    ${
      seat &&
      html`<button type="button" class="button quiet round" aria-label=${t("mark.choose")}
        onClick=${() => open("mark")}><${Mark} seat=${number} /></button>`
    }
    <div class="phone-who">
      <h1><${Fit} text=${seat ? seat.name : t("common.seat", { number })} /></h1>
      ${seat && html`<${HeadStartChip} table=${table} seat=${seat} />`}
    </div>
    ${
      seat &&
      match &&
      html`<p class="phone-total"><strong>${seat[match.scoring]}</strong>${" "}
        <small>${t("phone.of", { target: match.target })}</small></p>`
    }
    ${table.phase !== "won" && html`<${ShareMoment} table=${table} />`}
    <button type="button" class="button quiet round" aria-label=${t("settings.title")}
      onClick=${() => open("settings")}>☰</button>
  </header>`;
}

/** @param {Page.AtTable<Page.InMatch> & { seat: Table.SeatShown }} props */
function Own({ table, seat, able, paired }) {
  if (table.phase === "hands" && seat.scored && !isOpen(table.race))
    return html`<${OwnHand} table=${table} seat=${seat} able=${able} />`;
  if (table.round && seat.playing) return html`<${OwnButton} table=${table} seat=${seat} able=${able} />`;
  if (!table.match && paired) return html`<${Ready} table=${table} seat=${seat} able=${able} />`;
  const over = table.phase === "won";
  const won = over && table.match.winners.includes(seat.player);
  const first = table.seats.find((one) => table.match?.winners.includes(one.player));
  return html`<main class="phone-main ${won ? "won" : ""}"><div class="phone-told">
    ${won && html`<${Confetti} seats=${[seat.number]} />`}
    <${Mark} seat=${((over && !won && first) || seat).number} />
    <p class="phone-wait">${ownStep(table, seat)}</p>
    ${table.match && html`<${OwnStanding} table=${table} seat=${seat} />`}</div>
    ${over && html`<${Share} class="huge" match=${table.match.number} seats=${seatsOf(table.match)} />`}</main>`;
}

/** @param {Page.AtTable<Page.InMatch> & { seat: Table.SeatShown }} props */
function OwnStanding({ table, seat }) {
  return html`<p class="phone-place">${ownPlace(table, seat)}</p>
    ${table.phase === "between" && html`<p class="hint">${ownRound(table, seat)}</p>`}
    ${table.phase !== "won" && html`<p class="phone-needs">${ownNeeds(table, seat)}</p>`}`;
}

// Before the match: one press, to see that the table hears this phone.
/** @param {Page.AtTable & { seat: Table.SeatShown }} props */
function Ready({ table, seat, able }) {
  const [heard, setHeard] = useState(false);
  useEffect(() => onFlash((number) => number === seat.number && setHeard(true)), [seat.number]);
  const test = (/** @type {any} */ event) => testPress(seat.number, momentOf(event));
  return html`<main class="phone-main">
    <div class="concerns"><p class="own-news ${heard ? "safe" : "turn"}" role="status">
      <strong>${t(heard ? "phone.ready" : "phone.in", { name: seat.name })}</strong>
      <span>${heard ? ownStep(table, seat) : t("phone.test")}</span></p></div>
    <${BigButton} seat=${seat} kind=${heard ? "called" : "slap"} able=${able} onPress=${test}>
      <strong>${t(heard ? "phone.heard" : "phone.test_press")}</strong><//>
    <${Foot} table=${table} seat=${seat} able=${able} />
  </main>`;
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
  const kind = meaning(table, seat);
  const hint = editionOf(table).race && ["uno", "called"].includes(kind);
  const press = (/** @type {any} */ event) => act("press_seat", { seat: seat.number, ...momentOf(event) });
  return html`<main class="phone-main">
    <${Concerns} table=${table} seat=${seat} able=${able} />
    <${BigButton} seat=${seat} kind=${kind} able=${able} onPress=${press}>
      <strong>${t(`phone.${kind}`)}</strong><small>${t(`phone.${kind}_help`)}</small>
      ${hint && html`<small>${t("phone.in_a_race")}</small>`}<//>
    <${Foot} table=${table} seat=${seat} able=${able} />
  </main>`;
}

// A finger's own answer comes at once: it moves, sounds and is felt before the table has heard of it.
/**
 * @param {{ seat: Table.SeatShown; kind: string; able: boolean; onPress: (event: any) => unknown;
 *   children?: object }} props
 */
function BigButton({ seat, kind, able, onPress, children }) {
  const [down, setDown] = useState(false);
  useEffect(() => {
    const timer = down ? setTimeout(() => setDown(false), PRESSED) : undefined;
    return () => clearTimeout(timer);
  }, [down]);
  const press = (/** @type {any} */ event) => {
    event.preventDefault();
    setDown(true);
    pressed();
    onPress(event);
  };
  const typed = (/** @type {any} */ event) => [" ", "Enter"].includes(event.key) && !event.repeat && press(event);
  return html`<button type="button" class="own-button ${kind} ${down ? "down" : ""}" disabled=${!able}
    data-meaning=${kind}
    onPointerDown=${press} onKeyDown=${typed} onContextMenu=${(event) => event.preventDefault()}>
    <span class="own-cap"><${Mark} seat=${seat.number} />${children}</span>
  </button>`;
}

// What there is still to win, and how exactly a press on this phone is dated, as far as the table knows by now.
/** @param {Page.AtTable & { seat: Table.SeatShown }} props */
function Foot({ table, seat, able }) {
  const { exact } = useStore();
  const told = exact === null ? t("phone.not_in_step") : t("phone.exact", { doubt: exact });
  const needs = table.match && ownNeeds({ match: table.match }, seat);
  return html`<p class="phone-foot">${needs && html`<span class="phone-needs">${needs}</span>`}
    ${able && html` <span class="exactness" data-exact=${exact ?? ""}>${told}</span>`}</p>`;
}

// A question to this player takes the place of what else there is to say.
/** @param {Page.AtTable<Page.InRace> & { seat: Table.SeatShown }} props */
function Concerns({ table, seat, able }) {
  const questions = questionsTo(table, seat.number);
  return html`<div class="concerns"><${Asked} questions=${questions} able=${able} />
    ${!questions.length && html`<${OwnNews} table=${table} seat=${seat} />`}</div>`;
}

// The one thing that matters most to this player now, and beneath it what else is true.
/** @param {Page.AtTable & { seat: Table.SeatShown }} props */
function OwnNews({ table, seat }) {
  const [, again] = useState(0);
  const news = ownNews(table, seat);
  useEffect(() => {
    const timer = setTimeout(() => again((count) => count + 1), NEWS_LAST);
    return () => clearTimeout(timer);
  }, [table.version]);
  return html`<div class="own-news ${news.kind}" role="status">
    <strong>${news.title}</strong>${news.text && html`<span>${news.text}</span>`}</div>`;
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
      <${EnterHand} table=${table} seat=${seat.number} able=${able} own onDone=${() => setAgain(false)} /></main>`;
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

startTheme();
await startLanguage();
tellRenewal();
startHearing("phone");
startAwake();
startClock();
render(html`<${Phone} />`, document.getElementById("page"));
await followLink();
start();
