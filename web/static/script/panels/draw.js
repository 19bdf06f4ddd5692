// What is drawn or dealt by chance: by hand, and said here, or by the companion.

import { act, once } from "../act.js";
import { h } from "../dom.js";
import { may } from "../role.js";
import { t } from "../words.js";
import { cards } from "./cards.js";
import { panel } from "./registry.js";

panel(
  "draw",
  (/** @type {ExpectedDraw} */ draw) =>
    h(
      "div",
      { class: "card" },
      h("h2", {}, t("To be drawn: {n}", { n: draw.count })),
      h(
        "div",
        { class: "actions" },
        may("deal") &&
          h(
            "button",
            { type: "button", class: ["button", "main"], "data-key": "deal", onclick: once(() => act({ kind: "deal" })) },
            t("Let the companion draw"),
          ),
        may("cards") &&
          h(
            "button",
            { type: "button", class: "button", "data-key": "drawn", onclick: () => cards() },
            t("Say what was drawn"),
          ),
      ),
    ),
  ["change", "question", "opening"], // beside a play it is said from the table's menu
);
