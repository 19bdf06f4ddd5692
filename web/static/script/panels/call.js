// The call and the question at the end: asked of whoever has to answer, and what came of it.

import { act, once } from "../act.js";
import { h } from "../dom.js";
import { reveal } from "./entrust.js";
import { may } from "../role.js";
import { wording, pieceName } from "../store.js";
import { symbols } from "../symbols.js";
import { list, t } from "../words.js";

export function question(/** @type {Snapshot} */ snapshot) {
  const asked = snapshot.question;
  if (!asked) return h("div", { class: "call" }, h("p", {}, wording("call-due")));
  if (asked.kind !== "call")
    return h(
      "div",
      { class: ["call", "ask"] },
      h("h2", {}, asked.text),
      h("p", { class: "quiet-note" }, wording("reveal-asked")),
      may("reveal") &&
        h(
          "div",
          { class: "actions" },
          h(
            "button",
            { type: "button", class: ["button", "main"], "data-key": "reveal", onclick: () => reveal() },
            wording("reveal"),
          ),
        ),
    );
  const button = (/** @type {boolean} */ seen, /** @type {string} */ name, /** @type {() => Node} */ symbol) =>
    h(
      "button",
      {
        type: "button",
        class: ["big", seen ? "yes" : "no"],
        "data-key": name,
        onclick: once(() => act({ kind: "call", seen })),
      },
      symbol(),
      seen ? wording("call-yes") : wording("call-no"),
    );
  return h(
    "div",
    { class: ["call", "ask"] },
    h("h2", {}, asked.text),
    may("call") && h("div", { class: "pair" }, button(true, "seen", symbols.eye), button(false, "unseen", symbols.eyeShut)),
  );
}

export function called(/** @type {any} */ data, /** @type {any} */ slip) {
  const cleared = data.cleared ?? [],
    word = data.seen ? t("seen") : t("unseen");
  const big = h("p", { class: "word" }, data.seen ? symbols.eye() : symbols.eyeShut(), h("span", {}, word));
  // As large as the word allows in whatever language it is; wide characters count double.
  big.style.setProperty("--letters", String([...word].reduce((sum, letter) => sum + (letter > "\u2e80" ? 1.5 : 1), 0)));
  return h(
    "div",
    { class: "call", "data-seen": data.seen ? "yes" : "no", role: "group", "aria-label": wording("call") },
    h("p", {}, wording("call-is")),
    big,
    h(
      "p",
      { class: "cleared" },
      cleared.length ? wording("call-cleared", { names: list(cleared.map(pieceName)) }) : wording("call-nobody"),
    ),
    slip &&
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { type: "button", class: "button", "data-key": "recall", onclick: once(() => act({ kind: "recall" })) },
          t("Wrong button: answer again"),
        ),
      ),
  );
}
