// What the table asks because it cannot know: one line with its answers, while play goes on.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { act } from "../core/connection.js";
import { sentenceText, t } from "../core/texts.js";
import { Button } from "./components.js";

const UNREAD = 400; // milliseconds in which a finger that was on its way to something else answers nothing

// The newest first, each in the same place, so that nothing else moves.
/** @param {{ questions: Table.QuestionShown[]; able: boolean }} props */
export function Asked({ questions, able }) {
  const question = questions.at(-1);
  const more = questions.length - 1;
  return html`<section class="question" aria-label=${t("questions.title")}>
    <div class="question-box ${question ? "open" : ""}" data-question=${question?.number}>
      <p class="question-line" aria-live="polite">${question && sentenceText(question.sentence)}
        ${more > 0 && html` <small>${t("questions.more", { count: more })}</small>`}</p>
      ${question && html`<${Answers} key=${question.number} question=${question} able=${able} />`}
    </div>
  </section>`;
}

/** @param {{ question: Table.QuestionShown; [more: string]: any }} props */
function Answers({ question, able }) {
  const [read, setRead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), UNREAD);
    return () => clearTimeout(timer);
  }, []);
  const answer = (/** @type {Table.Choice} */ choice) =>
    act("answer", { question: question.number, answer: choice.key });
  return html`<div class="answers">
    ${question.choices.map(
      (choice) => html`<${Button} key=${choice.key} data-answer=${choice.key}
        disabled=${!able || !read} onTap=${() => answer(choice)}>${sentenceText(choice.sentence)}<//>`,
    )}
  </div>`;
}

// Whether the next step is only to answer.
/** @param {Table.View} table */
export function isAsking({ step, questions }) {
  return questions.length > 0 && ["question", "proposed", "unusable"].includes(step);
}

/**
 * @param {Table.View} table
 * @param {number} seat
 */
export function questionsTo(table, seat) {
  return table.questions.filter((question) => question.seats.includes(seat));
}
