// A guest's page: the show, and the way to a seat. The referee's own way in is in the menu.

import { html, render, useEffect, useState } from "../../vendor/htm-preact.js";
import { start } from "../core/connection.js";
import { followLink } from "../core/link.js";
import { fetched, tellRenewal } from "../core/renewal.js";
import { open, useStore } from "../core/store.js";
import { explained, named, t } from "../core/texts.js";
import { startAwake } from "../device/awake.js";
import { LanguageChoice, startLanguage } from "../device/language.js";
import { Settings } from "../device/settings.js";
import { startTheme } from "../device/theme.js";
import { Button, Dialog } from "../parts/components.js";
import { Pair } from "../setup/pair.js";
import { ShareMoment } from "../share/share.js";
import { startHearing } from "../sound/hearing.js";
import { JoinTable } from "./join.js";

const PAGES = ["rules", "history", "board", "hardware"];

function Guest() {
  const { shown, role, link, notice, dialog } = useStore();
  const [part, setPart] = useState(null);
  useEffect(() => {
    fetched(() => import("../board/show.js")).then(setPart);
  }, []);
  useEffect(() => {
    if (link === "live" && role !== "watcher") location.reload(); // who may act has a page of their own
  }, [role, link]);
  return html`<div class="guest">
    ${part ? html`<${part.Show} />` : html`<p class="loading">${t("link.connecting")}</p>`}
    ${notice && html`<p class="guest-notice" role="alert">${explained(notice)}</p>`}
    <nav class="guest-bar" aria-label=${t("bar.menu")}>
      <${Button} tone="primary" class="guest-join" disabled=${!shown} onTap=${() => open("join")}>${t("guest.join")}<//>
      ${shown && html`<${ShareMoment} table=${named(shown.table)} />`}
      <${Button} class="round" aria-label=${t("bar.menu")} onTap=${() => open("menu")}>☰<//>
    </nav>
    ${dialog && shown && html`<${Opened} name=${dialog.name} table=${named(shown.table)} />`}
  </div>`;
}

/** @param {Page.AtTable & { name: string }} props */
function Opened({ name, table }) {
  switch (name) {
    case "join":
      return html`<${JoinTable} table=${table} />`;
    case "pair":
      return html`<${Pair} />`;
    case "settings":
      return html`<${Settings} />`;
    default:
      return html`<${Menu} />`;
  }
}

function Menu() {
  return html`<${Dialog} title=${t("bar.menu")}>
    <div class="menu">
      <${Button} class="wide" onTap=${() => open("pair")}>${t("pair.enter")}<//>
      <${Button} class="wide" onTap=${() => open("settings")}>${t("settings.title")}<//>
      <nav class="other-pages" aria-label=${t("pages.title")}>
        ${PAGES.map((name) => html`<a class="button" key=${name} href=${`/${name}`}>${t(`pages.${name}`)}</a>`)}
      </nav>
      <${LanguageChoice} />
    </div>
  <//>`;
}

startTheme();
await startLanguage();
tellRenewal();
startHearing("phone");
startAwake();
render(html`<${Guest} />`, document.getElementById("page"));
await followLink();
start();
