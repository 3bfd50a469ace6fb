// The page: a bar, the table, what can be done now, and the dialogs above them.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { act, insist, pair, signOut, signOutOthers } from "../core/connection.js";
import { LanguageChoice } from "../core/language.js";
import { change, close, open, useStore } from "../core/store.js";
import { explained, named, said, t } from "../core/texts.js";
import { acting, Button, Dialog, editionOf, nextStep } from "../parts/components.js";
import { HeadStart } from "../parts/handicap.js";
import { Asked, isAsking } from "../parts/questions.js";
import { Settings } from "../parts/settings.js";
import { HouseRules } from "../parts/setup.js";
import { SimulatedButtons } from "../parts/simulated.js";
import { HelpUnheard } from "../parts/unheard.js";
import { isShown, OtherLayer, PhotoFinish, Race } from "../race/race.js";
import { Hands } from "../score/hands.js";
import { EditRound, ScoreSheet } from "../score/sheet.js";
import { Attention } from "./attention.js";
import { Correct } from "./correct.js";
import { BetweenRounds, DrawForDeal, FirstCard } from "./dealing.js";
import { Felt } from "./felt.js";
import { FreePlay, SeatMenu, WhoIsCaught, WhoIsOut, WhoLaid } from "./free.js";
import { Checking, OtherPages, PhoneCode } from "./links.js";
import { ChangePlay } from "./plays.js";
import { RefereedPlay } from "./refereed.js";
import { AllRulings, Overrule, Rulings } from "./rulings.js";
import { Seating } from "./seating.js";
import { Won } from "./winner.js";

const LONG = 76; // letters, after which the headline needs smaller ones

export function App() {
  const { shown, link, role, notice, refused, dialog, pending } = useStore();
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
      <div class="left"><${Felt} table=${table} />${table.match && html`<${Rulings} table=${table} />`}</div>
      <div class="panel"><${Attention} table=${table} /><${Screen} table=${table} /></div>
    </main>
    ${hardware.simulated && html`<${SimulatedButtons} table=${table} hardware=${hardware} />`}
    ${dialog && html`<${Dialogs} key=${dialog.name} table=${table} dialog=${dialog} />`}
    ${refused && html`<${Insist} refused=${refused} />`}
  </div>`;
}

/** @param {Page.AtTable} props */
function Screen({ table }) {
  const { seen } = useStore();
  if (isShown(table, seen)) return html`<${Race} table=${table} />`;
  switch (table.phase) {
    case "seating":
      return html`<${Seating} table=${table} />`;
    case "deal":
      return html`<${DrawForDeal} table=${table} />`;
    case "between":
      return html`<${BetweenRounds} table=${table} />`;
    case "first_card":
      return html`<${FirstCard} table=${table} />`;
    case "play":
      return table.round?.way === "free"
        ? html`<${FreePlay} table=${table} />`
        : html`<${RefereedPlay} table=${table} />`;
    case "hands":
      return html`<${Hands} table=${table} />`;
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
      <img src="/static/icon.svg" alt="" width="32" height="32" /> <span>${t("common.title")}</span>
    </span>
    <span class="match-line">
      ${
        match &&
        t("bar.match", {
          edition: edition.name,
          scoring: t(`scoring.${match.scoring}.title`),
          target: match.target,
          number: roundNumber(table),
        })
      }
    </span>
    <span class="bar-actions">
      <${Step} kind="undo" sign="↶" label=${table.undo} />
      <${Step} kind="redo" sign="↷" label=${table.redo} />
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

function Step({ kind, sign, label }) {
  const text = label ? said(label) : "";
  return html`<${Button} class="step" disabled=${!acting() || !label} onTap=${() => act(kind)} title=${text}>
    <span aria-hidden="true">${sign}</span>
    <span class="step-text"><strong>${t(`bar.${kind}`)}</strong><small>${text || t("bar.nothing")}</small></span>
  <//>`;
}

function Banners({ link, role, service, notice, hardware }) {
  return html`<div class="banners">
    ${link !== "live" && html`<p class="banner stale" role="alert">${t("link.stale")}</p>`}
    ${
      service.storage !== "ok" &&
      html`<p class="banner trouble" role="alert">
        ${t("service.storage")} <small lang="en">${service.storage}</small>
      </p>`
    }
    ${
      service.damage &&
      html`<p class="banner trouble">
        ${t("service.damage")} <small lang="en">${service.damage}</small>
      </p>`
    }
    ${hardware.checking && html`<${Checking} />`}
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
        <span>${notice.rule && html`<span class="rule">${notice.rule}</span>`} ${explained(notice)}</span>
        <button type="button" class="button quiet round" aria-label=${t("common.close")}
          onClick=${() => change({ notice: null })}>✕</button></div>`
    }
  </div>`;
}

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

const DIALOGS = {
  seat: SeatMenu,
  race: WhoLaid,
  catch: WhoIsCaught,
  out: WhoIsOut,
  layer: OtherLayer,
  photo: PhotoFinish,
  overrule: Overrule,
  rulings: AllRulings,
  sheet: ScoreSheet,
  edit: EditRound,
  correct: Correct,
  menu: Menu,
  pair: Pair,
  house: House,
  phone: PhoneCode,
  settings: Settings,
  handicap: HeadStart,
  look: LookAgain,
  play: ChangePlay,
  unheard: HelpUnheard,
};

/** @param {Page.AtTable} props */
function Dialogs({ table, dialog }) {
  const { name, ...about } = dialog;
  return html`<${DIALOGS[name]} table=${table} ...${about} />`;
}

// Few look twice; so what it takes is fetched when somebody does.
/** @param {Page.AtTable} props */
function LookAgain({ table, ruling }) {
  const [part, setPart] = useState(null);
  useEffect(() => {
    import("../race/race_review.js").then(setPart);
  }, []);
  return (
    part && table.match && html`<${part.SecondLook} match=${table.match.number} ruling=${ruling} onClose=${close} />`
  );
}

/** @param {Page.AtTable} props */
function House({ table }) {
  return html`<${Dialog} title=${t("setup.house")} wide><${HouseRules} table=${table} /><//>`;
}

// It ends what others are doing with their phones, so one tap is not enough.
function SignOutOthers() {
  const [asked, setAsked] = useState("others");
  const tap = async () => {
    if (asked === "others") return setAsked("others_sure");
    const answer = await signOutOthers();
    setAsked(answer.error ? "others" : "others_out");
  };
  return html`<${Button} class="wide" tone="quiet" disabled=${asked === "others_out"} onTap=${tap}>
    ${t(`pair.${asked}`)}
  <//>`;
}

/** @param {Page.AtTable} props */
function Menu({ table }) {
  const { role } = useStore();
  const end = async () => {
    if (await act("close_match")) change({ dialog: null });
  };
  const abandon = async () => {
    if (await act("abandon_round")) change({ dialog: null });
  };
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
          ? html`<${Button} class="wide" tone="quiet" onTap=${() => signOut().then(() => change({ dialog: null }))}>
            ${t("pair.sign_out")}
          <//>
          <${SignOutOthers} />`
          : html`<${Button} class="wide" onTap=${() => open("pair")}>${t("pair.enter")}<//>`
      }
      <${OtherPages} />
      <${LanguageChoice} />
    </div>
  <//>`;
}

function Pair() {
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState("");
  const send = async () => {
    const answer = await pair(code);
    if (answer.error) setWrong(explained(answer));
    else change({ dialog: null, notice: null });
  };
  useEffect(() => setWrong(""), [code]);
  return html`<${Dialog} title=${t("pair.enter")}>
    <p>${t("pair.help")}</p>
    <input class="field code" value=${code} maxlength="12" autocapitalize="characters" autocomplete="off"
      spellcheck=${false}
      aria-label=${t("pair.code")} onInput=${(event) => setCode(event.target.value)}
      onKeyDown=${(event) => event.key === "Enter" && send()} />
    <p class="wrong" role="alert">${wrong}</p>
    <div class="go"><${Button} tone="primary" disabled=${code.trim() === ""} onTap=${send}>${t("pair.send")}<//></div>
  <//>`;
}
