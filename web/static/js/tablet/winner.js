// The winner's moment, and what may follow it.

import { html } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { listed, t } from "../core/texts.js";
import { acting, Button, Mark } from "../parts/components.js";
import { Confetti } from "../parts/confetti.js";
import { Standing } from "../score/sheet.js";
import { Share, seatsOf } from "../share/share.js";

/** @param {Page.AtTable<Page.InMatch>} props */
export function Won({ table }) {
  const match = table.match;
  const winners = match.players.filter((player) => match.winners.includes(player.player));
  return html`<section class="block won">
    <${Confetti} seats=${winners.map((winner) => winner.seat).filter(Boolean)} />
    <div class="trophy" aria-hidden="true">
      ${winners.map((winner) => winner.seat && html`<${Mark} key=${winner.player} seat=${winner.seat} />`)}
    </div>
    <h2 class="winner">
      ${t(winners.length > 1 ? "won.shared" : "won.one", { names: listed(winners.map((winner) => winner.name)) })}
    </h2>
    <${Standing} table=${table} />
    <div class="row center">
      <${Button} tone="primary" class="huge" disabled=${!acting()} onTap=${() => act("rematch")}>${t("won.rematch")}<//>
      <${Button} class="huge" disabled=${!acting()} onTap=${() => act("play_on")}>${t("won.play_on")}<//>
      <${Button} class="huge" disabled=${!acting()} onTap=${() => act("close_match")}>${t("won.close")}<//>
    </div>
    <${Share} class="share-open" match=${match.number} seats=${seatsOf(match)} />
  </section>`;
}
