// The page: a bar, the table, what can be done now, and the dialogs above them.

import { html, useState } from "../../vendor/htm-preact.js";
import { act, insist, signOut } from "../core/connection.js";
import { styled } from "../core/rest.js";
import { change, close, open, useStore } from "../core/store.js";
import { explained, named, sentenceText, t } from "../core/texts.js";
import { LanguageChoice } from "../device/language.js";
import { acting, Button, Dialog, editionOf, nextStep } from "../parts/components.js";
import { later } from "../parts/later.js";
import { useMoment } from "../parts/moments.js";
import { Asked, isAsking } from "../parts/questions.js";
import { SimulatedButtons } from "../parts/simulated.js";
import { Trouble } from "../parts/trouble.js";
import { HelpUnheard } from "../parts/unheard.js";
import { isShown } from "../race/state.js";
import { Hands } from "../score/hands.js";
import { HallLine } from "../setup/hall_place.js";
import { Pair } from "../setup/pair.js";
import { HouseRules } from "../setup/setup.js";
import { BetweenRounds, OtherDealer, PeopleBetween, WhoDeals } from "./dealing.js";
import { Checking, OtherPages, PhoneCode } from "./devices/links.js";
import { NewReferee } from "./devices/new_referee.js";
import { FreePlay, SeatMenu, WhoIsCaught, WhoIsOut, WhoLaid } from "./play/free.js";
import { ChangePlay } from "./play/plays.js";
import { RefereedPlay } from "./play/refereed.js";
import { LatestRuling, RuleBadge } from "./play/rulings.js";
import { Seating } from "./seating.js";
import { Won } from "./winner.js";

const LONG = 76; // letters, after which the headline needs smaller ones

export function App() {
  const { shown, link, role, notice, refused, dialog, pending, seen } = useStore();
  if (!shown) return html`<p class="loading">${t(`link.${link === "live" ? "connecting" : link}`)}</p>`;
  const { hardware, service } = shown;
  const table = named(shown.table);
  const next = nextStep(table);
  const asked = isAsking(table);
  return html`<div class="page ${link}" data-phase=${table.phase} data-version=${table.version} data-link=${link}
    data-pending=${pending > 0}>
    <${Bar} table=${table} />
    <${Banners} link=${link} role=${role} service=${service} notice=${notice} hardware=${hardware} />
    <main class="stage ${table.questions.length ? "asking" : ""} ${asked ? "instead" : ""}">
      <h1 class="next ${asked ? "hidden-text" : next.length > LONG ? "long" : ""}"
        aria-live=${asked ? "off" : "polite"}>${next}</h1>
      <${Asked} questions=${table.questions} able=${acting()} />
      ${!isShown(table, seen) && html`<${Screen} table=${table} />`}
      <${Drama} table=${table} />
    </main>
    ${hardware.simulated && html`<${SimulatedButtons} table=${table} hardware=${hardware} />`}
    ${dialog && html`<${Dialogs} key=${dialog.name} table=${table} dialog=${dialog} />`}
    ${refused && html`<${Insist} refused=${refused} />`}
  </div>`;
}

const show = () => import("../race/show_screens.js");
const RaceScreen = later(show, "RaceScreen");
const MomentScreen = later(show, "MomentScreen");
const WinnerScreen = later(show, "WinnerScreen");

// What takes the whole screen for as long as it lasts; a tap, or a few seconds, and the score is back.
/** @param {Page.AtTable} props */
function Drama({ table }) {
  const { seen, quiet } = useStore();
  const [moment, end] = useMoment(table, quiet);
  const [celebrated, setCelebrated] = useState(/** @type {string | null} */ (null));
  if (isShown(table, seen)) return html`<${RaceScreen} table=${table} />`;
  const won = table.phase === "won" && table.match ? `${table.match.number}-${table.match.rounds.length}` : null;
  if (won && won !== celebrated && !quiet)
    return html`<${WinnerScreen} table=${table} onEnd=${() => setCelebrated(won)} />`;
  return moment && html`<${MomentScreen} key=${moment.key} table=${table} moment=${moment} onEnd=${end} />`;
}

/** @param {Page.AtTable} props */
function Screen({ table }) {
  switch (table.phase) {
    case "seating":
      return html`<${Seating} table=${table} />`;
    case "deal":
      return html`<${WhoDeals} table=${table} />`;
    case "between":
      return html`<${BetweenRounds} table=${table} />`;
    case "first_card":
      return html`<${RefereedPlay} table=${table} />`;
    case "play":
      return table.round?.way === "free"
        ? html`<${FreePlay} table=${table} />`
        : html`<${RefereedPlay} table=${table} />`;
    case "hands":
      return html`<${Hands} table=${table}><${LatestRuling} table=${table} /><//>`;
    default:
      return html`<${Won} table=${table} />`;
  }
}

/** @param {Page.AtTable} props */
function Bar({ table }) {
  const match = table.match;
  const edition = editionOf(table);
  return html`<header class="bar-top ${match ? "has-match" : ""}">
    <span class="brand">
      ${
        match
          ? html`<span class="display">${t("felt.round", { number: roundNumber(table) })}</span>`
          : html`<img src="/static/icon.svg" alt="" width="32" height="32" /> <span>${t("common.title")}</span>`
      }
    </span>
    <span class="match-line">
      ${
        match &&
        t("bar.match", { edition: edition.name, goal: t(`bar.goal_${match.scoring}`, { target: match.target }) })
      }
    </span>
    <span class="bar-actions">
      <${Step} kind="undo" sign="↶" label=${table.undo} />
      <${Step} kind="redo" sign="↷" label=${table.redo} short />
      <${Button} tone="quiet" disabled=${!match} onTap=${() => open("sheet")}>${t("bar.sheet")}<//>
      <${Button} tone="quiet" class="round" aria-label=${t("bar.menu")} onTap=${() => open("menu")}>☰<//>
    </span>
  </header>`;
}

/** @param {Table.View} table */
function roundNumber(table) {
  if (table.round) return table.round.number;
  return (table.match?.rounds.length ?? 0) + (table.phase === "won" ? 0 : 1);
}

/** @param {{ kind: "undo" | "redo"; sign: string; label: Table.Spoken | null; short?: boolean }} props */
function Step({ kind, sign, label, short = false }) {
  const text = label ? sentenceText(label) : "";
  return html`<${Button} class="step ${short ? "short" : ""}" disabled=${!acting() || !label} onTap=${() => act(kind)}
    title=${text}>
    <span aria-hidden="true">${sign}</span>
    <span class=${short ? "hidden-text" : "step-text"}>
      <span>${t(`bar.${kind}`)}</span> <strong>${text || t("bar.nothing")}</strong></span>
  <//>`;
}

/** @param {Pick<Page.State, "link" | "role" | "notice"> & Pick<Page.Shown, "service" | "hardware">} props */
function Banners({ link, role, service, notice, hardware }) {
  return html`<div class="banners">
    ${link !== "live" && html`<p class="banner stale" role="alert">${t("link.stale")}</p>`}
    <${Trouble} service=${service} look="banner trouble" />
    ${
      service.damage &&
      html`<p class="banner trouble">
        ${t("service.damage")} <small lang="en">${service.damage}</small>
      </p>`
    }
    ${service.hall && html`<${HallLine} hall=${service.hall} />`}
    ${hardware.checking && html`<${Checking} />`}
    <${NewReferee} />
    ${
      role === "watcher" &&
      link === "live" &&
      html`<p class="banner watching">
        ${t("pair.watching")} <button type="button" class="link" onClick=${() => open("pair")}>
          ${t("pair.enter")}
        </button>
      </p>`
    }
    ${
      notice &&
      html`<div class="banner notice" role="alert">
        <span class="row">${notice.rule && html`<${RuleBadge} rule=${notice.rule} />`} ${explained(notice)}</span>
        <button type="button" class="button quiet round" aria-label=${t("common.close")}
          onClick=${() => change({ notice: null })}>✕</button></div>`
    }
  </div>`;
}

/** @param {{ refused: Page.Refused }} props */
function Insist({ refused }) {
  const { answer } = refused;
  const drop = () => change({ refused: null });
  return html`<${Dialog} title=${t("insist.title")} onClose=${drop}>
    <p class="quote">${answer.rule && html`<span class="rule">${answer.rule}</span>`} ${explained(answer)}</p>
    <div class="row">
      <${Button} tone="primary" class="big-action" onTap=${drop}>${t("insist.no")}<//>
      <${Button} tone="danger" class="big-action" onTap=${() => insist(refused)}>${t("insist.yes")}<//>
    </div>
  <//>`;
}

const dialogs = () => import("./dialogs.js");

/** @type {Record<string, (props: any) => any>} */
const DIALOGS = {
  seat: SeatMenu,
  race: WhoLaid,
  catch: WhoIsCaught,
  out: WhoIsOut,
  layer: later(show, "OtherLayer"),
  photo: later(show, "PhotoFinish"),
  rule: later(() => import("../rules/rule.js"), "RuleInPlace"),
  overrule: later(dialogs, "Overrule"),
  rulings: later(dialogs, "AllRulings"),
  sheet: later(() => styled(import("../score/sheet.js")), "ScoreSheet"),
  edit: later(() => import("../score/edit_round.js"), "EditRound"),
  correct: later(() => import("./play/correct.js"), "Correct"),
  menu: Menu,
  pair: Pair,
  house: House,
  phone: PhoneCode,
  hall: later(dialogs, "HallDialog"),
  people: PeopleBetween,
  dealer: OtherDealer,
  settings: later(() => import("../device/settings.js"), "Settings"),
  handicap: later(dialogs, "HeadStart"),
  mark: later(() => import("../setup/choose_mark.js"), "ChooseMark"),
  look: LookAgain,
  play: ChangePlay,
  unheard: HelpUnheard,
  devices: later(dialogs, "Devices"),
};

/** @param {Page.AtTable} props */
function Dialogs({ table, dialog }) {
  const { name, ...about } = dialog;
  return html`<${DIALOGS[name]} table=${table} ...${about} />`;
}

const SecondLook = later(() => styled(import("../race/race_review.js")), "SecondLook");

/** @param {Page.AtTable} props */
function LookAgain({ table, ruling }) {
  return table.match && html`<${SecondLook} match=${table.match.number} ruling=${ruling} onClose=${close} />`;
}

/** @param {Page.AtTable} props */
function House({ table }) {
  return html`<${Dialog} title=${t("setup.house")} wide><${HouseRules} table=${table} /><//>`;
}

/** @param {Page.AtTable} props */
function Menu({ table }) {
  const { role } = useStore();
  const end = () => act("close_match", {}, close);
  const abandon = () => act("abandon_round", {}, close);
  return html`<${Dialog} title=${t("bar.menu")}>
    <div class="menu">
      <div class="menu-pair">
        <${Button} onTap=${() => open("house")}>${t("setup.house")}<//>
        <${Button} onTap=${() => open("settings")}>${t("settings.title")}<//>
      </div>
      ${
        table.round &&
        html`<${Button} class="wide" disabled=${!acting()} onTap=${abandon}>
          ${t("menu.abandon_round")}
        <//>`
      }
      ${table.match && html`<${Button} class="wide" disabled=${!acting()} onTap=${end}>${t("menu.close_match")}<//>`}
      ${
        role === "referee"
          ? html`<${Button} class="wide" tone="quiet" onTap=${() => signOut().then(() => location.reload())}>
            ${t("pair.sign_out")}
          <//>
          <${Button} class="wide" tone="quiet" onTap=${() => open("devices")}>${t("devices.title")}<//>`
          : html`<${Button} class="wide" onTap=${() => open("pair")}>${t("pair.enter")}<//>`
      }
      <${Button} class="wide" tone="quiet" onTap=${() => open("hall")}>${t("hall.title")}<//>
      <${OtherPages} />
      <${LanguageChoice} />
    </div>
  <//>`;
}
