// Sound check: a sentence to hear, how loud and how fast. Each device has its own.

import { h } from "../dom.js";
import { slider } from "../panels/slider.js";
import { t, wording } from "../words.js";
import { voice } from "../voice.js";

export const sound = {
  name: () => t("Sound"),
  title: () => t("Can you hear it?"),
  depends: () => [voice.available],
  body: () => [
    h(
      "p",
      {},
      voice.available
        ? t("Calls, flags and doubts are said aloud on this device. Everything said is also written on the page.")
        : t("This browser has no voice for this language. Everything said is also written on the page."),
    ),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", class: ["button", "main"], "data-key": "say", onclick: say }, t("Say a sentence")),
    ),
    slider("volume", t("Loudness"), 0, 1, 0.05),
    slider("rate", t("Speed"), 0.6, 1.6, 0.05),
    h(
      "label",
      { class: "switch" },
      h("input", {
        type: "checkbox",
        name: "on",
        checked: voice.settings.on,
        "data-key": "on",
        onchange: (/** @type {any} */ event) => voice.set("on", event.target.checked),
      }),
      t("Speak"),
    ),
    h(
      "p",
      { class: "quiet-note" },
      t("Nothing to hear? Look at this device's volume, and whether the browser may play sound."),
    ),
  ],
};

function say() {
  const text = wording("sound-check") || t("This is how a question will sound.");
  voice.unlock();
  voice.write(text, "polite");
  voice.say(text, "calls", true);
}
