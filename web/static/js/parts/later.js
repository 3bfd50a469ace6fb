// A part of the page that is fetched when it is first shown.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { fetched } from "../core/renewal.js";

/**
 * @param {() => Promise<Record<string, any>>} load
 * @param {string} name
 */
export function later(load, name) {
  /** @param {Record<string, any>} props */
  return function Later(props) {
    const [part, setPart] = useState(/** @type {Record<string, any> | null} */ (null));
    useEffect(() => {
      fetched(load).then(setPart);
    }, []);
    return part && html`<${part[name]} ...${props} />`;
  };
}
