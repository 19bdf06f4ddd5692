// What is wrong, open or unclear on the table: a flag with its way back, a play that goes on, a doubt, an unsure camera.

import { act, once } from "../act.js";
import { allowances } from "../board/faults.js";
import { wayBack } from "./chores.js";
import { h, s } from "../dom.js";
import { over } from "../expects.js";
import { may } from "../role.js";
import { rule } from "./rule.js";
import { store, subjectName } from "../store.js";
import { symbols } from "../symbols.js";
import { sentence, t } from "../words.js";

export function alarm(/** @type {Flag} */ flag) {
  const illegal = flag.verdict === "illegal",
    far = flag.faults.some((fault) => fault.code === "too-much-changed");
  const { reach, lay } = allowances(store.board, store.snapshot, flag.faults),
    wrong = flag.faults.some((fault) => fault.cells.length);
  return h(
    "div",
    { class: "alarm", "data-verdict": flag.verdict },
    h("h2", {}, symbols.warning(), illegal ? t("This play is not allowed") : t("The table differs")),
    h(
      "ul",
      { class: "reasons" },
      flag.faults.map((fault) => h("li", {}, sentence(fault))),
    ),
    (!far || flag.guiding) && wayBack(flag.chores),
    (reach.length > 0 || lay.length > 0 || wrong) &&
      h(
        "p",
        { class: "legend" },
        wrong && h("span", {}, swatch("wrong"), t("not allowed")),
        reach.length > 0 && h("span", {}, swatch("reach"), t("within reach")),
        lay.length > 0 && h("span", {}, swatch("lay"), t("may lie here")),
      ),
    h(
      "div",
      { class: "actions" },
      far &&
        !flag.guiding &&
        may("guide") &&
        h(
          "button",
          { type: "button", class: ["button", "main"], "data-key": "guide", onclick: once(() => act({ kind: "guide" })) },
          t("Guide us back"),
        ),
      may("accept") &&
        h(
          "button",
          { type: "button", class: "button", "data-key": "ruling", onclick: () => rule(illegal ? "allow" : "accept") },
          far ? t("Take the table as it is") : t("Give a ruling"),
        ),
    ),
  );
}

/** A mark of the board, small, in the shape of what is marked there. */
const swatch = (/** @type {string} */ name) =>
  s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, (SWATCHES[store.board.surface ?? ""] ?? SWATCHES.hexes)(name));

/** @type {Record<string, (name: string) => SVGElement>} */
const SWATCHES = {
  hexes: (name) => s("polygon", { class: name, points: "23,12 17.5,21.5 6.5,21.5 1,12 6.5,2.5 17.5,2.5" }),
  graph: (name) => s("circle", { class: name, cx: 12, cy: 12, r: 9.5 }),
  zones: (name) => s("rect", { class: name, x: 4, y: 2, width: 16, height: 20 }),
};

/** The last play was clear in what it did and unclear in how: offer the other ways to tell it, quietly. */
export function retell(/** @type {Snapshot} */ snapshot) {
  const last = lastStanding(),
    others = last?.data.alternatives ?? [];
  if (!may("choose") || others.length < 2 || last?.data.turn !== snapshot.turn || last?.data.pick !== snapshot.pick)
    return null;
  return h(
    "details",
    { class: "open-play", "data-key": `retell-${last.number}` },
    h("summary", {}, t("Was it played another way?")),
    h("div", { class: "choices" }, alternatives(others)),
  );
}

/** The last play that was not taken back. */
function lastStanding() {
  /** @type {RecordEvent[]} */
  let plays = [];
  for (const event of store.events) {
    const { kind, data } = event;
    if (kind === "play" || (kind === "correction" && data.what === "play")) plays.push(event);
    else if (kind === "undo") plays = plays.filter((one) => one.number !== data.undone);
    else if (kind === "ruling" && data.action === "take-back") plays = plays.filter((one) => one.number <= data.to);
    else if (kind === "ruling" && data.action === "set-position") plays = [];
  }
  return plays.at(-1);
}

const alternatives = (/** @type {Alternative[]} */ ways) =>
  ways.map((one, i) =>
    h(
      "button",
      {
        type: "button",
        class: "choice",
        disabled: !may("choose"),
        "data-key": `choice-${one.index}`,
        onclick: once(() => act({ kind: "choose", alternative: one.index })),
      },
      h("b", { "aria-hidden": "true" }, i + 1),
      h("span", {}, one.text),
    ),
  );

/** A play that goes on: no alarm, only what is still missing. */
export function openPlay(/** @type {Unfinished} */ data) {
  return h(
    "div",
    { class: "open-play" },
    h("h2", {}, t("Still to do")),
    h(
      "ul",
      {},
      data.faults.map((fault) => h("li", {}, sentence(fault))),
    ),
    wayBack(data.chores ?? []),
  );
}

export function doubt(/** @type {any} */ data) {
  return h(
    "div",
    { class: "doubt" },
    h("h2", {}, t("What happened?")),
    h("p", { class: "quiet-note" }, data.message ?? t("More than one play fits what is on the table.")),
    h("div", { class: "choices" }, alternatives(data.alternatives)),
  );
}

/** What the camera cannot tell and the game hangs on. What lies under a disc is marked on the board and troubles nobody. */
export function problems(/** @type {Snapshot} */ snapshot) {
  if (over(snapshot)) return null;
  const asked = new Set(snapshot.blind ?? []);
  const lines = snapshot.table?.problems ?? [],
    unknown = Object.entries(snapshot.table?.unknown ?? {}).filter(([subject]) => asked.has(subject)),
    burnt = snapshot.table?.burnt ?? [];
  if (!lines.length && !unknown.length) return null;
  return h(
    "div",
    { class: "card" },
    h("h2", {}, t("The camera is not sure")),
    h(
      "ul",
      { class: "quiet-note" },
      lines.map((line) => h("li", {}, line)),
      unknown
        .slice(0, 4)
        .map(([subject, reason]) => h("li", {}, t("{what}: {reason}", { what: subjectName(subject), reason }))),
      burnt.length > 0 &&
        h(
          "li",
          { "data-key": "burnt" },
          burnt.length > 3
            ? t("A reflection lies on the table: move the light or the camera a little.")
            : t("A reflection lies on {places}: move the light or the camera a little.", { places: burnt.join(", ") }),
        ),
    ),
    may("correct") && h("p", { class: "quiet-note" }, t("Tap the place on the board to say what stands there.")),
  );
}
