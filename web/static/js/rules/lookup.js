// "May I play this?": the card on top, the colour in play, the card in the hand, and the answer.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { sentenceText, t } from "../core/texts.js";
import { CardFace, CardGrid, ColourPicker, cardNamed, cardTitle } from "../parts/cards.js";

/** @param {Page.AtTable} props */
export function MayIPlay({ table, edition }) {
  const { round, match } = table;
  const lying = match?.edition === edition.key && round?.top ? { top: round.top, colour: round.colour } : {};
  const [asked, setAsked] = useState(
    /** @type {Record<string, any>} */ ({ top: null, colour: null, card: null, ...lying }),
  );
  const [choosing, setChoosing] = useState(lying.top ? "card" : "top");
  const answer = useVerdict(edition.key, asked);
  const top = asked.top && cardNamed(edition, asked.top);
  const card = asked.card && cardNamed(edition, asked.card);
  const open = choosing === "top" && top && !top.colour ? "colour" : choosing;
  const tap = (/** @type {Table.CardShown} */ picked) => {
    if (choosing === "card") return setAsked({ ...asked, card: picked.card });
    setAsked({ ...asked, top: picked.card, colour: picked.colour });
    return picked.colour && setChoosing("card");
  };
  const name = (/** @type {Page.Colour} */ colour) => {
    setAsked({ ...asked, colour });
    setChoosing("card");
  };
  const again = () => {
    setAsked({ ...asked, top: null, colour: null });
    setChoosing("top");
  };
  return html`<section class="lookup" aria-label=${t("lookup.title")}>
    <h2>${t("lookup.title")}</h2>
    <div class="lookup-cards">
      <button type="button" class="slot" aria-pressed=${choosing === "top"} onClick=${again}>
        <span>${t("lookup.top")}</span>
        ${
          top
            ? html`<${CardFace} card=${top} colour=${top.colour ? null : asked.colour} large />
              <span class="slot-title">${cardTitle(top)}</span>`
            : html`<span class="card empty large"></span>
              <span class="slot-title"></span>`
        }</button>
      <button type="button" class="slot" aria-pressed=${choosing === "card"} onClick=${() => setChoosing("card")}>
        <span>${t("lookup.card")}</span>
        ${
          card
            ? html`<${CardFace} card=${card} large />
              <span class="slot-title">${cardTitle(card)}</span>`
            : html`<span class="card empty large"></span>
              <span class="slot-title"></span>`
        }</button>
      <div class="lookup-answer ${answer?.answer ?? ""}" role="status">${
        answer
          ? html`<strong>${t(`lookup.${answer.answer}`)}</strong>
            <p><span class="rule">${answer.rule}</span>${" "}
              <span class="sentence">${sentenceText(answer.sentence)}</span></p>`
          : html`<p class="hint">${t(`lookup.ask_${top && asked.colour ? "card" : open}`)}</p>`
      }</div>
    </div>
    ${
      open === "colour"
        ? html`<${ColourPicker} current=${asked.colour} onPick=${name} />`
        : html`<${CardGrid} edition=${edition} onTap=${tap} />`
    }
  </section>`;
}

/**
 * @param {string} edition
 * @param {Record<string, any>} asked
 */
function useVerdict(edition, { top, colour, card }) {
  const [answer, setAnswer] = useState(null);
  useEffect(() => {
    let wanted = true;
    setAnswer(null);
    if (top && colour && card) {
      fetch(`/api/may-play?${new URLSearchParams({ edition, top, colour, card })}`)
        .then((found) => (found.ok ? found.json() : null))
        .then((found) => wanted && setAnswer(found))
        .catch(() => wanted && setAnswer(null));
    }
    return () => {
      wanted = false;
    };
  }, [edition, top, colour, card]);
  return answer;
}
