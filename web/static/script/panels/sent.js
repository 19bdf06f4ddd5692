// In a hall: what became of the rulings that were sent to this table, the newest first.

import { seen } from "../base.js";
import { h, keep } from "../dom.js";
import { LANGUAGE, t } from "../words.js";

/** @type {Record<string, () => string>} */
const STATES = {
  sent: () => t("Sent, not yet answered"),
  taken: () => t("Taken over by the table"),
  refused: () => t("Refused by the table"),
};
/** Whoever came without a link has no name of his own. */
const who = (/** @type {string} */ name) => (name === "arbiter" ? t("Arbiter") : name);

/** @type {Record<string, () => string>} */
const WHAT = {
  allow: () => t("Let the play stand"),
  accept: () => t("Take the table as it is"),
  "take-back": () => t("Take the game back"),
  "set-position": () => t("Set a position"),
  adjourn: () => t("Adjourn the game"),
  resume: () => t("Go on with the game"),
  penalty: () => t("A penalty"),
  correct: () => t("Correct what the camera saw"),
  undo: () => t("Take back the last play"),
  hold: () => t("Stop the clocks"),
  go: () => t("Let the clocks run"),
  start: () => t("Set the clocks anew"),
};

const hour = (/** @type {number} */ seconds) =>
  new Date(1000 * seconds).toLocaleTimeString(LANGUAGE, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export function drawSent(/** @type {HTMLElement | null} */ element, /** @type {Snapshot} */ snapshot) {
  if (!element) return;
  const rulings = snapshot.rulings ?? [],
    away = seen.away;
  keep(element, [rulings, away], () =>
    rulings.map((one) =>
      h(
        "li",
        { "data-state": one.state, "data-ruling": one.ruling },
        h("b", {}, one.state === "sent" && away ? t("Waits for the table") : (STATES[one.state]?.() ?? one.state)),
        h(
          "span",
          {},
          [hour(one.at), who(one.arbiter), WHAT[one.what]?.() ?? t("An answer"), one.reason].filter(Boolean).join(" · "),
        ),
        one.told && h("p", {}, one.told),
      ),
    ),
  );
}
