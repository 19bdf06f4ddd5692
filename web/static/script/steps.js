// The game so far as positions one after the other, folded from the events that everybody is told: what can be stepped through.

import { meaning } from "./page_data.js";

/** Kinds of events that leave a position behind, or take one away; a game's own kinds go by what they mean. */
const OWN = { begins: "begin", answers: "answer" };
const stepKind = (/** @type {string} */ kind) => (kind in FOLD ? kind : (/** @type {any} */ (OWN)[meaning(kind)] ?? ""));

const filled = (/** @type {State} */ position) => Boolean(position) && Object.keys(position).length > 0;

const step = (/** @type {RecordEvent} */ { number, text, data }, /** @type {any} */ kind, /** @type {any} */ last = null) => ({
  number,
  kind,
  text,
  turn: data.turn ?? data.position.turn ?? last?.turn ?? 1,
  pick: data.pick ?? null,
  character: data.character ?? null,
  answer: data,
  position: data.position,
  moves: data.moves ?? [],
});

/** By kind: the steps after an event. What was taken back or told anew is not stepped through; the log keeps it. */
/** @type {Record<string, any>} */
const FOLD = {
  "table-agreed": (/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) =>
    steps.some((one) => one.kind !== "start") ? steps : [step(event, "start")],
  begin: (/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) => (steps.length ? steps : [step(event, "start")]),
  play: (/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) => [...steps, step(event, "play", steps.at(-1))],
  answer: (/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) => [...steps, step(event, "answer", steps.at(-1))],
  correction(/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) {
    if (meaning(event.data.what) === "answers")
      return steps.filter((one, /** @type {number} */ i) => one.kind !== "answer" || i < steps.length - 1);
    if (!filled(event.data.position) || steps.at(-1)?.kind !== "play") return steps;
    return [...steps.slice(0, -1), step(event, "play", steps.at(-1))];
  },
  undo(/** @type {Step[]} */ steps, /** @type {RecordEvent} */ { data }) {
    const last = steps.findLastIndex((one) => one.kind === "play");
    const gone = steps.some((one) => one.number === data.undone) ? data.undone : steps[last]?.number;
    return steps.filter((one) => one.number !== gone);
  },
  ruling(/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) {
    const { action, character, to, position } = event.data;
    if (action === "take-back") return steps.filter((one) => one.number <= to);
    if (!filled(position)) return steps;
    return [...steps, step(event, character ? "play" : "ruling", steps.at(-1))];
  },
};
const NEEDS_POSITION = new Set(["table-agreed", "begin", "play", "answer"]);

export const leavesStep = (/** @type {RecordEvent} */ { kind, data }) =>
  Boolean(stepKind(kind)) && (!NEEDS_POSITION.has(stepKind(kind)) || filled(data.position));

/** The steps that these events make, oldest first: `{number, kind, text, turn, pick, character, answer, position, moves}`;
    `kind` is
    `start`, `play`, `answer` or `ruling`. */
export const stepsOf = (/** @type {RecordEvent[]} */ events) =>
  events
    .filter(leavesStep)
    .reduce((/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) => FOLD[stepKind(event.kind)](steps, event), []);
