// The moves, always below the board, and the board as it was after each of them: by buttons, by arrow keys, or played by
// itself.
// Whatever is shown that is not now says so, with one press back. It is this page's own view: nobody else's changes.

import { discOf } from "./disc.js";
import { h, id, keep } from "../dom.js";
import { tell } from "../messages.js";
import { onChange, onEvent, onGame, piece, pieceName, store } from "../store.js";
import { leavesStep, stepsOf } from "../steps.js";
import { symbols } from "../symbols.js";
import { signOf } from "../board/pieces.js";
import { lookTold } from "../page_data.js";
import { t, turnName, wording } from "../words.js";

const PACE = 1800; // milliseconds for each step of a replay
/**
 * @type {{
 *   events: RecordEvent[], steps: Step[], at: number | null, whole: boolean,
 *   timer: ReturnType<typeof setInterval> | undefined,
 * }}
 */
const state = { events: [], steps: [], at: null, whole: false, timer: undefined };
let redraw = () => {};

onEvent((event) => {
  if (!leavesStep(event)) return;
  state.events.push(event);
  fold();
});
onGame(() => {
  stop();
  Object.assign(state, { events: [], steps: [], at: null, whole: false });
});

function fold() {
  state.steps = stepsOf(state.events);
  if (index() < 0) state.at = null; // what was looked at was taken back
}

const index = () => state.steps.findIndex((one) => one.number === state.at);
/** The step that the board shows instead of now; null where it shows now. */
export const shownStep = () => (state.at === null ? null : (state.steps[index()] ?? null));

/** What the board is drawn from while it shows a step: its position, and nothing that is only so now. */
export const pastOf = (/** @type {Step} */ { position, turn }) => ({
  position,
  turn,
  expects: [{ kind: "change", seat: null, left: 0 }],
  table: null,
  flag: null,
  unfinished: null,
  chores: [],
});

export function when(/** @type {Step} */ { kind, turn, pick }) {
  if (kind === "start") return t("The start");
  if (kind === "answer")
    return wording("step-answered", { n: turn }) || wording("turn", { n: turn }) || t("Turn {n}, the answer", { n: turn });
  if (pick) return wording("turn", { n: turn }) || t("Turn {n}, pick {k}", { n: turn, k: pick });
  return wording("step-turn", { n: turn }) || turnName(turn);
}

export function startStepping(/** @type {() => void} */ draw) {
  redraw = draw;
  const bar = id("steps");
  const button = (
    /** @type {string} */ key,
    /** @type {() => Node} */ sign,
    /** @type {string} */ label,
    /** @type {() => void} */ press,
  ) =>
    h(
      "button",
      {
        type: "button",
        class: "step-button",
        "data-key": key,
        "aria-label": label,
        title: label,
        onclick: () => (stop(), press()),
      },
      sign(),
    );
  bar.append(
    h(
      "div",
      { class: "steps-row" },
      button("step-first", symbols.first, t("First move"), first),
      button("step-back", symbols.back, t("Move before"), back),
      h("ol", { class: "steps-list", id: "steps-list", "aria-label": t("Moves so far") }),
      button("step-on", symbols.on, t("Next move"), on),
      button("step-now", symbols.last, t("Now"), now),
    ),
    h("div", { class: "steps-line" }, h("p", { id: "steps-line", role: "status" }), h("div", { id: "steps-live" })),
  );
  bar.hidden = false;
  document.addEventListener("keydown", keys);
  onChange(drawSteps);
  drawSteps();
}

/** A number is the step's place in the list; the last one is what is so now. */
function show(/** @type {number} */ place) {
  state.at = place >= 0 && place < state.steps.length - 1 ? state.steps[place].number : null;
  if (state.at === null) stop();
  drawSteps();
  redraw();
}

const here = () => (state.at === null ? state.steps.length - 1 : index());
const now = () => show(-1);
const on = () => show(here() + 1);
async function back() {
  const known = await whole();
  if (known && here() > 0) show(here() - 1);
}
async function first() {
  if ((await whole()) && state.steps.length > 1) show(0);
}

/** All of the game is known from here on; older events than this page keeps are fetched once. */
async function whole() {
  const oldest = store.events[0]?.number ?? 1;
  if (state.whole || oldest <= 1) return true;
  try {
    const { eventsBefore } = await import("../earlier.js");
    const older = (await eventsBefore(oldest)).filter(leavesStep),
      known = new Set(state.events.map((one) => one.number));
    state.events = [...older.filter((one) => !known.has(one.number)), ...state.events].sort((a, b) => a.number - b.number);
    state.whole = true;
    fold();
  } catch {
    tell({ message: t("The earlier moves could not be fetched."), advice: t("Try again in a moment.") }, "steps");
    return false;
  }
  return true;
}

// --- a replay ---

export async function replay() {
  stop();
  if (!(await whole()) || state.steps.length < 2) return;
  show(0);
  id("board").scrollIntoView({ block: "nearest" });
  state.timer = setInterval(on, PACE);
  drawSteps();
  document.querySelector("[data-key=replay-stop]")?.focus({ preventScroll: true });
}

function stop() {
  clearInterval(state.timer);
  state.timer = undefined;
}

// --- what is drawn ---

function drawSteps() {
  const past = shownStep(),
    at = here(),
    last = state.steps.length - 1;
  const list = id("steps-list"),
    inside = list.contains(document.activeElement);
  id("board").dataset.past = past ? "yes" : "no";
  keep(list, [state.steps.map((one) => [one.number, one.text]), at], () =>
    state.steps.length
      ? state.steps.map((one, i) => move(one, i, i === at))
      : h("li", { class: "quiet-note" }, t("No moves yet.")),
  );
  for (const [key, may] of [
    ["step-first", at > 0 || behind()],
    ["step-back", at > 0 || behind()],
    ["step-on", past],
    ["step-now", past],
  ])
    document.querySelector(`[data-key="${key}"]`)?.setAttribute("aria-disabled", String(!may));
  keep(
    id("steps-line"),
    [past?.number, past?.text],
    () => past && [h("b", {}, t("{when} – not now", { when: when(past) })), past.text && ` ${past.text}`].filter(Boolean),
  );
  keep(
    id("steps-live"),
    [Boolean(past), Boolean(state.timer)],
    () =>
      past &&
      [
        state.timer !== undefined &&
          h(
            "button",
            {
              type: "button",
              class: ["button", "small"],
              "data-key": "replay-stop",
              onclick: () => (stop(), drawSteps(), document.querySelector("[data-key=step-back-now]")?.focus()),
            },
            t("Pause"),
          ),
        h(
          "button",
          {
            type: "button",
            class: ["button", "small", "main"],
            "data-key": "step-back-now",
            onclick: () => (now(), id("now").focus({ preventScroll: true })),
          },
          t("Back to now"),
        ),
      ].filter(Boolean),
  );
  const chosen = /** @type {HTMLElement | null} */ (list.querySelector("[tabindex='0']"));
  if (chosen && list.dataset.at !== String(at) + last) {
    list.dataset.at = String(at) + last;
    list.scrollTo({ left: chosen.offsetLeft - list.clientWidth / 2 + chosen.offsetWidth / 2 });
    if (inside) chosen.focus({ preventScroll: true });
  }
}

/** Whether there may be moves before those that are known. */
const behind = () => !state.whole && (store.events[0]?.number ?? 1) > 1;

/** @type {Record<string, any>} */
const SIGNS = {
  start: () => symbols.start(),
  answer: (/** @type {Step} */ { answer }) => symbols[lookTold(answer)?.symbol ?? "tick"](),
  ruling: () => symbols.hand(),
  play: (/** @type {Step} */ one) => cardSign(one) ?? discOf(one.character ?? ""),
};

/** What was laid, where a play goes by the place it was laid at and not by a piece that moves. */
function cardSign(/** @type {Step} */ { character, moves }) {
  const laid = character && !piece(character) ? piece(moves[0]?.piece ?? "") : null;
  return laid && signOf(store.board, laid);
}

function move(/** @type {Step} */ one, /** @type {number} */ place, /** @type {boolean} */ chosen) {
  const before = state.steps[place - 1],
    opens = one.kind !== "start" && before && (before.kind === "start" || before.turn !== one.turn);
  const label = [when(one), one.text || (one.character ? pieceName(one.character) : "")].filter(Boolean).join(": ");
  return h(
    "li",
    { "data-kind": one.kind },
    opens && h("span", { class: "steps-turn", "aria-hidden": "true" }, one.turn),
    h(
      "button",
      {
        type: "button",
        class: "step-move",
        "data-key": `step-${one.number}`,
        "aria-label": label,
        title: label,
        "aria-current": chosen ? "step" : null,
        tabindex: chosen ? 0 : -1,
        onclick: () => (stop(), show(place)),
      },
      SIGNS[one.kind](one),
    ),
  );
}

/** Arrow keys among the moves, and wherever nothing else wants them: not on the board, whose cells they walk. */
function keys(/** @type {any} */ event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || document.querySelector("dialog[open]")) return;
  const inside = id("steps").contains(event.target);
  if (event.key === "Escape" && shownStep()) return now();
  if (!inside && event.target !== document.body && event.target !== id("now")) return;
  /** @type {Record<string, () => unknown>} */
  const doing = { ArrowLeft: back, ArrowRight: on, ...(inside ? { Home: first, End: now } : {}) };
  const press = doing[event.key];
  if (!press) return;
  event.preventDefault();
  stop();
  press();
}
