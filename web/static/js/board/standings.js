// The standings, over the whole screen: names, the way to the target, totals, and who deals, plays, called or draws.

import { html } from "../../vendor/htm-preact.js";
import { marksUpTo } from "../core/axis.js";
import { PressLight } from "../core/flashes.js";
import { t } from "../core/texts.js";
import { isCallMissing } from "../parts/calling.js";
import { CardFace, cardNamed, Sign } from "../parts/cards.js";
import { editionOf, Heard, Mark, tintOf } from "../parts/components.js";
import { Fit } from "../parts/fit.js";
import { inOrder } from "../score/places.js";
import { marksOf } from "../score/track.js";
import { HeadStartChip } from "../setup/handicap.js";

/** @param {Page.AtTable<Page.InMatch>} props */
export function Standings({ table }) {
  const { match } = table;
  const rows = inOrder(match);
  const marks = marksOf(match);
  return html`<${Pile} table=${table} />
    <section class="standings ${match.scoring}" aria-label=${t("sheet.standing")}>
      <ol>
        ${rows.map(
          (player) =>
            html`<${Row} key=${player.player} table=${table} player=${player} mark=${marks[player.player]} />`,
        )}
      </ol>
      <${Scale} target=${match.target} />
    </section>`;
}

/** @param {Page.AtTable<Page.InMatch> & { player: Table.PlayerShown; mark: number }} props */
function Row({ table, player, mark }) {
  const { match } = table;
  const seat = table.seats.find((one) => one.player === player.player);
  const total = player[match.scoring];
  const states = {
    leader: match.leaders.includes(player.player),
    danger: isInDanger(match, player),
    turn: seat?.turn,
    one: seat?.on_one,
    owes: (seat?.owes ?? 0) > 0,
    asked: seat?.asked || seat?.press_again,
    out: seat?.out,
    resting: table.round && !seat?.playing,
  };
  const classes = Object.keys(states).filter((name) => states[/** @type {keyof typeof states} */ (name)]);
  return html`<li class="place-row ${classes.join(" ")}" data-seat=${seat?.number} data-player=${player.player}
    style=${{ "--at": Math.min(1, total / match.target) }}>
    ${seat && html`<${PressLight} seat=${seat.number} />`}
    <${Mark} seat=${mark} />
    <span class="standing-name"><${Fit} text=${player.name} />
      <span class="badges">${seat && html`<${Badges} table=${table} seat=${seat} />`}</span></span>
    <span class="way ${tintOf(mark)}" aria-hidden="true">
      <span class="way-run"><span class="way-fill"></span><span class="way-runner"><${Mark} seat=${mark} /></span>
        </span>
    </span>
    <span class="standing-total"><strong>${total}</strong>
      <small>${toGo(match, player)}</small></span>
  </li>`;
}

/** @param {Page.AtTable & { seat: Table.SeatShown }} props */
function Badges({ table, seat }) {
  const lastRound = table.phase === "between" ? table.match?.rounds.at(-1) : null;
  return html`${seat.owes > 0 && html`<strong class="badge owes">${t("felt.draws", { cards: seat.owes })}</strong>`}
    ${seat.called && html`<strong class="badge uno">${t("felt.uno")}</strong>`}
    ${isCallMissing(table, seat.number) && html`<strong class="badge">${t("uno.no_call")}</strong>`}
    ${isDealing(table, seat) && html`<span class="badge">${t("felt.dealer")}</span>`}
    ${
      seat.hand !== null &&
      html`<span class="badge hand"><span aria-hidden="true">${seat.hand}</span>
        <${Heard}>${t("show.cards", { cards: seat.hand })}<//></span>`
    }
    ${lastRound?.out === seat.player && html`<span class="badge won">${t("show.went_out")}</span>`}
    <${HeadStartChip} table=${table} seat=${seat} />
    ${seat.aside && html`<span class="badge fault">${t(`fault.${seat.aside}`)}</span>`}`;
}

/**
 * @param {Table.View} table
 * @param {Table.SeatShown} seat
 */
function isDealing(table, seat) {
  return table.match?.dealer === seat.number && table.phase !== "won";
}

/**
 * @param {Table.MatchShown} match
 * @param {Table.PlayerShown} player
 */
function isInDanger(match, player) {
  if (match.scoring === "classic") return false;
  const most = Math.max(...match.players.filter((one) => one.present).map((one) => one.alternative));
  return most > 0 && player.alternative === most;
}

/**
 * @param {Table.MatchShown} match
 * @param {Table.PlayerShown} player
 */
function toGo(match, player) {
  if (match.scoring !== "classic") return isInDanger(match, player) ? t("show.danger") : null;
  const left = match.target - player.classic;
  return left > 0 ? t("track.to_go", { points: left }) : t("track.there");
}

/** @param {{ target: number }} props */
function Scale({ target }) {
  const marks = new Set([...marksUpTo(target), target]);
  return html`<div class="standings-scale" aria-hidden="true"><span class="way-run">
    ${[...marks].map((points) => html`<span key=${points} style=${{ "--at": points / target }}>${points}</span>`)}
  </span></div>`;
}

// In refereed play: the card on the pile, the colour, and which way round it goes.
/** @param {Page.AtTable} props */
function Pile({ table }) {
  const { round } = table;
  if (round?.way !== "refereed") return null;
  const top = round.top && cardNamed(editionOf(table), round.top);
  const turn = round.direction === 1 ? "clockwise" : "anticlockwise";
  return html`<aside class="pile">
    <span class="direction ${turn}" role="img" aria-label=${t(`felt.${turn}`)}>
      ${turn === "clockwise" ? "↻" : "↺"}
    </span>
    ${
      top
        ? html`<${CardFace} card=${top} colour=${top.colour ? null : round.colour} large />`
        : html`<span class="card empty large"></span>`
    }
    ${
      round.colour &&
      html`<p class="in-play ${round.colour}"><${Sign}
      colour=${round.colour} />${t(`colour.${round.colour}`)}</p>`
    }
    <p class="pile-left">${t("felt.draw_pile", { cards: round.draw_pile })}</p>
  </aside>`;
}
