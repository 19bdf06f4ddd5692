// What the last answer came to, large, as long as the game tells it; and the way to answer anew after a slip.

import { act, once } from "../act.js";
import { h } from "../dom.js";
import { lastAnswer } from "../page_data.js";
import { may } from "../role.js";
import { wording, pieceName } from "../store.js";
import { symbols } from "../symbols.js";
import { list, t } from "../words.js";

export function answered(/** @type {Snapshot} */ snapshot) {
  const last = lastAnswer(snapshot);
  if (!last) return null;
  const { look, names, again } = last,
    word = wording(`state-${look?.name}`) || wording(look?.label ?? "");
  const big = h("p", { class: "word" }, symbols[look?.symbol ?? ""]?.(), h("span", {}, word));
  // As large as the word allows in whatever language it is; wide characters count double.
  big.style.setProperty("--letters", String([...word].reduce((sum, letter) => sum + (letter > "\u2e80" ? 1.5 : 1), 0)));
  return h(
    "div",
    { class: "call", "data-look": look?.look, role: "group", "aria-label": wording("call") },
    h("p", {}, wording("call-is")),
    big,
    h(
      "p",
      { class: "cleared" },
      names.length ? wording("call-cleared", { names: list(names.map(pieceName)) }) : wording("call-nobody"),
    ),
    again &&
      may(again.kind) &&
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { type: "button", class: "button", "data-key": again.kind, onclick: once(() => act(again)) },
          t("Wrong button: answer again"),
        ),
      ),
  );
}
