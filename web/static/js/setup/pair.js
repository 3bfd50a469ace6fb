// The referee's code, typed in.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { pair } from "../core/connection.js";
import { change } from "../core/store.js";
import { explained, t } from "../core/texts.js";
import { Button, Dialog } from "../parts/components.js";

export function Pair() {
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState("");
  const send = async () => {
    const answer = await pair(code);
    if (answer.error) setWrong(explained(answer));
    else change({ dialog: null, notice: null });
  };
  useEffect(() => setWrong(""), [code]);
  return html`<${Dialog} title=${t("pair.enter")}>
    <p>${t("pair.help")}</p>
    <input class="field code" value=${code} maxlength="12" autocapitalize="characters" autocomplete="off"
      spellcheck=${false}
      aria-label=${t("pair.code")} onInput=${(event) => setCode(event.target.value)}
      onKeyDown=${(event) => event.key === "Enter" && send()} />
    <p class="wrong" role="alert">${wrong}</p>
    <div class="go"><${Button} tone="primary" disabled=${code.trim() === ""} onTap=${send}>${t("pair.send")}<//></div>
  <//>`;
}
