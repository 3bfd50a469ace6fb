// A call, a catch or a player gone out, as large as its consequence; and the winner, with the awards of the match.

import { html, useEffect } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { displayName, listed, sentenceText, t } from "../core/texts.js";
import { Calling } from "../parts/calling.js";
import { acting, Button, Mark } from "../parts/components.js";
import { Confetti } from "../parts/confetti.js";
import { useAnswer } from "../parts/invite.js";
import { awardsOf } from "../share/awards.js";
import { costs } from "./race.js";
import { Large } from "./show.js";

const CELEBRATED = 15_000; // milliseconds

/** @param {Page.AtTable & { moment: import("../parts/moments.js").Moment; onEnd: () => void }} props */
export function MomentScreen({ table, moment, onEnd }) {
  const { kind, ruling, name, seat } = moment;
  const evidence = ruling?.evidence?.type === "calling" ? ruling.evidence : null;
  const more = ruling && (ruling.outcome !== "out" || ruling.draws.length > 0);
  const debts = ruling ? table.debts.filter((debt) => ruling.draws.some((one) => one.seat === debt.seat)) : [];
  const words = (ruling && costs(table, ruling)) ?? t(`moment.${kind}`, { name: `*${name}*` });
  return html`<section class="drama night moment-screen ${kind}" aria-label=${t(`moment.${kind}`, { name })}
    onClick=${onEnd}>
    <div class="moment-inside">
      <${Mark} seat=${seat} />
      <${Large} text=${words} />
      ${more && html`<p class="race-sub">${sentenceText(ruling.sentence)}</p>`}
      ${evidence && html`<${Calling} call=${evidence.call} caught=${evidence.catch} />`}
      ${debts.map(
        (debt) => html`<${Button} key=${debt.number} tone="primary" class="huge" disabled=${!acting()}
          onTap=${() => act("drawn", { debt: debt.number })}>
          ${t("debts.has_drawn", { name: table.seats.find((one) => one.number === debt.seat)?.name })} ✓<//>`,
      )}
    </div>
  </section>`;
}

// Confetti in the winner's own mark, and what the match will be remembered for.
/** @param {Page.AtTable<Page.InMatch> & { onEnd: () => void }} props */
export function WinnerScreen({ table, onEnd }) {
  const { match } = table;
  const winners = match.players.filter((player) => match.winners.includes(player.player));
  const seats = winners.map((winner) => winner.seat).filter((seat) => seat !== null);
  const names = listed(winners.map((winner) => `*${displayName(winner.name)}*`));
  const night = useAnswer(`/api/statistics?from=${match.number}&to=${match.number}`, String(match.rounds.length));
  useEffect(() => {
    const timer = setTimeout(onEnd, CELEBRATED);
    return () => clearTimeout(timer);
  }, []);
  return html`<section class="drama night moment-screen won" onClick=${onEnd}>
    <${Confetti} seats=${seats} />
    <div class="moment-inside">
      <div class="trophy" aria-hidden="true">${seats.map((seat) => html`<${Mark} key=${seat} seat=${seat} />`)}</div>
      <${Large} class="winner-words" text=${t(winners.length > 1 ? "won.shared" : "won.one", { names })} />
      <${Awards} night=${night} />
    </div>
  </section>`;
}

/** @param {{ night: Past.Night | null }} props */
export function Awards({ night }) {
  const awards = night ? awardsOf(night) : [];
  return html`<ul class="awards">
    ${awards.map(({ title, text }) => html`<li key=${title}><small>${title}</small><strong>${text}</strong></li>`)}
  </ul>`;
}
