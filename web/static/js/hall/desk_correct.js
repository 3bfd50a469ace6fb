// A result at the desk: written where a table plays on paper, corrected with a reason and a look at what that changes.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { t } from "../core/texts.js";
import { Button, Dialog } from "../parts/components.js";
import { NumberField, namesOf, Problem, send } from "./hall.js";

/**
 * @param {{ seating: Hall.SeatingShown; round: number; seen: Page.HallSeen; desk: Hall.DeskShown;
 *   onClose: () => void }} props
 */
export function Correct({ seating, round, seen, desk, onClose }) {
  const left = new Set(seen.evening.people.filter((one) => !one.here).map((one) => one.number));
  const [points, setPoints] = useState(
    /** @returns {Record<number, number | null | undefined>} */ () =>
      Object.fromEntries(seating.people.map((one) => [one, seating.points[one] ?? (left.has(one) ? undefined : 0)])),
  );
  const [reason, setReason] = useState("");
  const [preview, setPreview] = useState(null);
  const [problem, setProblem] = useState(null);
  const name = namesOf(seen.evening);
  const command = { kind: "write_result", round, table: seating.table, points, reason };
  const unsaid = Object.values(points).includes(null);
  const look = async () => {
    const answer = await send("/api/preview", command);
    setProblem(answer.error ? answer : null);
    setPreview(answer.error ? null : answer);
  };
  const save = async (/** @type {boolean} */ redraw) => {
    const answer = await send("/api/commands", { command: { ...command, redraw }, version: preview?.version ?? null });
    if (!answer.error) return onClose();
    setProblem(answer);
    setPreview(null);
  };
  return html`<${Dialog} title=${titleOf(round, seating.table)} onClose=${onClose}><div class="hall-form">
    ${seating.people.map(
      (one) => html`<${NumberField} key=${one} value=${points[one]} least=${0} most=${99_999} optional=${left.has(one)}
        title=${left.has(one) ? t("desk.result.left", { name: name(one) }) : name(one)}
        onSet=${(/** @type {number | null | undefined} */ value) => {
          setPoints({ ...points, [one]: value });
          setPreview(null);
        }} />`,
    )}
    ${
      seating.done &&
      html`<label>${t("desk.result.reason")}<input class="field" maxlength="200" value=${reason} required
        onInput=${(/** @type {any} */ event) => setReason(event.target.value)} /></label>`
    }
    <${Problem} problem=${problem} />
    ${
      seating.done && !preview
        ? html`<${Button} tone="primary" disabled=${!reason.trim() || unsaid}
          onTap=${look}>${t("desk.result.look")}<//>`
        : html`<${Changes} preview=${preview} seen=${seen} desk=${desk} /><${Save} preview=${preview} seen=${seen}
            disabled=${unsaid} onSave=${save} />`
    }</div><//>`;
}

/**
 * @param {{ round: number; table: number; seen: Page.HallSeen; desk: Hall.DeskShown;
 *   onClose: () => void }} props
 */
export function Strike({ round, table, seen, desk, onClose }) {
  const [preview, setPreview] = useState(null);
  const [problem, setProblem] = useState(null);
  const command = { kind: "strike_result", round, table };
  const look = () => send("/api/preview", command).then((answer) => setPreview(answer.error ? null : answer));
  useEffect(() => {
    look();
  }, []);
  const save = async (/** @type {boolean} */ redraw) => {
    const answer = await send("/api/commands", { command: { ...command, redraw }, version: preview?.version ?? null });
    if (!answer.error) return onClose();
    setProblem(answer);
    look();
  };
  return html`<${Dialog} title=${titleOf(round, table)} onClose=${onClose}><div class="hall-form">
    <p>${t("desk.result.strike_help")}</p><${Problem} problem=${problem} /><${Changes} preview=${preview} seen=${seen}
      desk=${desk} />
    ${preview && html`<${Save} preview=${preview} seen=${seen} onSave=${save} />`}</div><//>`;
}

/**
 * @param {number} round
 * @param {number} table
 */
function titleOf(round, table) {
  return `${t("desk.round.number", { number: round })} · ${t("desk.table", { number: table })}`;
}

// Who rises, who falls, and which tables of the round that is on would change.
/** @param {{ preview: Hall.CorrectionShown | null; seen: Page.HallSeen; desk: Hall.DeskShown }} props */
function Changes({ preview, seen, desk }) {
  if (!preview) return null;
  const name = namesOf(seen.evening);
  const playing = new Set(
    desk.tables.filter((one) => !["", "seating", "won"].includes(one.phase)).map((one) => one.table),
  );
  return html`<div class="hall-changes">
    ${preview.ranks.length === 0 && html`<p>${t("desk.result.same")}</p>`}
    <ul class="hall-list">${preview.ranks.slice(0, 8).map(
      (one) => html`<li key=${one.person}><span>${name(one.person)}</span>
        <span>${t("desk.result.rank", {
          before: one.rank[0],
          after: one.rank[1],
          old: one.points[0],
          now: one.points[1],
        })}</span></li>`,
    )}</ul>
    ${
      preview.tables.length > 0 &&
      html`<h3>${t("desk.result.redraw_title")}</h3>
      <ul class="hall-list">${preview.tables.map(
        (one) => html`<li key=${one.table}><span><strong>${t("desk.table", { number: one.table })}</strong>
          <del>${one.before.map(name).join(", ")}</del> <ins>${one.after.map(name).join(", ")}</ins>
          ${playing.has(one.table) && html` <em>${t("desk.result.playing")}</em>`}</span></li>`,
      )}</ul>`
    }</div>`;
}

/**
 * @param {{ preview: Hall.CorrectionShown | null; seen: Page.HallSeen; disabled?: boolean;
 *   onSave: (redraw: boolean) => unknown }} props
 */
function Save({ preview, seen, disabled = false, onSave }) {
  const tables = preview?.tables ?? [];
  if (!tables.length || seen.role !== "organiser")
    return html`<${Button} tone="primary" disabled=${disabled}
      onTap=${() => onSave(false)}>${t("desk.result.save")}<//>`;
  return html`<${Button} tone="primary" onTap=${() => onSave(true)}>
      ${t("desk.result.save_redraw", { tables: tables.map((one) => one.table).join(", ") })}<//>
    <${Button} onTap=${() => onSave(false)}>${t("desk.result.save_keep")}<//>`;
}
