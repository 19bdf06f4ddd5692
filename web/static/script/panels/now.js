// What happens now: whose play it is, the call, a flag with the way back, a doubt, the clean-up, the end.

import { act, once } from "../act.js";
import { called, question } from "./call.js";
import { chore, ticked } from "./chores.js";
import { discOf } from "./disc.js";
import { h, keep } from "../dom.js";
import { ending } from "./ending.js";
import { entrust } from "./entrust.js";
import { alarm, doubt, openPlay, problems, retell } from "./flags.js";
import { may, wished } from "../role.js";
import { lastSaid, said } from "./said.js";
import { onSharedScreen, sealHere } from "./secret.js";
import { wording, lastEvent, pieceName, roles, store } from "../store.js";
import { sure } from "./sure.js";
import { recordingOver, trouble } from "./troubles.js";
import { capital, roleName, t } from "../words.js";

/** What a phase is drawn with besides the snapshot. @typedef {{ call: Snapshot["called"], chores: ShownChore[] }} Drawn */

export function drawNow(/** @type {HTMLElement} */ element, /** @type {Snapshot} */ snapshot) {
  const call = snapshot.phase === "clean-up" ? snapshot.called : null;
  const chores = ticked(snapshot);
  const value = [
    snapshot.phase,
    snapshot.turn,
    snapshot.pick,
    snapshot.mover,
    snapshot.movers,
    snapshot.available,
    snapshot.played,
    snapshot.flag,
    snapshot.doubt,
    snapshot.question,
    snapshot.outcome,
    snapshot.opened,
    snapshot.secret,
    chores,
    call,
    lastEvent("play", "correction")?.number,
    snapshot.unfinished,
    snapshot.troubles,
    snapshot.undo,
    snapshot.undo_refused,
    lastSaid()?.number,
    snapshot.recall,
    snapshot.table?.problems,
    snapshot.table?.unknown,
    snapshot.blind,
    snapshot.source?.state,
  ];
  keep(element, value, () => [
    (snapshot.troubles ?? []).map(trouble),
    snapshot.source?.state === "over" && recordingOver(),
    (PHASES[snapshot.phase] ?? PHASES.play)(snapshot, { call, chores }),
    snapshot.flag && alarm(snapshot.flag),
    snapshot.doubt && doubt(snapshot.doubt),
    !snapshot.flag && snapshot.unfinished && openPlay(snapshot.unfinished),
    problems(snapshot),
  ]);
}

/** @type {Record<string, any>} */
const PHASES = {
  unopened: () => headline(t("No game yet"), t("Set up the table")),
  "set-up": (/** @type {Snapshot} */ snapshot, /** @type {Drawn} */ { chores }) => [
    headline(t("Before the first turn"), t("Set up the table")),
    h(
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
    ),
  ],
  play: (/** @type {Snapshot} */ snapshot) => [
    headline(
      turnLine(snapshot),
      snapshot.mover ? t("{role} picks", { role: roleName(snapshot.mover) }) : t("Play goes on"),
      snapshot.mover,
      snapshot,
    ),
    snapshot.flag || snapshot.doubt ? null : [hand(snapshot), retell(snapshot)],
  ],
  call: (/** @type {Snapshot} */ snapshot) => [headline(turnLine(snapshot), "", null, snapshot), question(snapshot)],
  "clean-up": (/** @type {Snapshot} */ snapshot, /** @type {Drawn} */ { call, chores }) => [
    headline(turnLine(snapshot), "", null, snapshot),
    call && called(call, snapshot.recall && may("recall")),
    h(
      "div",
      { class: "card" },
      h("h2", {}, t("To tidy up")),
      h("ul", { class: "chores", "data-list": "clean-up" }, chores.map(chore)),
      !chores.length && h("p", {}, t("Nothing to do.")),
    ),
  ],
  over: (/** @type {Snapshot} */ snapshot) => [ending(snapshot), said(snapshot)],
};

/** The game opens from what lies there, and stays so. */
function asItIs(/** @type {number} */ left) {
  const lines = [
    left > 0 && t("Not yet as at the start: {n}.", { n: left }),
    t("The game begins with the pieces where they lie."),
    t("Afterwards only the arbiter can set another position."),
  ];
  return sure(t("Take the table as it is?"), lines, t("Take the table as it is"), () => act({ kind: "accept" }));
}

const turnLine = (/** @type {Snapshot} */ snapshot) => t("Turn {n}", { n: snapshot.turn });

function headline(
  /** @type {string} */ line,
  /** @type {string} */ who,
  role = /** @type {string | null} */ (null),
  snapshot = /** @type {Snapshot | null} */ (null),
) {
  const picks = snapshot?.phase === "play" ? (snapshot.movers ?? []) : [],
    pick = snapshot?.pick ?? 0;
  return h(
    "div",
    { class: "headline" },
    h(
      "p",
      { class: "turn" },
      h("span", {}, line),
      picks.length > 0 && h("span", {}, t("Pick {k} of {n}", { k: Math.min(pick + 1, picks.length), n: picks.length })),
      picks.length > 0 &&
        h(
          "span",
          { class: "picks", "aria-hidden": "true" },
          picks.map((one, i) =>
            h(
              "span",
              { class: "pip", "data-done": i < pick ? "yes" : "no", "data-now": i === pick ? "yes" : "no" },
              t(capital(one))[0],
            ),
          ),
        ),
    ),
    who && h("p", { class: ["who", role && "role", role && roles().indexOf(role) === 1 && "role-2"] }, who),
    said(snapshot ?? store.snapshot),
  );
}

function hand(/** @type {Snapshot} */ snapshot) {
  const cards = [...new Set([...(snapshot.played ?? []), ...(snapshot.available ?? [])])];
  if (!cards.length) return null;
  return h(
    "ul",
    { class: "hand", "aria-label": wording("hand") },
    cards.map((character) => {
      const played = (snapshot.played ?? []).includes(character);
      return h(
        "li",
        { class: "chip", "data-played": played ? "yes" : "no" },
        discOf(character),
        h("span", { class: "chip-name" }, pieceName(character)),
        played && h("span", { class: "unseen" }, t("played")),
      );
    }),
  );
}

/** A piece, or the kind of a group, whose start is doubtful. */
function startName(/** @type {string} */ subject) {
  const group = store.board.groups.find((one) => one.key === subject);
  return group ? capital(t(group.singular)) : pieceName(subject);
}

function secretButton(/** @type {Snapshot} */ snapshot) {
  if (snapshot.secret === "entrusted") return h("p", { class: "quiet-note" }, wording("secret-entrusted"));
  if (snapshot.secret === "sealed") return h("p", { class: "quiet-note" }, wording("secret-sealed"));
  if (!may("entrust")) return null;
  return wished === "sealed"
    ? h(
        "button",
        {
          type: "button",
          class: ["button", "main"],
          "data-key": "seal",
          onclick: once(() => onSharedScreen(() => sealHere(snapshot))),
        },
        wording("secret-seal"),
      )
    : h(
        "button",
        {
          type: "button",
          class: ["button", wished === "entrusted" && "main"],
          "data-key": "entrust",
          onclick: once(() => onSharedScreen(entrust)),
        },
        wording("secret-entrust"),
      );
}
