// How the pieces are known: by stickers, or by pictures of an unmodified copy: two, and a third where the start does not show
// all sides.

import { once } from "../act.js";
import { h, s } from "../dom.js";
import { capital, sentence, t } from "../words.js";
import { symbols } from "../symbols.js";
import { oneAgain, pointing } from "./again.js";
import { hints } from "./board.js";
import { mayLose } from "./losing.js";
import { laidOut, startPosition } from "./drawing.js";
import { lobby, wish } from "./state.js";
import { told } from "./trouble.js";

let shown = "";

export const pieces = {
  name: () => t("Pieces"),
  title: () => t("How are the pieces recognised?"),
  picture: true,
  lines: true,
  tells: (/** @type {LobbyState} */ state) => state.mode === "plain" || state.mode === "cards",
  keeps: (/** @type {LobbyState} */ state) => state.mode === "cards" && state.pictures.includes("empty"),
  point: (/** @type {LobbyState} */ state) => state.mode === "plain" && state.problems !== null && pointing(),
  depends: (/** @type {LobbyState} */ state) => [
    state.mode,
    state.board.way,
    state.board.pieces,
    state.board.line,
    state.board.hints,
    state.pictures,
    state.shown,
    state.sides,
    state.problems,
    state.accepted,
    state.learnt,
    state.deck,
    pointing(),
  ],
  after(/** @type {LobbyState} */ state) {
    const now = JSON.stringify([state.problems, state.learnt, lobby.trouble?.message]);
    if (now !== shown && shown)
      [...document.querySelectorAll("#step-body > .verdict")].pop()?.scrollIntoView({ block: "nearest" });
    shown = now;
  },
  body: (/** @type {LobbyState} */ state) => [
    h(
      "div",
      { class: "cards two", role: "radiogroup", "aria-labelledby": "step-title" },
      mode(state, "marked", t("By stickers"), t("Sure in any light. Print the sheet, cut it out, stick it on.")),
      state.deck.length > 0 &&
        mode(state, "cards", t("By their faces"), t("For an unmodified deck: every face is shown once.")),
      state.deck.length === 0 &&
        mode(
          state,
          "plain",
          t("By pictures"),
          state.lessons
            ? t("For an unmodified copy: the empty board, then all pieces laid out, twice.")
            : state.sides
              ? t("For an unmodified copy: the empty board, the start position and, if you like, the other sides.")
              : t("For an unmodified copy: the empty board, then the start position."),
        ),
    ),
    state.mode && hints(state),
    state.mode === "marked" && stickers(state),
    state.mode === "plain" && plain(state),
    state.mode === "cards" && deck(state),
  ],
};

function mode(
  /** @type {LobbyState} */ state,
  /** @type {string} */ value,
  /** @type {string} */ label,
  /** @type {string} */ note,
) {
  return h(
    "label",
    { class: "choice-card" },
    h("input", {
      type: "radio",
      name: "mode",
      value,
      checked: state.mode === value,
      "data-key": `mode-${value}`,
      onchange: () => wish("mode", { mode: value }),
    }),
    h("span", {}, h("b", {}, label), h("small", {}, note)),
  );
}

function stickers(/** @type {LobbyState} */ state) {
  const seen = state.board.way === "markers",
    good = seen && state.board.pieces?.all !== false;
  return [
    h(
      "p",
      { class: "verdict", "data-good": good ? "yes" : "no", role: "status" },
      good ? symbols.tick() : symbols.eye(),
      h(
        "span",
        {},
        seen && state.board.pieces
          ? sentence(state.board.pieces)
          : state.board.line.params?.game
            ? sentence(state.board.line)
            : t("The four markers beside the board are not in sight yet."),
      ),
    ),
    h(
      "p",
      { class: "actions" },
      h(
        "a",
        { class: "button", href: "/api/lobby/stickers.pdf", download: "stickers.pdf", "data-key": "stickers" },
        t("Stickers to print (PDF)"),
      ),
      h("span", { class: "quiet-note" }, t("At 100 %, on matt paper; the white border stays on.")),
    ),
  ];
}

const knownOf = (/** @type {LobbyState["deck"]} */ faces) => faces.filter((one) => one.known).length;

/** How many faces of a deck are known. */
export const facesWords = (/** @type {LobbyState["deck"]} */ faces) =>
  t("{n} of {all} faces are known.", { n: knownOf(faces), all: faces.length });

/** A deck of unmodified cards: the empty mat, then every face alone on it. */
function deck(/** @type {LobbyState} */ state) {
  const begun = state.pictures.includes("empty"),
    known = knownOf(state.deck);
  return [
    h(
      "p",
      { class: "actions" },
      PAPERS.map(([paper, words]) =>
        h(
          "a",
          {
            class: ["button", "small"],
            href: `/api/lobby/mat.pdf?paper=${paper}`,
            download: `mat-${paper}.pdf`,
            "data-key": `mat-${paper}`,
          },
          words(),
        ),
      ),
    ),
    h("p", {}, t("Take all cards off the mat, and your hands away.")),
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        {
          type: "button",
          class: ["button", !begun && "main"],
          "data-key": "deck",
          onclick: once(() => wish("deck", {}, { busy: t("Taking the picture…") })),
        },
        begun ? t("Take it again") : t("Take the picture"),
      ),
    ),
    begun && h("p", {}, t("Lay one face upright and alone on the mat, then press its name.")),
    told(),
    begun &&
      h(
        "ul",
        { class: "faces" },
        state.deck.map((one) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                type: "button",
                class: ["button", "small"],
                "data-key": `face-${one.id}`,
                "aria-pressed": one.known ? "true" : "false",
                onclick: once(() => wish("face", { face: one.id }, { busy: t("Looking at the card…") })),
              },
              one.known && symbols.tick(),
              capital(sentence(one)),
            ),
          ),
        ),
      ),
    begun && h("p", { class: "quiet-note", role: "status" }, facesWords(state.deck)),
    begun && known > 0 && known < state.deck.length && inPart(state),
    begun &&
      known === state.deck.length &&
      state.problems !== null &&
      result(state, t("Every face is known, and can be told from the others.")),
  ];
}

/** Some faces were not shown yet: that is no fault, and the game may begin. */
const inPart = (/** @type {LobbyState} */ state) => [
  h("p", { class: "quiet-note" }, t("A face that was not shown is asked for when it is laid.")),
  !state.accepted &&
    h(
      "p",
      { class: "actions" },
      h(
        "button",
        { type: "button", class: "button", "data-key": "accept", onclick: once(() => wish("accept")) },
        t("Play all the same"),
      ),
    ),
];

/** @type {[string, () => string][]} */
const PAPERS = [
  ["a3", () => t("Mat to print (A3)")],
  ["a4", () => t("Mat on A4 pages")],
  ["stickers", () => t("Frame stickers for a plain table")],
];

function plain(/** @type {LobbyState} */ state) {
  const has = (/** @type {string} */ kind) => state.pictures.includes(kind);
  const trouble = told();
  return [
    h(
      "ol",
      { class: "two-pictures" },
      picture(state, "empty", t("Take everything off the board, and your hands away."), true),
      picture(state, "start", lesson(state, 0) ?? t("Set all pieces up as at the start of a game."), has("empty")),
      state.sides && picture(state, "sides", lesson(state, 1) ?? toLay(state.sides), state.problems !== null),
    ),
    !pointing() && trouble,
    state.problems !== null && result(state),
    state.problems !== null && oneAgain(state),
    pointing() && trouble, // beside the form that was refused
    !has("start") && !state.lessons && startPosition(state),
  ];
}

function picture(
  /** @type {LobbyState} */ state,
  /** @type {string} */ kind,
  /** @type {Child} */ words,
  /** @type {boolean} */ may,
) {
  const taken = state.pictures.includes(kind),
    busy = lobby.doing === `take ${kind}`;
  const again = kind === "empty" && state.problems !== null; // another empty board is another table: all is taught anew
  const take = once(
    async () =>
      (!again || (await mayLose())) &&
      wish("take", { picture: kind }, { busy: kind === "empty" ? t("Taking the picture…") : t("Comparing the pictures…") }),
  );
  return h(
    "li",
    {},
    h(
      "figure",
      { class: "taken", "data-taken": taken ? "yes" : "no", "aria-busy": busy ? "true" : null },
      busy && h("p", { class: "busy-sign", "aria-hidden": "true" }, h("span", { class: "spinner" }), lobby.busy),
      state.shown.includes(kind)
        ? h("img", { src: `/api/lobby/picture.jpg?taken=${kind}&at=${Date.now()}`, alt: ALT[kind]() })
        : sketch(kind),
    ),
    h("div", {}, words),
    h(
      "button",
      {
        type: "button",
        class: ["button", !taken && may && "main"],
        "data-key": `take-${kind}`,
        "aria-disabled": may ? null : "true",
        onclick: take,
      },
      taken ? t("Take it again") : t("Take the picture"),
    ),
    kind === "sides" &&
      may &&
      !taken &&
      h(
        "button",
        { type: "button", class: "button", "data-key": "without", onclick: () => wish("go", { step: "rules" }) },
        t("Go on without (sides never shown will be unknown)"),
      ),
  );
}

/** The words and the drawing of one picture by which a board's pieces are learnt; null where the start position does it. */
const lesson = (/** @type {LobbyState} */ state, /** @type {number} */ number) =>
  number < state.lessons
    ? [
        h(
          "p",
          {},
          number
            ? t("Now take all of it off and lay the pieces as drawn here, each with the side up that is drawn.")
            : t("Lay the pieces as drawn here, each with the side up that is drawn, and nothing else."),
        ),
        laidOut(state, number),
      ]
    : null;

const toLay = (/** @type {Said[]} */ sides) => [
  h("p", {}, t("So that the other sides are known as well, lay:")),
  h(
    "ul",
    {},
    sides.map((line) => h("li", {}, sentence(line))),
  ),
  h("p", {}, t("All else stays as at the start. Lay it all back after the picture.")),
];

/** @type {Record<string, () => string>} */
const ALT = {
  empty: () => t("Picture of the empty board"),
  start: () => t("Picture of the start position"),
  sides: () => t("Picture of the other sides"),
};

function result(
  /** @type {LobbyState} */ state,
  good = state.lessons
    ? t("Every piece that was laid is known.")
    : state.pictures.includes("sides")
      ? t("The start position was recognised, every piece of it, and the other sides are known.")
      : t("The start position was recognised, every piece of it."),
) {
  if (!state.problems?.length)
    return h("p", { class: "verdict", "data-good": "yes", role: "status" }, symbols.tick(), h("span", {}, good));
  return h(
    "section",
    { class: "verdict", "data-good": state.accepted ? "yes" : "no", role: "status" },
    state.accepted ? symbols.tick() : symbols.warning(),
    h(
      "div",
      {},
      h("p", {}, t("This is not as it should be yet:")),
      h(
        "ul",
        {},
        state.problems.map((line) => h("li", {}, capital(line))),
      ),
      h("p", {}, t("Put it right and take the picture again, or play all the same: what is unclear will be asked.")),
      state.pictures.includes("sides") &&
        !state.lessons &&
        h("p", {}, t("What a picture of the other sides has shown stays known when you take it again.")),
      !state.accepted &&
        h(
          "button",
          { type: "button", class: "button", "data-key": "accept", onclick: once(() => wish("accept")) },
          t("Play all the same"),
        ),
    ),
  );
}

/** A little board, empty or with pieces on it. */
const sketch = (/** @type {string} */ kind) =>
  s(
    "svg",
    { viewBox: "0 0 120 90", "aria-hidden": "true", class: "sketch" },
    s("rect", { x: 10, y: 8, width: 100, height: 74, rx: 4, class: "sketch-board" }),
    kind !== "empty" ? SPOTS.map(([cx, cy]) => s("circle", { cx, cy, r: 7, class: "sketch-piece" })) : null,
  );
const SPOTS = [
  [30, 30],
  [58, 24],
  [44, 48],
  [76, 44],
  [30, 62],
  [62, 66],
  [88, 66],
];
