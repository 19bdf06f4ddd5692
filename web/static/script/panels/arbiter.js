// The arbiter's own card: every word that can be given now, one touch away.

import { h, keep } from "../dom.js";
import { over } from "../expects.js";
import { rule, rulings } from "./rule.js";
import { sideName } from "../role.js";
import { t } from "../words.js";

export function drawArbiter(/** @type {HTMLElement | null} */ element, /** @type {Snapshot} */ snapshot) {
  if (!element) return;
  const open = over(snapshot) ? [] : rulings(snapshot),
    penalties = snapshot.penalties ?? [];
  keep(element, [open, snapshot.adjourned, penalties, snapshot.house_rules], () => [
    snapshot.adjourned && h("p", { class: "wanting" }, t("The game is adjourned")),
    open.length
      ? h(
          "div",
          { class: "words" },
          open.map(([action, label]) =>
            h("button", { type: "button", class: "button", "data-key": `rule-${action}`, onclick: () => rule(action) }, label),
          ),
        )
      : h("p", { class: "quiet-note" }, t("Nothing to rule on.")),
    penalties.length > 0 && [
      h("h3", {}, t("Penalties")),
      h(
        "ul",
        { class: "plain" },
        penalties.map((one) => h("li", {}, `${sideName(one.against, snapshot.movers ?? [])}: ${one.reason}`)),
      ),
    ],
  ]);
}
