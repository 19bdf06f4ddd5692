// To be laid over a stream's picture: whose play, the call, the flag, the end, and who is still suspected. No buttons.

import { discOf } from "./panels/disc.js";
import { h, id, keep } from "./dom.js";
import { onChange, open, pieceName, store } from "./store.js";
import { statusNow } from "./status.js";
import { symbols } from "./symbols.js";
import { list, roleName, sentence, t } from "./words.js";

function line(/** @type {Snapshot} */ snapshot) {
  const { called, flag, outcome } = snapshot;
  if (snapshot.phase === "over")
    return [
      t("The game is over"),
      outcome ? t("{role} wins", { role: roleName(outcome.winner) }) : "",
      outcome ? sentence(outcome) : "",
    ];
  if (flag)
    return [
      t("Turn {n}", { n: snapshot.turn }),
      flag.verdict === "illegal" ? t("This play is not allowed") : t("The table differs"),
      flag.faults.map(sentence).join(" "),
    ];
  if (snapshot.phase === "clean-up" && called)
    return [
      t("Jack is"),
      called.seen ? t("seen") : t("unseen"),
      called.cleared?.length ? t("Cleared: {names}.", { names: list(called.cleared.map(pieceName)) }) : t("Nobody is cleared."),
    ];
  if (snapshot.phase === "call") return [t("Turn {n}", { n: snapshot.turn }), t("The witness call is due."), ""];
  if (snapshot.phase === "set-up") return [t("Before the first turn"), t("Set up the table"), ""];
  return [
    t("Turn {n}", { n: snapshot.turn }),
    snapshot.mover ? t("{role} picks", { role: roleName(snapshot.mover) }) : t("Play goes on"),
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
      snapshot.called && snapshot.phase === "clean-up" && (snapshot.called.seen ? symbols.eye() : symbols.eyeShut()),
      large,
    ),
    note && h("p", {}, note),
  ]);
  const suspects = new Set(snapshot.suspects ?? []);
  keep(id("suspects"), [...suspects], () =>
    board.pieces
      .filter((piece) => suspects.has(piece.id))
      .map((piece) => h("li", {}, discOf(piece.id), h("span", { class: "unseen" }, piece.name))),
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
