// A question to a seat: its answers as buttons, in the order in which the game lists them, and by keys where there are many.

import { act, once } from "../act.js";
import { seen } from "../base.js";
import { dialog } from "./dialog.js";
import { h } from "../dom.js";
import { expected, opensSecret } from "../expects.js";
import { lookOf } from "../page_data.js";
import { may, plays, role } from "../role.js";
import { changed, onEvent, onGame, store, wording, spotName } from "../store.js";
import { symbols } from "../symbols.js";
import { sentence, t } from "../words.js";
import { openingCard } from "./opening.js";
import { panel } from "./registry.js";

const MOST_KEYS = 9;

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
    asked.given !== undefined &&
      !answers.length &&
      h("p", { class: "given", role: "status" }, symbols.tick(), h("span", {}, answerName(asked, asked.given))),
    asked.public === false && h("p", { class: "quiet-note" }, t("Only the companion hears the answer.")),
    placed(asked) && answers.length > 0
      ? bySpot(asked)
      : answers.length === 2
        ? pair(asked)
        : answers.length > 0 && many(asked),
    asked.counts && (!plays || role === asked.seat) && may(asked.counts.answer.kind) && counted(asked.counts),
  );
}

/** An answer that is made of numbers: one box for each, and one press for all. */
function counted(/** @type {Counts} */ { answer, key, labels, least, most }) {
  const boxes = labels.map((label, i) => {
    const input = h("input", {
      type: "number",
      inputmode: "numeric",
      min: least,
      max: most,
      step: 1,
      value: least,
      required: true,
      "data-key": `count-${i}`,
    });
    return { input, row: h("label", { class: "field" }, h("span", {}, sentence({ text: label, params: {} })), input) };
  });
  const send = once(() => act({ ...answer, [key]: given() }));
  const given = () => boxes.map(({ input }) => Number(/** @type {HTMLInputElement} */ (input).value));
  return h(
    "form",
    { class: "counted", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), send(event)) },
    boxes.map(({ row }) => row),
    h("div", { class: "actions" }, h("button", { class: ["button", "main"], "data-key": "count-send" }, t("That is right"))),
  );
}

/** Two answers: the buttons A and B of a button box, written so large that the longest word fits. */
function pair(/** @type {ExpectedQuestion} */ asked) {
  const words = asked.form.flatMap((_, i) => answerName(asked, i).split(/\s+/));
  const buttons = h(
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
  buttons.style.setProperty("--letters", String(Math.max(6, ...words.map((word) => word.length))));
  return buttons;
}

const many = (/** @type {ExpectedQuestion} */ asked) => [
  h(
    "div",
    { class: "choices" },
    asked.form.map((answer, i) =>
      h(
        "button",
        {
          type: "button",
          class: "choice",
          "data-key": `answer-${i + 1}`,
          "aria-pressed": asked.given === undefined ? null : asked.given === i ? "true" : "false",
          onclick: once(() => act(answer)),
        },
        h("b", { "aria-hidden": "true" }, i + 1),
        h("span", {}, answerName(asked, i)),
        asked.given === i && symbols.tick(),
      ),
    ),
  ),
  asked.form.length > 1 &&
    h("p", { class: "quiet-note" }, t("The keys 1 to {n} answer as well.", { n: Math.min(asked.form.length, MOST_KEYS) })),
];

/** What a digit does for the open question: it answers, or says what the next one is about; null where it does nothing here. */
export function digit(/** @type {Snapshot} */ snapshot, /** @type {number} */ number) {
  const asked = placedQuestion(snapshot);
  if (!asked) {
    const answer = answerByDigit(snapshot, number);
    return answer && (() => act(answer));
  }
  const pointed = pointedAt(asked),
    meant = answersAt(asked, pointed)[number - 1];
  if (pointed) return meant ? () => act(meant) : null;
  const kind = stepOf(asked);
  if (!kind) {
    const chosen = kindsOf(asked)[number - 1];
    return chosen ? () => choose(asked, chosen) : null;
  }
  const spot = spotsOf(asked)[number - 1],
    found = answersAt(asked, spot).find((one) => one.kind === kind);
  return found ? () => act(found) : null;
}

/** The answer that a digit gives to the open question; null where digits answer nothing here. */
function answerByDigit(/** @type {Snapshot} */ snapshot, /** @type {number} */ number) {
  const open = (snapshot.expects ?? []).filter((one) => one.kind === "question");
  for (const asked of /** @type {ExpectedQuestion[]} */ (open)) {
    const answers = opensSecret(asked) ? [] : answersHere(asked);
    if (answers.length > 2) return answers[number - 1] ?? null;
  }
  return null;
}

// --- answers that are about spots of the board: what first, then where ---

/** The kind of answers that was chosen, and the question for which; `past` is the pointing that was waved aside here. Both hold
    until something happens after the event of that `number`: the same may be asked again a round later, or in the next game. */
const step = { asked: "", kind: "", past: "", number: 0 };
const forget = () => Object.assign(step, { asked: "", kind: "", past: "", number: 0 });
const ASIDE = new Set(["notice", "cannot-see", "sight-restored", "pointed-at", "clock"]); // change nothing about what is asked
onEvent(({ number, kind }) => step.number && number > step.number && !ASIDE.has(kind) && forget());
onGame(forget);
const placed = (/** @type {ExpectedQuestion} */ asked) => (asked.places ?? []).some(Boolean);
const keyOf = (/** @type {ExpectedQuestion} */ asked) => JSON.stringify([asked.id, asked.seat, asked.form]);
const kindsOf = (/** @type {ExpectedQuestion} */ asked) => [...new Set(asked.form.map((one) => one.kind))];
/** The spots that answers are about, in the order of their numbers. */
const spotsOf = (/** @type {ExpectedQuestion} */ asked) => [...new Set((asked.places ?? []).filter(Boolean))];
const answersAt = (/** @type {ExpectedQuestion} */ asked, /** @type {Spot} */ spot) =>
  asked.form.filter((_, i) => (asked.places ?? [])[i] === spot && spot);

/** The spot that was pointed at, while that does not answer the question yet; "" where there is none. */
export const pointedAt = (/** @type {ExpectedQuestion} */ asked) =>
  asked.pointed && step.past !== keyOf(asked) + asked.pointed ? asked.pointed : "";

/** The kind of answers that the next number chooses among: the only one there is, or the one that was chosen. */
export function stepOf(/** @type {ExpectedQuestion} */ asked) {
  const kinds = kindsOf(asked);
  return kinds.length === 1 ? kinds[0] : step.asked === keyOf(asked) ? step.kind : "";
}

/** Choose a kind of answers; one that has a single answer answers at once. */
function choose(/** @type {ExpectedQuestion} */ asked, /** @type {string} */ kind) {
  const found = asked.form.filter((one) => one.kind === kind);
  if (found.length === 1 && kind) return act(found[0]);
  Object.assign(step, { asked: keyOf(asked), kind, number: store.snapshot.number });
  changed();
}

/** The open question whose answers are about spots, if it is answered here. */
export function placedQuestion(/** @type {Snapshot} */ snapshot) {
  const asked = expected(snapshot, "question");
  return asked && placed(asked) && answersHere(asked).length > 0 ? asked : null;
}

/** The spots that the open question is about now, with the numbers of their keys. */
export function askedSpots(/** @type {Snapshot} */ snapshot) {
  const asked = placedQuestion(snapshot),
    kind = asked && stepOf(asked);
  if (!asked) return [];
  const pointed = pointedAt(asked);
  return spotsOf(asked).flatMap((spot, i) =>
    (!pointed || spot === pointed) && answersAt(asked, spot).some((one) => !kind || one.kind === kind)
      ? [{ spot, number: i + 1 }]
      : [],
  );
}

/** Whether a tap on a spot belongs to the open question: it answers where it was said what for, else it asks. */
export function tapped(/** @type {Spot} */ spot, /** @type {(() => unknown) | null} */ correct) {
  const asked = placedQuestion(store.snapshot);
  if (!asked || !answersAt(asked, spot).length) return false;
  const kind = stepOf(asked),
    found = answersAt(asked, spot).filter((one) => !kind || one.kind === kind);
  if (!found.length) return false;
  if (kind && step.kind === kind && kindsOf(asked).length > 1) act(found[0]);
  else offer(asked, spot, found, correct);
  return true;
}

function offer(
  /** @type {ExpectedQuestion} */ asked,
  /** @type {Spot} */ spot,
  /** @type {Answer[]} */ found,
  /** @type {(() => unknown) | null} */ correct,
) {
  const about = seen.number,
    close = (/** @type {() => unknown} */ then) => () => (box.close(), then());
  const box = dialog(
    spotName(spot),
    h(
      "div",
      { class: "choices" },
      found.map((answer, i) =>
        h(
          "button",
          {
            type: "button",
            class: "choice",
            "data-key": `here-${answer.kind}`,
            autofocus: i === 0,
            onclick: close(() => act(answer, "", about)),
          },
          h("span", {}, answerName(asked, asked.form.indexOf(answer))),
        ),
      ),
    ),
    h(
      "div",
      { class: "actions" },
      correct &&
        h(
          "button",
          { type: "button", class: "button", "data-key": "here-correct", onclick: close(correct) },
          t("Correct what lies here"),
        ),
      h("button", { type: "button", class: "button", "data-key": "close", onclick: () => box.close() }, t("Cancel")),
    ),
  );
}

/** What an answer of this kind is called where it is not said yet about which spot. */
const kindName = (/** @type {ExpectedQuestion} */ asked, /** @type {string} */ kind) =>
  wording(`answer-${kind}`) ||
  answerName(
    asked,
    asked.form.findIndex((one) => one.kind === kind),
  );

function bySpot(/** @type {ExpectedQuestion} */ asked) {
  const pointed = pointedAt(asked),
    kind = pointed ? "" : stepOf(asked),
    spots = spotsOf(asked);
  const choice = (
    /** @type {number} */ number,
    /** @type {string} */ name,
    /** @type {string} */ key,
    /** @type {() => unknown} */ press,
  ) =>
    h(
      "button",
      { type: "button", class: "choice", "data-key": key, onclick: once(press) },
      h("b", { "aria-hidden": "true" }, number),
      h("span", {}, name),
    );
  const rows = pointed
    ? answersAt(asked, pointed).map((one, n) =>
        choice(n + 1, answerName(asked, asked.form.indexOf(one)), `pointed-${one.kind}`, () => act(one)),
      )
    : kind
      ? spots.flatMap((spot, n) =>
          answersAt(asked, spot)
            .filter((one) => one.kind === kind)
            .map((one) => choice(n + 1, answerName(asked, asked.form.indexOf(one)), `answer-${kind}-${spot}`, () => act(one))),
        )
      : kindsOf(asked).map((one, n) => choice(n + 1, kindName(asked, one), `kind-${one}`, () => choose(asked, one)));
  return [
    h("div", { class: "choices" }, rows),
    h(
      "p",
      { class: "quiet-note" },
      pointed
        ? rows.length > 1
          ? t("{place} was pointed at. Which is meant?", { place: pointed })
          : t("{place} was pointed at. Is that right? Keep the finger there to say yes.", { place: pointed })
        : kind
          ? t("Tap a lit place on the board, or press its number.")
          : t("Press a number, then that of the place; or tap a lit place on the board."),
    ),
    !pointed &&
      asked.pointing &&
      h(
        "p",
        { class: "quiet-note" },
        t("Or hold a finger on the place on the table until it is named, and keep it there to say yes."),
      ),
    (pointed || (kind && kindsOf(asked).length > 1)) &&
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          {
            type: "button",
            class: "button",
            "data-key": "step-again",
            onclick: () => (Object.assign(step, { past: pointed && keyOf(asked) + pointed }), choose(asked, "")),
          },
          t("Something else"),
        ),
      ),
  ];
}

// A button box said what is done: the page numbers the places for its next press.
onEvent((event, live) => {
  if (!live || event.kind !== "notice" || event.data.code !== "box-step") return;
  const asked = placedQuestion(store.snapshot);
  if (asked) choose(asked, event.data.params.kind);
});

panel("question", questionCard);
