// What the tablet opens for others: the code of a seat, the referee's link on the board, other pages.

import { html, useState } from "../../../vendor/htm-preact.js";
import { changeWifi, checkButtons, showPairing } from "../../core/connection.js";
import { useStore } from "../../core/store.js";
import { explained, t } from "../../core/texts.js";
import { acting, Button, Dialog } from "../../parts/components.js";
import { Download } from "../../parts/download.js";
import { FreshSeatCode, invited, useAnswer, WifiCode } from "../../setup/invite.js";

/** @param {Page.AtTable} props */
export function PhoneCode({ table, seat: number }) {
  const seat = table.seats.find((one) => one.number === number);
  if (!seat) return null;
  return html`<${Dialog} title=${t("invite.phone_of", { name: seat.name })}>
    ${seat.phone && html`<p class="paired" role="status">${t("invite.paired", { name: seat.name })}</p>`}
    <p>${t("invite.phone_help")}</p>
    <${FreshSeatCode} seat=${seat} />
    <p class="hint">${t("invite.plain")}</p>
  <//>`;
}

export function OtherPages() {
  const { role } = useStore();
  const [asked, setAsked] = useState(null);
  const ask = async () => {
    const answer = await showPairing();
    setAsked(answer.error ? explained(answer) : t("invite.on_board", { seconds: answer.seconds }));
  };
  return html`<${Button} class="wide" disabled=${!acting()} onTap=${ask}>${t("invite.show_referee")}<//>
    <p class="hint menu-note" role="status">${asked}</p>
    ${role === "referee" && html`<${OwnWifi} />`}
    <nav class="other-pages" aria-label=${t("pages.title")}>
      ${["board", "rules", "history", "hardware"].map(
        (name) => html`<a class="button" key=${name} href=${`/${name}`}
          target="_blank" rel="noopener">${t(`pages.${name}`)}</a>`,
      )}
    </nav>
    ${
      role === "referee" &&
      html`<nav class="other-pages" aria-label=${t("takeaway.title")}>
        ${["everything", "support"].map(
          (name) => html`<${Download} key=${name} from=${`/api/${name}.zip`}>${t(`takeaway.${name}`)}<//>`,
        )}
      </nav>`
    }`;
}

// A Wi-Fi of the table's own, where the Pi can open one.
function OwnWifi() {
  const { shown } = useStore();
  const wifi = useAnswer("/api/wifi", shown ? invited(shown.service) : "");
  const [said, setSaid] = useState(null);
  if (!shown || !wifi?.able) return null;
  const wish = (/** @type {object} */ what, /** @type {string} */ then) => async () => {
    const answer = await changeWifi(what);
    setSaid(answer.error ? explained(answer) : t(then, { seconds: answer.seconds }));
  };
  return html`<section class="own-wifi" aria-label=${t("wifi.title")}>
    ${wifi.open && html`<${WifiCode} service=${shown.service} />`}
    ${
      wifi.open
        ? html`<${Button} class="wide" onTap=${wish({ show: true }, "wifi.on_board")}>${t("wifi.show")}<//>
          <${Button} class="wide" onTap=${wish({ wish: "home" }, "wifi.closing")}>${t("wifi.close")}<//>`
        : html`<${Button} class="wide" onTap=${wish({ wish: "hotspot" }, "wifi.opening")}>${t("wifi.open")}<//>`
    }
    <p class="hint menu-note" role="status">${said}</p>
  </section>`;
}

// The buttons are being checked, so play has to wait.
export function Checking() {
  return html`<p class="banner trouble">${t("hardware.checking")}
    <button type="button" class="link" disabled=${!acting()} onClick=${() => checkButtons(false)}>
      ${t("hardware.walk.end")}
    </button></p>`;
}
