// A file that the table makes while it is fetched; the button tells how much of it is here.

import { html, useState } from "../../vendor/htm-preact.js";
import { explainable } from "../core/rest.js";
import { explained, t } from "../core/texts.js";
import { Button } from "./components.js";

const KEPT = 60_000; // milliseconds after which a saved file surely has left the page
const MEGABYTE = 1e6;

/** @param {{ from: string; children?: object }} props */
export function Download({ from, children }) {
  const [told, setTold] = useState("");
  const take = async () => {
    setTold(t("takeaway.begun"));
    const problem = await fetched(from, (bytes) =>
      setTold(t("takeaway.so_far", { megabytes: (bytes / MEGABYTE).toFixed(1) })),
    ).catch(() => t("takeaway.broken"));
    setTold(problem ?? "");
  };
  return html`<${Button} onTap=${take}>${children}
    <small role="status">${told}</small><//>`;
}

// Gives the sentence why not, or nothing once the file was handed to the browser.
/** @param {string} from @param {(bytes: number) => void} tell */
async function fetched(from, tell) {
  const answer = await fetch(from);
  if (!answer.ok || !answer.body) return explained(await explainable(await answer.json()));
  const pieces = [];
  const reader = answer.body.getReader();
  for (let size = 0, piece = await reader.read(); !piece.done; piece = await reader.read()) {
    pieces.push(piece.value);
    size += piece.value.length;
    tell(size);
  }
  const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "");
  save(new File(pieces, name?.[1] ?? "companion"));
  return null;
}

/** @param {File} file */
export function save(file) {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
}
