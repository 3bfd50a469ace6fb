// Words for the whole room.

import { html } from "../../vendor/htm-preact.js";

const MARK = "\u0001"; // no name has it

/** @param {string} name */
export function bright(name) {
  return `${MARK}${name}${MARK}`;
}

// Words as large as the screen allows; what is bright stands out.
/** @param {{ text: string; as?: string; class?: string; [more: string]: any }} props */
export function Large({ text, as = "h2", class: more = "", ...rest }) {
  const plain = text.replaceAll(MARK, "");
  const longest = Math.max(...plain.split(/\s+/).map((word) => word.length));
  return html`<${as} class="large-words ${more}" style=${{ "--letters": plain.length, "--word": longest }} ...${rest}>
    ${text.split(MARK).map((part, at) => (at % 2 ? html`<em key=${at}>${unbroken(part)}</em>` : part))}
  <//>`;
}

// A name breaks between its words, and not at a hyphen.
/** @param {string} name */
function unbroken(name) {
  return name.split(" ").map((word, at) => html`${at > 0 && " "}<span key=${at}>${word}</span>`);
}
