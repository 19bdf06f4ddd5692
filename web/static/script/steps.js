// The game so far as positions one after the other, folded from the events that everybody is told: what can be stepped through.

/** Kinds of events that leave a position behind, or take one away. */
const KINDS = new Set(["table-agreed", "turn-opened", "play", "correction", "undo", "ruling", "call"]);

const filled = (/** @type {State} */ position) => Boolean(position) && Object.keys(position).length > 0;

const step = (/** @type {RecordEvent} */ { number, text, data }, /** @type {any} */ kind, /** @type {any} */ last = null) => ({
  number,
  kind,
  text,
  turn: data.turn ?? data.position.turn ?? last?.turn ?? 1,
  pick: data.pick ?? null,
  character: data.character ?? null,
  seen: data.seen ?? null,
  position: data.position,
  moves: data.moves ?? [],
});

/** By kind: the steps after an event. What was taken back or told anew is not stepped through; the log keeps it. */
/** @type {Record<string, any>} */
const FOLD = {
  "table-agreed": (/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) =>
    steps.some((one) => one.kind !== "start") ? steps : [step(event, "start")],
  "turn-opened": (/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) =>
    steps.length ? steps : [step(event, "start")],
  play: (/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) => [...steps, step(event, "play", steps.at(-1))],
  call: (/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) => [...steps, step(event, "call", steps.at(-1))],
  correction(/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) {
    if (event.data.what === "call")
      return steps.filter((one, /** @type {number} */ i) => one.kind !== "call" || i < steps.length - 1);
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
const NEEDS_POSITION = new Set(["table-agreed", "turn-opened", "play", "call"]);

export const leavesStep = (/** @type {RecordEvent} */ { kind, data }) =>
  KINDS.has(kind) && (!NEEDS_POSITION.has(kind) || filled(data.position));

/** The steps that these events make, oldest first: `{number, kind, text, turn, pick, character, seen, position, moves}`;
    `kind` is
    `start`, `play`, `call` or `ruling`. */
export const stepsOf = (/** @type {RecordEvent[]} */ events) =>
  events
    .filter(leavesStep)
    .reduce((/** @type {Step[]} */ steps, /** @type {RecordEvent} */ event) => FOLD[event.kind](steps, event), []);
