// Something to send to friends: the final standing, or a photo finish, as a picture.

import { html, render, useEffect, useState } from "../../vendor/htm-preact.js";
import { fetched } from "../core/renewal.js";
import { t } from "../core/texts.js";
import { Button, Choice, Dialog } from "../parts/components.js";
import { save } from "../parts/download.js";

// The standing of a match, and beside it the closest race that the buttons decided.
// `seats` says who sits where, so that everybody has the mark that the table shows.
/** @param {{ record?: Past.MatchRecord | null; match?: number; seats?: Page.Seats; [looks: string]: any }} props */
export function Share({ record = null, match = Number(record?.number), seats = {}, ...looks }) {
  return html`<${Button} ...${looks} onTap=${() => show({ match, record, seats })}>${t("share.open")}<//>`;
}

/** @param {{ match: number; ruling: number; [looks: string]: any }} props */
export function ShareFinish({ match, ruling, ...looks }) {
  return html`<${Button} ...${looks} onTap=${() => show({ match, ruling })}>${t("share.open_finish")}<//>`;
}

// For those who watch: what has just happened, as a small button that is there while it can be seen.
/** @param {Page.AtTable} props */
export function ShareMoment({ table: { match, phase, race } }) {
  if (!match) return null;
  const won = phase === "won";
  const ruling = race?.state === "ruled" ? race.ruling : null;
  if (!won && ruling === null) return null;
  const wanted = won ? { match: match.number, seats: seatsOf(match) } : { match: match.number, ruling: Number(ruling) };
  return html`<${Button} class="round share-moment" aria-label=${t(won ? "share.open" : "share.open_finish")}
    onTap=${() => show(wanted)}>↗<//>`;
}

/**
 * @param {{ players: { player: number; seat: number | null }[] }} match
 * @returns {Page.Seats}
 */
export function seatsOf(match) {
  return Object.fromEntries(match.players.map((player) => [player.player, player.seat]));
}

// It stays open when the table goes on meanwhile, as with a rematch.
/** @param {Page.SharedThing} wanted */
function show(wanted) {
  const place = document.body.appendChild(document.createElement("div"));
  const close = () => {
    render(null, place);
    place.remove();
  };
  render(html`<${Pictures} wanted=${wanted} onClose=${close} />`, place);
}

/** @param {{ wanted: Page.SharedThing; onClose: () => void }} props */
function Pictures({ wanted, onClose }) {
  const [kind, setKind] = useState(wanted.ruling ? "finish" : "standing");
  const [best, setBest] = useState(null);
  const [shown, setShown] = useState(null);
  const language = document.documentElement.lang;
  useEffect(() => {
    let here = true;
    setShown(null);
    drawn(kind, wanted, best).then(
      (found) => {
        if (!here) return;
        setShown(found);
        if (!wanted.ruling) setBest(found.best);
      },
      (problem) => {
        console.info(problem);
        if (here) setShown("failed");
      },
    );
    return () => {
      here = false;
    };
  }, [kind, wanted.match, wanted.ruling, language]);
  const options = ["standing", "finish"].map((value) => ({ value, title: t(`share.${value}`) }));
  return html`<${Dialog} title=${t("share.title")} onClose=${onClose} wide>
    <div class="share">
      <div class="share-paper" aria-busy=${shown === null}>
        ${shown?.address && html`<img src=${shown.address} alt=${shown.words} width="1200" height="1500" />`}
        ${!shown?.address && html`<p role="status">${t(shown ? "share.failed" : "share.drawing")}</p>`}
      </div>
      <div class="share-ways">
        ${
          !wanted.ruling &&
          best !== null &&
          html`<${Choice} name=${t("share.title")} value=${kind} options=${options}
            onChoose=${setKind} />`
        }
        <${Ways} shown=${shown?.address ? shown : null} />
      </div>
    </div>
  <//>`;
}

// The drawing is fetched only when somebody wants it.
/**
 * @param {string} kind
 * @param {Page.SharedThing} wanted
 * @param {number | null} best
 */
async function drawn(kind, wanted, best) {
  const { asPng, finishOf, inText, standingOf } = await fetched(() => import("./pictures.js"));
  const picture =
    kind === "standing"
      ? await standingOf(wanted)
      : await finishOf({ match: wanted.match, ruling: Number(wanted.ruling ?? best) });
  const png = await asPng(picture.svg);
  return { ...picture, png: new File([png], `${picture.name}.png`, { type: png.type }), address: await inText(png) };
}

// Browsers hand pictures on only from encrypted pages; elsewhere they are saved, or held down in the page.
/** @param {{ shown: any }} props */
function Ways({ shown }) {
  const [problemText, setProblemText] = useState("");
  const able = shown && navigator.canShare?.({ files: [shown.png] });
  const send = async () => {
    try {
      await navigator.share({ files: [shown.png] });
    } catch (problem) {
      if (/** @type {Error} */ (problem).name !== "AbortError") setProblemText(t("share.refused"));
    }
  };
  const svg = () => new File([shown.svg], `${shown.name}.svg`, { type: "image/svg+xml" });
  return html`${able && html`<${Button} tone="primary" class="huge" onTap=${send}>${t("share.send")}<//>`}
    <${Button} tone=${able ? "plain" : "primary"} class="huge" disabled=${!shown} onTap=${() => save(shown.png)}>
      ${t("share.png")}
    <//>
    <${Button} class="huge" disabled=${!shown} onTap=${() => save(svg())}>${t("share.svg")}<//>
    <p class="hint" role="status">${problemText || t(able ? "share.help" : "share.help_save")}</p>`;
}
