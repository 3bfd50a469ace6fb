// The match is won: the final score, and what may follow it.

import { html } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { listed, t } from "../core/texts.js";
import { acting, Button } from "../parts/components.js";
import { Scoreboard } from "../score/scoreboard.js";
import { Share, seatsOf } from "../share/share.js";

/** @param {Page.AtTable<Page.InMatch>} props */
export function Won({ table }) {
  const { match } = table;
  const winners = match.players.filter((player) => match.winners.includes(player.player));
  const names = listed(winners.map((winner) => winner.name));
  return html`<div class="resting won">
    <${Scoreboard} table=${table} />
    <div class="won-line"><h2 class="winner">${t(winners.length > 1 ? "won.shared" : "won.one", { names })}</h2>
      <${Share} class="share-open" match=${match.number} seats=${seatsOf(match)} /></div>
    <div class="actions">
      <${Button} tone="primary" class="action" disabled=${!acting()} onTap=${() => act("rematch")}>
        ${t("won.rematch")}<//>
      <${Button} class="action" disabled=${!acting()} onTap=${() => act("play_on")}>${t("won.play_on")}<//>
      <${Button} class="action" disabled=${!acting()} onTap=${() => act("close_match")}>${t("won.close")}<//>
    </div>
  </div>`;
}
