// The first press: browsers allow sound and a screen that stays awake only after one. It is asked for in a strip along
// the foot of the page and never in the way: a call or a flag is readable before anybody has touched anything.

import { h, id } from "./dom.js";
import { symbols } from "./symbols.js";
import { t } from "./words.js";
import { voice } from "./voice.js";

export function startPanel(/** @type {string} */ name) {
  const button = h("button", { type: "button", class: ["button", "main"], "data-key": "start" }, t("Start with sound"));
  const quiet = h("button", { type: "button", class: "button", "data-key": "quiet" }, t("Without sound"));
  const panel = h(
    "section",
    { class: "start", "aria-labelledby": "start-title" },
    symbols.start(),
    h("h2", { id: "start-title" }, name),
    h("p", {}, t("Play on the table as always. The companion watches and speaks up when it matters.")),
    h("div", { class: "actions" }, button, quiet),
  );
  const begin = (/** @type {boolean} */ sound) => {
    if (sound) voice.unlock();
    voice.set("on", sound);
    stayAwake();
    panel.remove();
    id("now").focus({ preventScroll: true });
  };
  button.addEventListener("click", () => begin(true));
  quiet.addEventListener("click", () => begin(false));
  document.body.append(panel);
}

/** A screen beside the table must not go dark; when the page was away, the lock has to be taken again. */
async function stayAwake() {
  if (!navigator.wakeLock) return;
  const take = () => navigator.wakeLock.request("screen").catch(() => {});
  await take();
  document.addEventListener("visibilitychange", () => !document.hidden && take());
}
