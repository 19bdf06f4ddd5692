// Where the board is: found by its markers, or by four corners that somebody lays on its printed frame line.

import { once } from "../act.js";
import { h } from "../dom.js";
import { sentence, t, whole } from "../words.js";
import { symbols } from "../symbols.js";
import { wish } from "./state.js";
import { told } from "./trouble.js";

let byHand = false,
  turn = () => {};

export const board = {
  name: () => t("Board"),
  title: (/** @type {LobbyState} */ state) => (state.board.way ? t("Is the outline on the board?") : t("Where is the board?")),
  picture: true,
  lines: true,
  tells: () => true,
  corners: (/** @type {LobbyState} */ state) =>
    byHand || state.board.way === "corners" || (state.mode === "plain" && state.problems === null),
  depends: (/** @type {LobbyState} */ state) => [
    state.camera?.kind,
    state.board.way,
    state.board.line,
    state.board.problems,
    state.board.hints,
    state.mode,
    byHand,
  ],
  body: (/** @type {LobbyState} */ state) => {
    const hands = board.corners(state);
    return [
      state.camera ? verdict(state, !hands) : h("p", { class: "verdict", "data-good": "no" }, t("Choose a camera first.")),
      hints(state),
      told(),
      hands
        ? h(
            "p",
            { id: "corner-help" },
            t(
              "Put each handle on its corner of the printed frame line, not of the cardboard: 1 is " +
                "top left, then clockwise. Arrow keys nudge; Shift makes long steps, Alt fine ones.",
            ),
          )
        : h(
            "p",
            { class: "quiet-note" },
            state.board.way
              ? t("Outline and cells are drawn on the picture. Move the camera or the board if they lie beside it.")
              : t(
                  "With stickers: lay the four markers beside the board. Without: show where its " +
                    "corners are, or let the board be found from the two pictures of the next step.",
                ),
          ),
      h(
        "div",
        { class: "actions" },
        state.camera &&
          !state.board.way &&
          h(
            "button",
            { type: "button", class: ["button", "main"], "data-key": "no-stickers", onclick: once(withoutStickers) },
            t("Without stickers: go on, the board is found from the two pictures of the next step"),
          ),
        !hands &&
          h(
            "button",
            { type: "button", class: "button", "data-key": "by-hand", onclick: () => setByHand(true) },
            t("Set the corners by hand"),
          ),
        hands &&
          h(
            "button",
            { type: "button", class: "button", "data-key": "turn", onclick: () => turn() },
            t("Turn the corners half round"),
          ),
        hands &&
          h(
            "button",
            { type: "button", class: "button", "data-key": "find", onclick: () => setByHand(false) },
            t("Look for the markers"),
          ),
      ),
    ];
  },
};

export const onTurn = (/** @type {() => void} */ action) => (turn = action);

function setByHand(/** @type {boolean} */ on) {
  byHand = on;
  return wish(on ? "mode" : "find", on ? { mode: "plain" } : {});
}

/** An unmodified copy has no markers to wait for: its board is found from the pictures of the next step. */
const withoutStickers = async () => (await wish("mode", { mode: "plain" })) && wish("go", { step: "pieces" });

/** How the camera could see the board better. */
export const hints = (/** @type {LobbyState} */ state) =>
  state.board.hints.map((hint) =>
    h("p", { class: "verdict", "data-good": "no", "data-key": "hint" }, symbols.warning(), h("span", {}, sentence(hint))),
  );

/** What the lobby says of the board, with its sign: never colour alone. Why it is not found says already that it is not. */
export function verdict(/** @type {LobbyState} */ state, why = true) {
  const good = Boolean(state.board.way),
    reasons = !good && why ? state.board.problems.map(whole) : [];
  return h(
    "p",
    { class: "verdict", "data-good": good ? "yes" : "no", role: "status" },
    good ? symbols.tick() : symbols.eye(),
    h("span", {}, reasons.length ? reasons.join(" ") : sentence(state.board.line)),
  );
}
