// The table that hands must bring about: laid for the start, or in order again before the game goes on.

import { act } from "../act.js";
import { h } from "../dom.js";
import { may } from "../role.js";
import { pieceName, store } from "../store.js";
import { capital, t, wording } from "../words.js";
import { answered } from "./answered.js";
import { chore, ticked } from "./chores.js";
import { panel } from "./registry.js";
import { secretButton } from "./secret.js";
import { sure } from "./sure.js";

/** More things to do than these stand beside each other where there is room. */
const MANY = 6;

panel("arrangement", (/** @type {ExpectedArrangement} */ goal, /** @type {Snapshot} */ snapshot) =>
  goal.start ? start(snapshot) : order(snapshot),
);

function start(/** @type {Snapshot} */ snapshot) {
  const chores = ticked(snapshot);
  return h(
    "div",
    { class: "card" },
    chores.length
      ? h("ul", { class: "chores" }, chores.map(chore))
      : h("p", {}, t("Lay every piece where the board on this page shows it. The game opens by itself.")),
    Object.entries(store.board.doubts ?? {}).map(([subject, places]) =>
      h(
        "p",
        { class: "quiet-note", "data-doubt": subject },
        t("{what}: the sources disagree where this starts ({places}). What lies on the table counts.", {
          what: startName(subject),
          places: places.join(", "),
        }),
      ),
    ),
    h(
      "div",
      { class: "actions" },
      secretButton(snapshot),
      may("accept") &&
        h(
          "button",
          { type: "button", class: "button", "data-key": "accept", onclick: () => asItIs(chores.length) },
          t("Take the table as it is"),
        ),
    ),
  );
}

function order(/** @type {Snapshot} */ snapshot) {
  const chores = ticked(snapshot),
    many = chores.length > MANY,
    finished = chores.filter((one) => one.done).length;
  return [
    answered(snapshot),
    h(
      "div",
      { class: "card" },
      h("h2", { id: "tidy-title" }, wording("tidy") || t("To tidy up"), many && ` (${finished}/${chores.length})`),
      h(
        "ul",
        {
          class: "chores",
          "data-list": "clean-up",
          "data-many": many ? "yes" : null,
          tabindex: many ? 0 : null,
          "aria-labelledby": "tidy-title",
        },
        chores.map(chore),
      ),
      !chores.length && h("p", {}, t("Nothing to do.")),
    ),
  ];
}

/** The game opens from what lies there, and stays so. */
function asItIs(/** @type {number} */ left) {
  const lines = [
    left > 0 && t("Not yet as at the start: {n}.", { n: left }),
    t("The game begins with the pieces where they lie."),
    t("Afterwards only the arbiter can set another position."),
  ];
  return sure(t("Take the table as it is?"), lines, t("Take the table as it is"), () => act({ kind: "accept" }));
}

/** A piece, or the kind of a group, whose start is doubtful. */
function startName(/** @type {string} */ subject) {
  const group = store.board.groups.find((one) => one.key === subject);
  return group ? capital(t(group.singular)) : pieceName(subject);
}
