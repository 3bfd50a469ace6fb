// What every screen says while nothing can be saved, and when the journal is lost.

import { html, useState } from "../../vendor/htm-preact.js";
import { showBackups } from "../core/connection.js";
import { useStore } from "../core/store.js";
import { explained, t } from "../core/texts.js";

/** @param {{ service: Page.Service; look: string }} props */
export function Trouble({ service, look }) {
  const { lost, storage } = service;
  if (lost)
    return html`<div class=${look} role="alert">
      <span><strong>${t(`lost.${lost.how}`, { file: lost.file })}</strong> ${t("lost.do")}
        ${lost.rescued && ` ${t("lost.rescued", { file: lost.rescued })}`}</span> <${Backups} />
    </div>`;
  if (storage === "ok") return null;
  return html`<p class=${look} role="alert">${t("service.storage")} <small lang="en">${storage}</small></p>`;
}

// The page that offers the backups stands where the table is, so the table has to close for it.
function Backups() {
  const { role } = useStore();
  const [wrong, setWrong] = useState("");
  if (role !== "referee") return null;
  const ask = async () => {
    const answer = await showBackups();
    if (answer.error) setWrong(explained(answer));
  };
  return html`<button type="button" class="link" onClick=${ask}>${t("lost.backups")}</button> ${wrong}`;
}
