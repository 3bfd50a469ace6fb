// What the board shows: who sits where, a race, hands being counted, the winner.

import { html } from "../../vendor/htm-preact.js";
import { PressLight } from "../core/flashes.js";
import { listed, said, t } from "../core/texts.js";
import { CardFace, cardNamed, Sign } from "../parts/cards.js";
import { editionOf, Mark, nameOf } from "../parts/components.js";
import { Confetti } from "../parts/confetti.js";
import { HeadStartChip } from "../parts/handicap.js";
import { Join, pressedWith, SeatCode } from "../parts/invite.js";
import { isCrowded, placeOf, sizeOf } from "../parts/seat_places.js";
import { inPieces, Lanes, raceTitle, SlapOff, sizeOfVerdict } from "../race/race.js";

// Before the match everybody finds a chair, and whoever wants the own phone as a button.
/** @param {Page.AtTable} props */
export function Seated({ table, boot }) {
  const edition = editionOf(table);
  return html`<section class="board-welcome">
    <${Join} boot=${boot} />
    <p class="board-setup">
      <strong>${edition.name}</strong> <span>${t(`scoring.${table.setup.scoring}.title`)}</span> <span>
        ${t(`way.${table.setup.way}.title`)}
      </span>
    </p>
  </section>
  <section class="board-people">
    <ul class="chairs" data-count=${table.seats.length}>
      ${table.seats.map(
        (seat) => html`<li key=${seat.player} class="chair" data-seat=${seat.number}>
          <${SeatCode} seat=${seat} boot=${boot} />
          <p>
            <span class="chair-name">
              <${Mark} seat=${seat.number} /><span class=${sizeOf(seat.name)}>${seat.name}</span>
            </span>
            <span class="chair-button">${pressedWith(seat)} <${HeadStartChip} table=${table} seat=${seat} /></span>
          </p>
        </li>`,
      )}
    </ul>
    <p class="board-hint">
      ${table.seats.length > 0 && t("invite.seat_help")} <small>${t("board.settings_hint")}</small>
    </p>
  </section>`;
}

// The table from above, as on the tablet, with nothing to touch.
/** @param {Page.AtTable} props */
export function Seats({ table }) {
  const count = table.seats.length;
  return html`<section class="ring ${isCrowded(count) ? "crowded" : ""}" aria-label=${t("felt.title")}>
    <div class="cloth" aria-hidden="true"></div>
    <div class="ring-middle"><${Middle} table=${table} /></div>
    <ol class="ring-seats">
      ${table.seats.map(
        (seat, at) => html`<${RingSeat} key=${seat.number} table=${table} seat=${seat}
          place=${placeOf(at, count)} />`,
      )}
    </ol>
  </section>`;
}

/** @param {Page.AtTable & { seat: Table.SeatShown }} props */
function RingSeat({ table, seat, place }) {
  const states = {
    turn: seat.turn,
    one: seat.on_one,
    asked: seat.asked || seat.press_again,
    last: seat.last,
    out: seat.out,
    resting: table.round && !seat.playing,
  };
  const classes = Object.keys(states)
    .filter((name) => states[name])
    .join(" ");
  const total = table.match ? seat[table.match.scoring] : null;
  return html`<li class="ring-seat ${classes}" style=${place.style} data-seat=${seat.number}>
    <${PressLight} seat=${seat.number} />
    <span class="ring-name"><${Mark} seat=${seat.number} /><span class=${sizeOf(seat.name)}>${seat.name}</span></span>
    <span class="ring-facts">
      ${seat.dealer && html`<span class="chip dealer">${t("felt.dealer_short")}</span>`}
      ${seat.hand !== null && html`<span class="chip hand">${seat.hand}</span>`}
      ${seat.called && html`<span class="chip uno">${t("felt.uno")}</span>`}
      <${HeadStartChip} table=${table} seat=${seat} />
      ${seat.aside && html`<span class="chip fault">${t(`fault.${seat.aside}`)}</span>`}
      ${total !== null && html`<span class="total">${total}</span>`}
    </span>
    ${
      seat.owes > 0 &&
      html`<strong class="ring-owes ${place.y > 0.55 ? "above" : "below"}">
        ${t("felt.draws", { cards: seat.owes })}
      </strong>`
    }
  </li>`;
}

/** @param {Page.AtTable} props */
function Middle({ table }) {
  const { round } = table;
  if (!round) return html`<p class="ring-big">${editionOf(table).name}</p>`;
  if (round.way === "free") return html`<p class="ring-big">${t("felt.round", { number: round.number })}</p>`;
  const top = round.top && cardNamed(editionOf(table), round.top);
  const turn = round.direction === 1 ? "clockwise" : "anticlockwise";
  return html`<div class="ring-top">
    <span class="direction ${turn}" role="img" aria-label=${t(`felt.${turn}`)}>
      ${turn === "clockwise" ? "↻" : "↺"}
    </span>
    ${
      top
        ? html`<${CardFace} card=${top} colour=${top.colour ? null : round.colour} large />`
        : html`<span class="card empty large"></span>`
    }
  </div>
  ${
    round.colour &&
    html`<p class="in-play ${round.colour}">
      <${Sign} colour=${round.colour} /> ${t(`colour.${round.colour}`)}
    </p>`
  }`;
}

/** @type {(string | null)[]} */
const WITHOUT_HANDS = ["nobody_slapped", "unusable"];

// A dead heat is a verdict too; about hands that never came the headline says it all.
/** @param {Page.AtTable<Page.InRace>} props */
export function BoardRace({ table }) {
  const { race } = table;
  const judged = race.state === "ruled" || (race.state === "undecided" && !WITHOUT_HANDS.includes(race.outcome));
  const verdict = judged && table.rulings.find((ruling) => ruling.number === race.ruling);
  return html`<section class="board-race" data-state=${race.state} aria-label=${t("race.title")}>
    ${verdict && html`<p class="board-verdict ${sizeOfVerdict(verdict)}">${inPieces(said(verdict.sentence))}</p>`}
    <h2>${raceTitle(table)}</h2>
    ${race.state === "slap_off" ? html`<${SlapOff} table=${table} />` : html`<${Lanes} table=${table} />`}
  </section>`;
}

/** @param {Page.AtTable<Page.InRound>} props */
export function Counting({ table }) {
  const { round, match } = table;
  const points = (seat) => round.left[seat.number]?.points;
  return html`<section class="counting" aria-label=${t("hands.title")}>
    <ul>
      ${table.seats
        .filter((seat) => seat.scored)
        .map(
          (seat) => html`<li key=${seat.number} class=${seat.out ? "out" : points(seat) === undefined ? "" : "counted"}
            data-seat=${seat.number}>
            <span class="ring-name">
              <${Mark} seat=${seat.number} /><span class=${sizeOf(seat.name)}>${seat.name}</span>
            </span>
            <span class="counting-cards">
              ${cardsOf(table, seat).map(
                ({ card, copies }) => html`<span class="held-card" key=${card.card}>
                  <${CardFace} card=${card} />${copies > 1 && html`<span class="count">${copies}</span>`}
                </span>`,
              )}
            </span>
            <strong>${seat.out ? t("sheet.out") : (points(seat) ?? "…")}</strong>
          </li>`,
        )}
    </ul>
    ${
      round.preview &&
      html`<p class="board-goal">${
        match.scoring === "classic"
          ? t("board.takes", {
              name: nameOf(table, round.out),
              points: round.preview.classic[table.seats.find((seat) => seat.out)?.player ?? 0],
            })
          : t("board.adds")
      }</p>`
    }
  </section>`;
}

/**
 * @param {Table.View & Page.InRound} table
 * @param {Table.SeatShown} seat
 */
function cardsOf(table, seat) {
  const left = table.round.left[seat.number]?.cards;
  return left
    ? editionOf(table)
        .cards.filter((card) => left[card.card])
        .map((card) => ({ card, copies: left[card.card] }))
    : [];
}

/** @param {Page.AtTable<Page.InMatch>} props */
export function Winner({ table }) {
  const { match } = table;
  const winners = match.players.filter((player) => match.winners.includes(player.player));
  return html`<section class="board-winner">
    <${Confetti} seats=${winners.map((winner) => winner.seat).filter(Boolean)} />
    <div class="trophy" aria-hidden="true">
      ${winners.map((winner) => winner.seat && html`<${Mark} key=${winner.player} seat=${winner.seat} />`)}
    </div>
    <h2>
      ${t(winners.length > 1 ? "won.shared" : "won.one", { names: listed(winners.map((winner) => winner.name)) })}
    </h2>
    <p class="board-goal">${t("felt.after", { count: match.rounds.length })}</p>
  </section>`;
}
