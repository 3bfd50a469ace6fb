// Statistics without a picture of their own: each row is somebody with a figure.

import { html } from "../../../vendor/htm-preact.js";
import { number } from "../../core/counted.js";
import { has, t } from "../../core/texts.js";
import { Bars, Picture } from "./parts.js";

/** @param {{ night: Past.Night }} props */
export function Declared({ night }) {
  const figures = /** @type {Record<string, { name: string; value: number }[]>} */ (/** @type {unknown} */ (night));
  return Object.entries(night.pictures)
    .filter(([key]) => figures[key].length > 0)
    .map(
      ([key, picture]) =>
        html`<${Plain} key=${key} night=${night} name=${key} told=${figures[key]} picture=${picture} />`,
    );
}

/** @param {{ night: Past.Night; name: string; told: { name: string; value: number }[]; picture: string }} props */
function Plain({ night, name, told, picture }) {
  const said = (/** @type {string} */ part) => {
    const key = `statistics.${name}.${part}`;
    return has(key) ? t(key) : name;
  };
  const table = {
    columns: [t("sheet.player"), said("title")],
    rows: told.map((one) => [one.name, number(one.value)]),
  };
  return html`<${Picture} name=${name} title=${said("title")} tells=${said("tells")} table=${table}>
    ${picture === "bars" && html`<${Bars} night=${night} told=${told} />`}
  <//>`;
}
