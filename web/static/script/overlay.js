// To be laid over a stream's picture: whose play, the question, the flag, the end, and who is still possible. No buttons.

import { discOf } from "./panels/disc.js";
import { h, id, keep } from "./dom.js";
import { asking, expected, over, settingUp, tidying } from "./expects.js";
import { lastAnswer, peopleOf } from "./page_data.js";
import { onChange, open, pieceName, store } from "./store.js";
import { seatName } from "./role.js";
import { statusNow } from "./status.js";
import { symbols } from "./symbols.js";
import { list, playsNow, sentence, t, turnName, wins, wording } from "./words.js";

/** The open question, as it is asked. */
const asked = (/** @type {Snapshot} */ snapshot) => sentence(expected(snapshot, "question") ?? {});

function line(/** @type {Snapshot} */ snapshot) {
  const { flag, outcome } = snapshot,
    last = tidying(snapshot) ? lastAnswer(snapshot) : null;
  if (over(snapshot)) return [t("The game is over"), outcome ? wins(outcome.winner) : "", outcome ? sentence(outcome) : ""];
  if (flag)
    return [
      turnName(snapshot.turn),
      flag.verdict === "illegal" ? t("This play is not allowed") : t("The table differs"),
      flag.faults.map(sentence).join(" "),
    ];
  if (last)
    return [
      wording("call-is"),
      wording(`state-${last.look?.name}`) || wording(last.look?.label ?? ""),
      last.names.length ? wording("call-cleared", { names: list(last.names.map(pieceName)) }) : wording("call-nobody"),
    ];
  if (asking(snapshot)) return [turnName(snapshot.turn), wording("call-due") || asked(snapshot), ""];
  if (settingUp(snapshot)) return [t("Before the first turn"), t("Set up the table"), ""];
  return [
    turnName(snapshot.turn),
    playsNow(snapshot, snapshot.mover ? seatName(snapshot.mover) : ""),
    (snapshot.available ?? []).map(pieceName).join(" · "),
  ];
}

function draw(/** @type {typeof store} */ { snapshot, connection, board }) {
  const [small, large, note] = line(snapshot);
  const { state, look, text } = statusNow(),
    quiet = look === "good" || ["connecting", "set-up", "over"].includes(state);
  keep(id("now"), [small, large, note, snapshot.simulated, connection, !quiet && text], () => [
    h("p", { class: "small" }, small, snapshot.simulated && h("span", { class: "sign" }, t("Simulated"))),
    !quiet && h("p", { class: "overlay-status", id: "status", "data-state": state, "data-look": look }, text),
    h(
      "h1",
      { class: "large", "data-state": snapshot.flag ? "flag" : snapshot.phase },
      tidying(snapshot) && symbols[lastAnswer(snapshot)?.look?.symbol ?? ""]?.(),
      large,
    ),
    note && h("p", {}, note),
  ]);
  const people = peopleOf(board, snapshot);
  id("people").hidden = !people.told;
  id("people").setAttribute("aria-label", wording("people"));
  keep(id("people"), [...people.left], () =>
    board.pieces
      .filter((piece) => people.left.has(piece.id))
      .map((piece) => h("li", {}, discOf(piece.id), h("span", { class: "spoken-only" }, piece.name))),
  );
}

onChange((now) => draw(now));

async function run() {
  try {
    await open();
  } catch {
    setTimeout(run, 2000); // an overlay never shows an error to the audience
    return;
  }
  draw(store);
}

run();
