// The last step: what was chosen, what is still missing, and the start.

import { h } from "../dom.js";
import { sentence, t } from "../words.js";
import { sure } from "../panels/sure.js";
import { symbols } from "../symbols.js";
import { cameraWords } from "./camera.js";
import { facesWords } from "./pieces.js";
import { secretWords } from "./rules.js";
import { wish } from "./state.js";

let /** @type {string | null} */ name = null;

export const start = {
  name: () => t("Start"),
  title: (/** @type {LobbyState} */ state) =>
    state.missing.length ? t("Almost there") : state.playing ? t("The table is set up again") : t("Everything is ready"),
  picture: true,
  still: true,
  lines: true,
  depends: (/** @type {LobbyState} */ state) => [
    state.missing,
    state.playing,
    state.changed,
    state.board.line,
    state.camera?.kind,
    state.camera?.address,
    state.mode,
    state.game,
    state.edition,
    state.choices.secret,
    state.board.pieces,
    state.deck,
  ],
  body: (/** @type {LobbyState} */ state) => {
    name ??= state.name || (state.camera?.kind === "demo" ? "" : t("My table"));
    const field = h("input", {
      name: "name",
      maxlength: 40,
      autocomplete: "off",
      value: name,
      "data-key": "name",
      oninput: (/** @type {any} */ event) => (name = event.target.value),
    });
    return [
      state.missing.map((one) =>
        h(
          "p",
          { class: "verdict", "data-good": "no" },
          symbols.warning(),
          h("span", {}, sentence(one)),
          h(
            "button",
            { type: "button", class: "button", "data-key": `mend-${one.step}`, onclick: () => wish("go", { step: one.step }) },
            t("Go there"),
          ),
        ),
      ),
      !state.missing.length &&
        h(
          "ul",
          { class: "summary" },
          summary(state).map((line) => h("li", {}, symbols.tick(), h("span", {}, line))),
          unsure(state).map((line) => h("li", { "data-good": "no" }, symbols.warning(), h("span", {}, sentence(line)))),
        ),
      h(
        "label",
        { class: "field" },
        h("span", {}, t("Keep this table under a name, to play on it again with one press (empty: do not keep it)")),
        field,
      ),
    ];
  },
};

export async function begin(/** @type {LobbyState} */ state) {
  if (state.missing.length) return wish("go", { step: state.missing[0].step });
  const kept = (name ?? "").trim();
  if (
    kept &&
    kept !== state.name &&
    state.tables.some((one) => one.name === kept) &&
    !(await sure(
      t("Replace {name}?", { name: kept }),
      [t("A table of this name is kept already: what was measured and taught there is lost. Another name keeps both.")],
      t("Replace it"),
    ))
  )
    return;
  if (await wish("start", kept ? { name: kept } : {}, { busy: t("Starting…") }))
    location.assign(asksSecret(state) ? "/#secret" : "/");
}

/** Whether the game's page asks for the secret at once (on the screen of the seat that keeps it): not in a recording. */
const asksSecret = (/** @type {LobbyState} */ state) =>
  !state.playing && (state.resume?.asks ?? state.choices.secret) !== "asked" && state.camera?.kind !== "demo";

/** What is no obstacle, and no good sign either: the board is in sight, and its pieces are not. */
const unsure = (/** @type {LobbyState} */ state) =>
  ["plain", "cards"].includes(state.mode ?? "") || state.board.pieces?.all !== false ? [] : [state.board.pieces];

/** How the pieces are known, by mode. @type {Record<string, (state: LobbyState) => string>} */
const PIECES = {
  cards: (/** @type {LobbyState} */ { deck }) => facesWords(deck),
  plain: (/** @type {LobbyState} */ { pictures }) =>
    pictures.includes("sides") ? t("Pieces known from three pictures") : t("Pieces known from two pictures"),
  marked: () => t("Pieces known by stickers"),
};

function summary(/** @type {LobbyState} */ state) {
  const game = state.games.find((one) => one.id === state.game),
    edition = game?.editions.find((one) => one.id === state.edition);
  return [
    [game?.label, edition?.label].join(" · "),
    cameraWords(state.camera ?? { kind: "", address: "" }),
    sentence(state.board.line),
    unsure(state).length ? null : (PIECES[state.mode ?? ""] ?? PIECES.marked)(state),
    state.camera?.kind !== "demo" && secretWords(state.choices.secret),
  ].filter(Boolean);
}
