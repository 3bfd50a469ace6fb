// Forgetting for good: a match, or somebody's name. What will be gone is told first, and a second
// tap elsewhere says that it is meant.

import { html, render, useEffect, useState } from "../../vendor/htm-preact.js";
import { inFull } from "../core/evening.js";
import { useStore } from "../core/store.js";
import { displayName, explained, isStandIn, listed, t } from "../core/texts.js";
import { Switch } from "../device/settings.js";
import { Button, Dialog } from "../parts/components.js";

/** @param {{ record: Past.MatchRecord; onDone: () => unknown }} props */
export function ForgetMatch({ record, onDone }) {
  const { number } = record;
  return html`<${Forget} wish=${{ match: number }} title=${t("forget.match", { number })} onDone=${onDone} />`;
}

/** @param {{ name: string; onDone: () => unknown }} props */
export function ForgetName({ name, onDone }) {
  if (isStandIn(name)) return null;
  return html`<${Forget} wish=${{ name }} title=${t("forget.name", { name })} onDone=${onDone} />`;
}

/** @param {{ wish: Page.ForgetWish; title: string; onDone: () => unknown }} props */
function Forget({ wish, title, onDone }) {
  const { role } = useStore();
  if (role !== "referee") return null;
  return html`<button type="button" class="button quiet forget" onClick=${() => ask({ wish, title, onDone })}>
    ${title}
  </button>`;
}

// What is forgotten leaves the page at once; the question stays, to tell how it went.
/** @param {{ wish: Page.ForgetWish; title: string; onDone: () => unknown }} question */
function ask({ wish, title, onDone }) {
  const place = document.body.appendChild(document.createElement("div"));
  const close = () => {
    render(null, place);
    place.remove();
  };
  render(
    html`<${Dialog} title=${title} onClose=${close}><${Question} wish=${wish} onDone=${onDone} onClose=${close} /><//>`,
    place,
  );
}

/** @param {{ wish: Page.ForgetWish; onDone: () => unknown; onClose: () => void }} props */
function Question({ wish, onDone, onClose }) {
  const [found, setFound] = useState(/** @type {any} */ (null));
  const [answer, setAnswer] = useState(null);
  const [meant, setMeant] = useState(false);
  const [remove, setRemove] = useState(false);
  useEffect(() => {
    let wanted = true;
    askTable(`/api/forget?${new URLSearchParams(/** @type {Record<string, string>} */ (wish))}`).then(
      (prospect) => wanted && setFound(prospect),
    );
    return () => {
      wanted = false;
    };
  }, []);
  const go = async () => {
    const outcome = await askTable("/api/forget", { ...wish, ...(remove && { remove }) });
    setAnswer(outcome);
    if (!outcome.error) onDone?.();
  };
  if (answer && !answer.error) return html`<${Gone} wish=${wish} answer=${answer} onClose=${onClose} />`;
  if (!found) return html`<p class="loading" role="status">${t("forget.looking")}</p>`;
  if (found.error) return html`<${Refused} answer=${found} onClose=${onClose} />`;
  return html`<div class="forget-question">
    <${Prospect} wish=${wish} found=${found} />
    <${LeftOver} left=${found.left} />
    ${
      found.left.length > 0 &&
      html`<${Switch} label=${t("forget.remove")} on=${remove}
        onFlip=${() => setRemove(!remove)} />`
    }
    <p>${t("forget.elsewhere")}</p>
    <${Switch} label=${t("forget.meant")} on=${meant} onFlip=${() => setMeant(!meant)} />
    ${answer?.error && html`<p class="banner trouble" role="alert">${explained(answer)}</p>`}
    <div class="go row"><${Button} tone="danger" disabled=${!meant} onTap=${go}>${t("forget.go")}<//>
      <button type="button" class="button" onClick=${onClose}>${t("forget.keep")}</button></div>
  </div>`;
}

/** @param {{ wish: Page.ForgetWish; found: Forget.ForgettingPreview }} props */
function Prospect({ wish, found }) {
  const { matches, names, instead, backups } = found;
  return html`${
    wish.match
      ? matches.map(
          (one) => html`<p key=${one.number} class="forget-what">
            <strong>${t("forget.what_match", { number: one.number, day: inFull(one.started, "long") })}</strong>
            <span>${t("forget.facts", { rounds: one.rounds, names: listed(one.players.map(displayName)) })}</span></p>
          <p>${t("forget.all_of_it")}</p>`,
        )
      : html`<p class="forget-what">
        <strong>${t("forget.what_name", { name: names[0], instead: displayName(instead[0]) })}</strong>
        <span>
          ${
            matches.length
              ? t("forget.in_matches", { numbers: listed(matches.map((one) => one.number)) })
              : t("forget.in_none")
          }
        </span></p>`
  }
  ${wish.match && names.length > 0 && html`<p>${t("forget.names_too", { names: listed(names) })}</p>`}
  ${backups.length > 0 && html`<p>${t("forget.backups", { count: backups.length })}</p>`}`;
}

/** @param {{ left: Forget.LeftCopy[] }} props */
function LeftOver({ left }) {
  if (!left.length) return null;
  return html`<div class="forget-left"><p>${t("forget.left")}</p>
    <ul>${left.map((one) => html`<li key=${one.file}><code>${one.file}</code> ${t(`forget.why.${one.why}`)}</li>`)}</ul>
  </div>`;
}

/** @param {{ answer: Table.Problem; onClose: () => void }} props */
function Refused({ answer, onClose }) {
  return html`<p role="alert">${explained(answer)}</p>
    <div class="go row">
      <button type="button" class="button primary" onClick=${onClose}>${t("common.close")}</button>
    </div>`;
}

/** @param {{ wish: Page.ForgetWish; answer: Forget.Outcome; onClose: () => void }} props */
function Gone({ wish, answer, onClose }) {
  return html`<p role="status">
    <strong>
      ${
        wish.match
          ? t("forget.gone_match", { number: wish.match })
          : t("forget.gone_name", { instead: displayName(answer.instead[0]) })
      }
    </strong>
  </p>
  <${LeftOver} left=${answer.left} />
  <div class="go row">
    <button type="button" class="button primary" onClick=${onClose}>${t("common.close")}</button>
  </div>`;
}

/**
 * @param {string} address
 * @param {object | null} body
 * @returns {Promise<any>}
 */
async function askTable(address, body = null) {
  try {
    const how = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    return await (await fetch(address, how ?? {})).json();
  } catch {
    return { error: "no_answer", message: t("link.no_answer") };
  }
}
