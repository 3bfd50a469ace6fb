// What this device lets be heard, said and felt, and whether its screen stays awake.

import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { keep } from "../core/device.js";
import { change, useStore } from "../core/store.js";
import { t } from "../core/texts.js";
import { Dialog } from "../parts/components.js";
import { play, setHearing, soundsHere } from "../sound/hearing.js";
import { onVoices, voiceFor } from "../sound/voice.js";
import { LanguageChoice } from "./language.js";
import { ThemeChoice } from "./theme.js";

export function Settings() {
  const { hearing, awake, quiet } = useStore();
  const flipShow = () => {
    keep("quiet", quiet ? "no" : "yes");
    change({ quiet: !quiet });
  };
  const { muted, off, voice, buzz } = hearing;
  const flip = (/** @type {string} */ name) => {
    setHearing({ off: off.includes(name) ? off.filter((one) => one !== name) : [...off, name] });
    play(name);
  };
  return html`<${Dialog} title=${t("settings.title")} wide>
    <div class="settings">
      <${Switch} label=${t("settings.all")} help=${t("settings.all_help")} on=${!muted}
        onFlip=${() => setHearing({ muted: !muted })} />
      <div class="sound-list" role="group" aria-label=${t("settings.each")}>
        ${soundsHere().map(
          (/** @type {string} */ name) => html`<${Switch} key=${name} label=${t(`settings.sound.${name}`)}
            on=${!off.includes(name)} disabled=${muted} onFlip=${() => flip(name)} />`,
        )}
      </div>
      <${VoiceSwitch} on=${voice} disabled=${muted} />
      ${
        "vibrate" in navigator &&
        matchMedia("(pointer: coarse)").matches &&
        html`<${Switch} label=${t("settings.buzz")}
          on=${buzz} onFlip=${() => setHearing({ buzz: !buzz })} />`
      }
      <${Switch} label=${t("settings.show")} help=${t("settings.show_help")} on=${!quiet} onFlip=${flipShow} />
      <p class="awake-line" data-awake=${awake ?? "no"}>
        <strong>${t("settings.awake")}</strong> <span>${t(`settings.awake_${awake ?? "no"}`)}</span>
      </p>
      <${ThemeChoice} />
      <${LanguageChoice} />
    </div>
  <//>`;
}

/** @param {{ on: boolean; disabled: boolean }} props */
function VoiceSwitch({ on, disabled }) {
  const [, again] = useState(0);
  useEffect(() => onVoices(() => again((count) => count + 1)), []);
  const able = voiceFor(document.documentElement.lang) !== null;
  return html`<${Switch} label=${t("settings.voice")} help=${t(able ? "settings.voice_help" : "settings.no_voice")}
    on=${on} disabled=${disabled} onFlip=${() => setHearing({ voice: !on })} />`;
}

/** @param {{ label: string; help?: string | null; on: boolean; disabled?: boolean; onFlip: () => void }} props */
export function Switch({ label, help = null, on, disabled = false, onFlip }) {
  return html`<button type="button" role="switch" class="switch" aria-checked=${on} disabled=${disabled}
    onClick=${onFlip}>
    <span class="switch-text"><strong>${label}</strong>${help && html`<small>${help}</small>`}</span>
    <span class="switch-knob" aria-hidden="true"></span>
  </button>`;
}
