// A second look at a past race: its photo finish with raw edges, and what other rules would have made of it.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { MS } from "../core/axis.js";
import { displayName, explained, sentenceText, t } from "../core/texts.js";
import { Button, Choice, Dialog, Mark } from "../parts/components.js";
import { ShareFinish } from "../share/share.js";
import { contactSpan, LookLanes, slapsOf, wholeOf, zoomed, zoomFor } from "./finish_lanes.js";
import { marginOf, ms } from "./margin.js";
import { isEmpty, RaceWishes, useWhatIf } from "./what_if_settings.js";

const VIEWS = ["race", "last", "closing", "opening"];

/** @param {{ match: number; ruling: number; onClose: () => void }} props */
export function SecondLook({ match, ruling, onClose }) {
  const [shown, setShown] = useState(ruling);
  const [look, setLook] = useState(null);
  useEffect(() => setShown(ruling), [match, ruling]);
  useEffect(() => {
    let wanted = true;
    setLook(null);
    fetch(`/api/matches/${match}/races/${shown}`)
      .then((answer) => answer.json())
      .catch(() => ({ error: "not_reached", message: t("look.failed") }))
      .then((found) => wanted && setLook(found));
    return () => {
      wanted = false;
    };
  }, [match, shown]);
  return html`<${Dialog} title=${t("look.title")} onClose=${onClose} wide>
    <div class="second-look" data-ruling=${shown} aria-busy=${look === null}>
      ${look === null && html`<p class="hint">${t("link.connecting")}</p>`}
      ${
        look?.error &&
        html`<p class="banner trouble" role="alert">
          ${look.error === "not_reached" ? look.message : explained(look)}
        </p>`
      }
      ${look && !look.error && html`<${Look} key=${`${match} ${shown}`} look=${look} onRelated=${setShown} />`}
    </div>
  <//>`;
}

/** @param {{ look: Past.RaceReview; onRelated: (ruling: number) => void }} props */
function Look({ look, onRelated }) {
  const [wish, setWish] = useState({});
  const [answer, trouble] = useWhatIf({ match: look.match, ruling: look.ruling }, wish);
  const names = Object.fromEntries(look.seats.map((seat) => [seat.number, displayName(seat.name)]));
  const asked = !isEmpty(wish);
  const would = asked ? answer?.would : null;
  const finish = would ? would.finish : look.finish;
  const last = would ? (finish?.last ?? []) : (look.finish?.last ?? []);
  return html`
    <p class="look-where">
      ${t("look.where", { match: look.match, round: look.round, name: names[look.layer] ?? t("uno.somebody") })} · ${t(
        `look.how.${look.kind === "slap_off" ? "light" : look.how}`,
      )}
    </p>
    <div class="verdicts ${asked ? "two" : ""}">
      <${Verdict} title=${t("look.was")} sentence=${look.sentence} draws=${look.draws} names=${names}
        overruled=${look.overruled} used=${look.used} />
      ${
        asked &&
        html`<${Verdict} title=${t("look.would")} other sentence=${would?.sentence} draws=${would?.draws ?? []}
          names=${names} change=${answer?.change} />`
      }
    </div>
    <${Instrument} look=${look} finish=${finish ?? look.finish} last=${last} names=${names} />
    <${Uncounted} look=${look} names=${names} />
    ${!look.overruled && html`<div class="row"><${ShareFinish} match=${look.match} ruling=${look.ruling} /></div>`}
    ${
      look.related.length > 0 &&
      html`<div class="related">${look.related.map(
        (one) => html`<${Button} key=${one.ruling} onTap=${() => onRelated(one.ruling)}>
          <span><strong>${t(`look.kind.${one.kind}`)}</strong> ${sentenceText(one.sentence)}
            ${one.overruled && html`<small>${sentenceText(one.overruled)}</small>`}</span><//>`,
      )}</div>`
    }
    ${trouble && html`<p class="banner trouble" role="alert">${trouble}</p>`}
    <${RaceWishes} look=${look} names=${names} wish=${wish} onWish=${setWish} />`;
}

/**
 * @param {{ title: string; sentence?: Table.Spoken; draws: Past.Draws[]; names: Record<number, string>;
 *   overruled?: Table.Spoken | null; used?: string[]; other?: boolean; change?: string | null }} props
 */
function Verdict({ title, sentence, draws, names, overruled = null, used = [], other = false, change = null }) {
  return html`<section class="verdict-card ${other ? "other" : ""} ${change ? "changed" : ""}"
    aria-live=${other ? "polite" : null}>
    <h3>${title}</h3>
    <p class="verdict-text">${sentence ? sentenceText(sentence) : t("look.judging")}</p>
    ${
      draws.length > 0 &&
      html`<p class="verdict-draws">
        ${draws.map(
          (one) => html`<span class="chip" key=${one.seat}>
            <${Mark} seat=${one.seat} />${t("debts.draws", { name: names[one.seat] ?? "", cards: one.cards })}
          </span>`,
        )}
      </p>`
    }
    ${
      used.length > 0 &&
      html`<small>
        ${t("rulings.house", { rules: used.map((name) => t(`house.${name}.title`)).join(t("list.separator")) })}
      </small>`
    }
    ${overruled && html`<small class="told-overruled">${sentenceText(overruled)}</small>`}
    ${other && sentence && !change && html`<small>${t("look.same")}</small>`}
  </section>`;
}

/**
 * @param {{ look: Past.RaceReview; finish: Past.Finish | null; last: number[]; names: Record<number, string> }} props
 */
function Instrument({ look, finish, last, names }) {
  const slaps = slapsOf(finish);
  const whole = wholeOf(look);
  const closing = slaps.at(-1)?.seat ?? null;
  const [view, setView] = useState("race");
  const [zoom, setZoom] = useState(0);
  const [focus, setFocus] = useState(closing);
  const hand = slaps.find((slap) => slap.seat === focus) ?? slaps.at(-1);
  const aligned = view === "closing" || view === "opening" ? view : null;
  const choose = (/** @type {string} */ value) => {
    setView(value);
    if (value === "race") setZoom(0);
    if (value === "last" && slaps.length > 1) {
      const [before, last] = slaps.slice(-2);
      const apart = Math.max(last.real - before.real, last.after - before.after, 3 * (finish?.doubt ?? 0), 4 * MS);
      setFocus(last.seat);
      setZoom(zoomFor(whole, 3 * apart));
    }
  };
  const span = aligned ? contactSpan(look, finish, aligned === "opening") : zoomed(whole, hand?.real ?? 0, zoom);
  const offered = VIEWS.filter((one) => one === "race" || slaps.length > (one === "last" ? 1 : 0));
  return html`<section class="instrument" aria-label=${t("look.instrument")}>
    <div class="look-tools">
      <${Choice} name=${t("look.view.title")} value=${view}
        options=${offered.map((one) => ({ value: one, title: t(`look.view.${one}`) }))} onChoose=${choose} />
      ${
        !aligned &&
        hand &&
        html`<label class="zoom"><span>${t("look.zoom")}</span>
          <input type="range" min="0" max="100" step="1" value=${zoom}
            aria-valuetext=${t("look.width", { ms: width(span) })}
            onInput=${(event) => setZoom(Number(event.target.value))} />
          <output>${t("look.width", { ms: width(span) })}</output></label>`
      }
    </div>
    <${LookLanes} look=${look} finish=${finish} last=${last} span=${span} aligned=${aligned} focus=${hand?.seat}
      onFocus=${aligned ? null : setFocus} names=${names} />
    ${!aligned && finish?.margin != null && html`<p class="margins">${marginOf(finish)}</p>`}
    <p class="hint">${t(aligned ? `look.help.${aligned}` : "look.help.race")}</p>
    ${
      !aligned &&
      look.gaps.length > 0 &&
      html`<p class="hint">
        <span class="key unseen" aria-hidden="true"></span> ${t("race.gaps")}
      </p>`
    }
  </section>`;
}

/** @param {Page.Span} span */
function width(span) {
  const all = (span.to - span.from) / MS;
  return all < 20 ? all.toFixed(1) : String(Math.round(all));
}

/** @param {{ look: Past.RaceReview; names: Record<number, string> }} props */
function Uncounted({ look, names }) {
  const others = look.presses.filter((press) => !["slap", "early"].includes(press.why));
  if (others.length === 0) return null;
  return html`<details class="uncounted"><summary>${t("look.uncounted", { count: others.length })}</summary>
    <ul>${others.map(
      (
        press,
        at,
      ) => html`<li key=${at}><${Mark} seat=${press.seat} /><span class="name">${names[press.seat] ?? press.seat}</span>
        <span class="when">${t("race.ms", { ms: ms(press.after) })}</span><span>${t(`look.why.${press.why}`)}</span>
      </li>`,
    )}</ul>
  </details>`;
}
