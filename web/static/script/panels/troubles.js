// What keeps the companion from its work, and a recording that has nothing more to show.

import { h } from "../dom.js";
import { noLobby, setsUp } from "../role.js";
import { symbols } from "../symbols.js";
import { store } from "../store.js";
import { capital, sentence, t, whole } from "../words.js";

/** @type {Record<string, any>} */
const TROUBLES = {
  sight: () => ["doubt", t("The board is out of sight"), t("The companion goes on as soon as it sees the board again.")],
  disk: () => [
    "alarm",
    t("The record cannot be written"),
    t("Make room on the disk. Nothing said so far is lost; the game goes on by itself."),
  ],
  reading: () => [
    "alarm",
    t("What the camera showed last was left out"),
    t("Nothing on record is lost; the next look counts."),
  ],
};

/** What keeps the companion from its work, for as long as it lasts. */
export function trouble(/** @type {TableTrouble} */ { kind, text }) {
  const [look, title, advice] = TROUBLES[kind]();
  return h(
    "div",
    { class: look, "data-trouble": kind },
    h("h2", {}, symbols.warning(), title),
    h("p", {}, capital(text ?? "")),
    h("p", { class: "quiet-note" }, advice),
  );
}

/** Nothing is played here now: whoever watches waits for what comes next. */
export function setUpAnew() {
  return h(
    "div",
    { class: "card", "data-key": "set-up-anew" },
    h("h2", {}, whole(sentence(store.why))),
    h("p", {}, t("What stands here is how it was before.")),
  );
}

/** Nothing can be shown here yet, and it will be by itself: why, and what comes.
    @param {{message?: string, advice?: string}} why */
export const notYet = (why) =>
  h(
    "div",
    { class: "card", "data-key": "not-yet" },
    h("h2", {}, whole(why.message ?? "")),
    why.advice && h("p", {}, why.advice),
  );

/** The bundled recording has nothing more to show: what the table waits for will not come, and what can be done instead. */
export function recordingOver() {
  return h(
    "div",
    { class: "card", "data-key": "recording-over" },
    h("h2", {}, t("The recording is over")),
    h("p", {}, t("No more will be played on this table.")),
    noLobby &&
      h(
        "p",
        { class: "quiet-note" },
        t(
          "To see it again, end the companion and start it again with: {command}. To set up a table of your own, start it " +
            "with: companion run.",
          { command: `companion demo --game ${store.snapshot.game.id}` },
        ),
      ),
    setsUp &&
      h(
        "p",
        { class: "quiet-note" },
        t(
          "To see it again, begin another game; to play on a table of your own, choose another " +
            "camera. Both are in the menu under: Set up the table again.",
        ),
      ),
  );
}
