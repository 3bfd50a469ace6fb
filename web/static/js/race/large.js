// Words for the whole room.

import { html } from "../../vendor/htm-preact.js";

// Words as large as the screen allows; what is between asterisks stands out.
/** @param {{ text: string; class?: string; [more: string]: any }} props */
export function Large({ text, class: more = "", ...rest }) {
  const longest = Math.max(...text.split(/\s+/).map((word) => word.replaceAll("*", "").length));
  const letters = text.replaceAll("*", "").length;
  const parts = text.split("*");
  return html`<h2 class="large-words ${more}" style=${{ "--letters": letters, "--word": longest }} ...${rest}>
    ${parts.map((part, at) => (at % 2 ? html`<em key=${at}>${unbroken(part)}</em>` : part))}
  </h2>`;
}

// A name breaks between its words, and not at a hyphen.
/** @param {string} name */
function unbroken(name) {
  return name.split(" ").map((word, at) => html`${at > 0 && " "}<span key=${at}>${word}</span>`);
}
