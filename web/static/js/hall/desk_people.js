// The list: who takes part, who has left, and who shall not meet.

import { html, useState } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { Button, Dialog } from "../parts/components.js";
import { namesOf, PickTwo, Problem, send } from "./hall.js";

/** @param {Page.DeskProps} props */
export function People({ seen, desk, act }) {
  const [typed, setTyped] = useState("");
  const [renaming, setRenaming] = useState(null);
  const [looked, setLooked] = useState("");
  const { evening } = seen;
  const lines = typed
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const signUp = async () => {
    if (await act({ kind: "sign_up", people: lines })) setTyped("");
  };
  const wanted = looked.trim().toLocaleLowerCase();
  const listed = evening.people
    .filter((one) => `${one.name} ${one.club}`.toLocaleLowerCase().includes(wanted))
    .sort((one, other) => one.name.localeCompare(other.name));
  const here = evening.people.filter((one) => one.here).length;
  return html`<section class="hall-people">
    <div class="block hall-form"><h2>${t("desk.people.add")}</h2>
      <label>${t("desk.people.paste")}<textarea class="field" rows="4" value=${typed}
        onInput=${(/** @type {any} */ event) => setTyped(event.target.value)}></textarea></label>
      <${Button} tone="primary" disabled=${!lines.length} onTap=${signUp}>
        ${lines.length ? t("desk.people.go", { count: lines.length }) : t("desk.people.add")}<//>
      <p class="hint">${t("desk.people.self")} <strong>${desk.join}</strong></p>
      <img class="hall-code" src="/api/join.svg" alt=${t("desk.sign_up.code")} /></div>
    <div class="block hall-form hall-listed"><h2>${t("desk.people.count", { count: here })}</h2>
      <label>${t("desk.people.find")}<input class="field" type="search" value=${looked}
        onInput=${(/** @type {any} */ event) => setLooked(event.target.value)} /></label>
      <ul class="hall-list">${listed.map(
        (one) => html`<li key=${one.number} class=${one.here ? "" : "gone"}>
          <button type="button" class="link name" title=${t("desk.people.rename")} onClick=${() => setRenaming(one)}>
            ${one.name} <small>${one.club}</small></button>
          <${Button} tone="quiet" onTap=${() => act({ kind: one.here ? "leave" : "return", person: one.number })}>
            ${t(one.here ? "desk.people.leave" : "desk.people.return")}<//></li>`,
      )}</ul></div>
    <${Apart} seen=${seen} desk=${desk} act=${act} />
    ${
      renaming &&
      html`<${Rename} person=${renaming} organiser=${seen.role === "organiser"}
      onClose=${() => setRenaming(null)} />`
    }
  </section>`;
}

// The one thing that cannot be taken back, so it is asked for twice.
/** @param {{ name: string; onClose: () => void }} props */
function Forget({ name, onClose }) {
  const [sure, setSure] = useState(false);
  const [problem, setProblem] = useState(null);
  const forget = async () => {
    const answer = await send("/api/forget", { name });
    setProblem(answer.error ? answer : null);
    if (!answer.error) onClose();
  };
  if (!sure) return html`<${Button} tone="quiet" onTap=${() => setSure(true)}>${t("desk.people.forget")}<//>`;
  return html`<p>${t("desk.people.forget_help", { name })}</p><${Problem} problem=${problem} />
    <${Button} tone="danger" onTap=${forget}>${t("desk.people.forget_sure")}<//>`;
}

/** @param {{ person: Hall.PersonShown; organiser: boolean; onClose: () => void }} props */
function Rename({ person, organiser, onClose }) {
  const [name, setName] = useState(person.name);
  const [problem, setProblem] = useState(null);
  const rename = async () => {
    const answer = await send("/api/commands", { command: { kind: "rename_person", person: person.number, name } });
    if (!answer.error) return onClose();
    setProblem(answer);
  };
  return html`<${Dialog} title=${t("desk.people.rename")} onClose=${onClose}><div class="hall-form">
    <input class="field" maxlength="40" value=${name} aria-label=${t("desk.people.rename")}
      onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
    <${Problem} problem=${problem} />
    <${Button} tone="primary" disabled=${!name.trim()} onTap=${rename}>${t("desk.people.rename")}<//>
    ${organiser && html`<${Forget} name=${person.name} onClose=${onClose} />`}</div><//>`;
}

/** @param {Pick<Page.DeskProps, "seen" | "desk" | "act">} props */
function Apart({ seen, desk, act }) {
  const name = namesOf(seen.evening);
  const keepApart = (/** @type {number} */ one, /** @type {number} */ other) => act({ kind: "keep_apart", one, other });
  return html`<div class="block"><h2>${t("desk.apart.title")}</h2>
    <${PickTwo} evening=${seen.evening} title=${t("desk.apart.title")} go=${t("desk.apart.go")} onPick=${keepApart} />
    <ul class="hall-list">${desk.apart.map(
      ([first, second]) => html`<li key=${`${first}-${second}`}>${name(first)} – ${name(second)}
        <${Button} tone="quiet" onTap=${() => act({ kind: "keep_apart", one: first, other: second, apart: false })}>
          ${t("desk.apart.undo")}<//></li>`,
    )}</ul></div>`;
}
