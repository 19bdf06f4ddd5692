// A question to a seat: its answers as buttons, in the order in which the game lists them, and by keys where there are many.

import { act, once } from "../act.js";
import { h } from "../dom.js";
import { lookOf } from "../page_data.js";
import { may, plays, role } from "../role.js";
import { wording } from "../store.js";
import { symbols } from "../symbols.js";
import { sentence, t } from "../words.js";
import { openingCard } from "./opening.js";
import { panel } from "./registry.js";

const MOST_KEYS = 9;

/** Whether every answer opens a secret: then it is asked for as every opening is. */
export const opensSecret = (/** @type {ExpectedQuestion} */ asked) =>
  asked.form.length > 0 && asked.form.every((answer) => answer.kind === "reveal");

/** The answers that this page may give to a question: all of its form, or none. */
export const answersHere = (/** @type {ExpectedQuestion} */ asked) =>
  (!plays || role === asked.seat) && asked.form.some((answer) => may(answer.kind)) ? asked.form : [];

/** What is written on the button of an answer. */
export const answerName = (/** @type {ExpectedQuestion} */ asked, /** @type {number} */ index) =>
  asked.labels?.[index] || wording(lookOf(asked.form[index])?.label ?? "") || t("Answer {n}", { n: index + 1 });

export function questionCard(/** @type {ExpectedQuestion} */ asked, /** @type {Snapshot} */ snapshot) {
  if (opensSecret(asked)) return openingCard(asked, snapshot, sentence(asked));
  const answers = answersHere(asked);
  return h(
    "div",
    { class: ["call", "ask"], "data-question": asked.id },
    h("h2", {}, sentence(asked)),
    asked.public === false && h("p", { class: "quiet-note" }, t("Only the companion hears the answer.")),
    answers.length === 2 ? pair(asked) : answers.length > 0 && many(asked),
  );
}

/** Two answers: the buttons A and B of a button box. */
const pair = (/** @type {ExpectedQuestion} */ asked) =>
  h(
    "div",
    { class: "pair" },
    asked.form.map((answer, i) => {
      const look = lookOf(answer),
        symbol = symbols[look?.symbol ?? ""];
      return h(
        "button",
        {
          type: "button",
          class: "big",
          "data-look": look?.look ?? (i ? "dark" : "light"),
          "data-key": look?.name ?? `answer-${i + 1}`,
          onclick: once(() => act(answer)),
        },
        symbol ? symbol() : h("span", { class: "letter", "aria-hidden": "true" }, "AB"[i]),
        answerName(asked, i),
      );
    }),
  );

const many = (/** @type {ExpectedQuestion} */ asked) => [
  h(
    "div",
    { class: "choices" },
    asked.form.map((answer, i) =>
      h(
        "button",
        { type: "button", class: "choice", "data-key": `answer-${i + 1}`, onclick: once(() => act(answer)) },
        h("b", { "aria-hidden": "true" }, i + 1),
        h("span", {}, answerName(asked, i)),
      ),
    ),
  ),
  h("p", { class: "quiet-note" }, t("The keys 1 to {n} answer as well.", { n: Math.min(asked.form.length, MOST_KEYS) })),
];

/** The answer that a digit gives to the open question; null where digits answer nothing here. */
export function answerByDigit(/** @type {Snapshot} */ snapshot, /** @type {number} */ digit) {
  const open = (snapshot.expects ?? []).filter((one) => one.kind === "question");
  for (const asked of /** @type {ExpectedQuestion[]} */ (open)) {
    const answers = opensSecret(asked) ? [] : answersHere(asked);
    if (answers.length > 2) return answers[digit - 1] ?? null;
  }
  return null;
}

panel("question", questionCard);
