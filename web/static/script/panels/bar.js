// The bar on top: which game, whether this is a simulation, and the table's state.

import { once } from "../act.js";
import { h, id, keep } from "../dom.js";
import { over } from "../expects.js";
import { statusNow } from "../status.js";
import { awaited, wording, store } from "../store.js";
import { may, seatName } from "../role.js";
import { drawing } from "../trusting.js";
import { LANGUAGE, t } from "../words.js";

export function drawBar(/** @type {typeof store} */ { snapshot, board, connection }) {
  id("game-name").textContent = board.name;
  id("game-label").textContent = board.label;
  id("simulated").hidden = !snapshot.simulated;
  const link = awaited() ? "waiting" : connection;
  light(
    "connection",
    link,
    link === "good" ? t("Connected") : link === "bad" ? t("Connection lost, trying again") : t("Connecting"),
  );
  const [state, text] = sourceState(
    snapshot.source ?? {},
    (snapshot.troubles ?? []).some(({ kind }) => kind === "sight"),
  );
  light("source", connection === "bad" ? "waiting" : state, text);
  drawStatus();
}

/** One line: what is so now, and the one thing that can be done about it here. */
export function drawStatus() {
  const { state, look, text, button } = statusNow();
  Object.assign(id("status").dataset, { state, look });
  if (id("status-text").textContent !== text) id("status-text").textContent = text;
  keep(
    id("status-button"),
    [state, button?.[0]],
    () =>
      button &&
      h("button", { type: "button", class: ["button", "small"], "data-key": "status", onclick: once(button[1]) }, button[0]),
  );
}

function light(/** @type {string} */ name, /** @type {string} */ state, /** @type {string} */ text) {
  const element = id(name);
  element.dataset.state = state;
  if (element.textContent !== text) element.textContent = text;
}

function sourceState(/** @type {Source} */ source, /** @type {boolean} */ blind) {
  if (blind && source.state === "running") return ["bad", t("The board is out of sight")];
  const last = store.events.findLast((event) => event.kind === "notice" && /^(source|picture|camera)-/.test(event.data.code));
  const since = last ? new Date(last.at * 1000).toLocaleTimeString(LANGUAGE, { hour: "2-digit", minute: "2-digit" }) : "";
  switch (source.state) {
    case "running":
    case "still":
      return ["good", t("Camera: {name}", { name: t(source.name) })];
    case "frozen":
      return [
        "bad",
        since
          ? t("The camera has shown the same picture since {time}", { time: since })
          : t("The camera shows the same picture"),
      ];
    case "stalled":
      return ["bad", since ? t("Camera silent since {time}", { time: since }) : t("Camera silent")];
    case "lost":
      return ["bad", since ? t("Camera lost at {time}", { time: since }) : t("Camera lost")];
    case "over":
    case "ended":
      return ["waiting", t("Recording ended")];
    default:
      return ["waiting", t("Waiting for the camera")];
  }
}

/** What keeps the companion from looking, said under the board without fuss; else what can be done on the board. */
export function drawHelp(/** @type {any} */ { snapshot }) {
  const keys = matchMedia("(any-hover: hover)").matches; // a device that is only touched has no keys to speak of
  const can = [
    may("correct") && !over(snapshot) && t("Tap a place on the board to correct it."),
    keys && t("Arrow keys walk the places."),
  ];
  const text = snapshot.occluded
    ? t("A hand is over the board.")
    : snapshot.moving
      ? t("Something moves.")
      : can.filter(Boolean).join(" ");
  if (id("board-help").textContent !== text) id("board-help").textContent = text;
  drawRecordHead(snapshot.turn_head);
  drawSeal(snapshot);
}

/** The record's head when the turn was opened, to be photographed: whoever has it can prove the record afterwards. */
function drawRecordHead(/** @type {Snapshot["turn_head"]} */ head) {
  const when = head ? wording("turn", { n: head.turn }) : "";
  const text = !head
    ? ""
    : when
      ? t("Record, {when}: {words}", { when, words: head.words })
      : t("Record at turn {turn}: {words}", head);
  id("record-head").hidden = !head;
  if (id("record-head").textContent !== text) id("record-head").textContent = text;
}

/** What the secrets of the game are bound to, for everybody to copy: the one secret's words, or the newest of each row. */
function drawSeal(/** @type {Snapshot} */ { commitment, commitment_words: words, commitment_qr: code, seals = [] }) {
  const newest = seals.at(-1);
  id("seal").hidden = !commitment && !newest;
  keep(id("seal-words"), words ?? newest, () => (words ? wording("seal", { words }) : newest && sealLine(newest)));
  keep(id("seal-code"), [commitment, seals], () => [
    code && drawing(code, wording("seal-code") || t("The newest seal, as a code to scan")),
    seals.length > 1 &&
      h(
        "ul",
        { class: "seal-list" },
        seals
          .slice(0, -1)
          .reverse()
          .map((one) => h("li", {}, sealLine(one))),
      ),
  ]);
}

/** Whose secret is bound by which words: what is sealed cannot be changed, and neither can what came before it in its row. */
const sealLine = (/** @type {Seal} */ { seat, purpose, number, words }) =>
  t("{seat}, {what}: {words}", { seat: seatName(seat), what: sealed(purpose, number), words });
const sealed = (/** @type {string} */ purpose, /** @type {number} */ n) =>
  wording(`sealed-${purpose.replace(/-\d+$/, "")}`, { n }) || t("secret {n}", { n });
