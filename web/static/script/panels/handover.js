// Secrets told on the screen that all share, by a seat without a screen of its own: the screen names the seat, is handed over,
// and shows nothing that was chosen but while it is pressed. Closing the dialog forgets it.

import { once } from "../act.js";
import { dialog, closing } from "./dialog.js";
import { h, id, keep } from "../dom.js";
import { over } from "../expects.js";
import { openingOf } from "../own.js";
import { soleSecret } from "../page_data.js";
import { seatName, wished } from "../role.js";
import { store } from "../store.js";
import { entrustFor, sealFor } from "../telling.js";
import { getJson } from "../wire.js";
import { sentence, t } from "../words.js";
import { openSeals } from "./opening.js";
import { veil } from "./veil.js";

export function drawHandover(/** @type {HTMLElement | null} */ element, /** @type {Snapshot} */ snapshot) {
  if (!element || soleSecret()) return;
  const tells = over(snapshot) ? [] : (snapshot.tells ?? []),
    seals = over(snapshot) ? keptHere(snapshot) : [];
  id("own-card").hidden = !tells.length && !seals.length;
  keep(element, [tells, seals, snapshot.secrets], () => [
    tells.map((one) =>
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          {
            type: "button",
            class: "button",
            "data-key": `tell-${one.seat}-${one.purpose}`,
            onclick: once(() => handOver(one)),
          },
          `${seatName(one.seat)}: ${sentence(one)}`,
        ),
      ),
    ),
    seals.map(({ seat, purpose }) =>
      h("div", { class: "actions" }, h("span", {}, seatName(seat)), openSeals(seat, purpose, snapshot)),
    ),
  ]);
}

/** Seats and purposes whose seals this device opens, and that nobody opened yet. */
function keptHere(/** @type {Snapshot} */ { secrets = [] }) {
  const closed = secrets.filter((one) => one.mode === "sealed" && one.value === undefined);
  const rows = new Map(closed.map((one) => [`${one.seat} ${one.purpose}`, one]));
  return [...rows.values()].filter(({ seat, purpose }) =>
    openingOf(
      seat,
      purpose,
      secrets.filter((one) => one.seat === seat && one.purpose === purpose),
    ),
  );
}

async function hasOwnScreen(/** @type {string} */ seat) {
  try {
    return (await getJson("/api/passes")).passes.some((/** @type {Pass} */ one) => one.role === seat);
  } catch {
    return false; // then it is asked here, as without links
  }
}

/** First the screen changes hands; only then is there anything to be chosen on it. */
async function handOver(/** @type {SeatTell} */ tell) {
  const seat = seatName(tell.seat),
    elsewhere = await hasOwnScreen(tell.seat);
  const box = dialog(
    seat,
    elsewhere && h("p", {}, t("{seat} has a screen of its own. Secrets are told better there.", { seat })),
    h("p", {}, t("Hand this screen to {seat}. Everybody else looks away.", { seat })),
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        {
          type: "button",
          class: ["button", !elsewhere && "main"],
          "data-key": "handed-over",
          onclick: () => (box.close(), ask(tell)),
        },
        elsewhere ? t("Do it here all the same") : t("{seat} holds it: go on", { seat }),
      ),
      closing(() => box),
    ),
  );
}

function ask(/** @type {SeatTell} */ tell) {
  let /** @type {OwnChoice | null} */ chosen = null;
  const status = h("p", { class: "quiet-note", role: "status" }, t("Nothing chosen yet."));
  const peek = veil(
    h("span", { class: "cover" }, h("span", {}, t("Press and hold to see what only you know"))),
    t("What only you know, shown while pressed"),
    () => h("div", { class: "own-lines" }, chosen && h("p", {}, t("Chosen: {what}", { what: nameOf(chosen) }))),
  );
  const select = h(
    "select",
    { "aria-label": sentence(tell), "data-key": "handed-list" },
    h("option", { value: "" }, t("Choose from a list")),
    tell.choices.map((choice, i) => h("option", { value: i }, nameOf(choice))),
  );
  // What was chosen stands in the list no longer than it takes: whoever glances at the screen does not read it there.
  select.addEventListener("change", () => {
    if (!select.value) return;
    chosen = tell.choices[Number(select.value)];
    select.value = "";
    status.textContent = t("Chosen. Hold again to check, or send it.");
    for (const button of buttons) button.disabled = false;
  });
  const send = async (/** @type {typeof entrustFor | typeof sealFor} */ way) => {
    if (chosen && (await way(tell.seat, tell.purpose, chosen.value, store.snapshot))) box.close();
  };
  const before = (store.snapshot.secrets ?? []).filter((one) => one.seat === tell.seat && one.purpose === tell.purpose).at(-1);
  const ways = [
    { mode: "entrusted", key: "entrust", name: t("Entrust it"), send: () => send(entrustFor) },
    { mode: "sealed", key: "seal", name: t("Seal it"), send: () => send(sealFor) },
  ].filter((way) => !before || before.mode === way.mode);
  const first = before?.mode ?? (wished === "sealed" ? "sealed" : "entrusted");
  const buttons = ways.map((way) =>
    h(
      "button",
      {
        type: "button",
        class: ["button", way.mode === first && "main"],
        "data-key": `handed-${way.key}`,
        disabled: true,
        onclick: once(way.send),
      },
      way.name,
    ),
  );
  const box = dialog(
    `${seatName(tell.seat)}: ${sentence(tell)}`,
    h("p", { class: "field" }, select),
    peek,
    status,
    h(
      "div",
      { class: "actions" },
      buttons,
      closing(() => box),
    ),
  );
  box.addEventListener("close", () => (chosen = null));
}

const nameOf = (/** @type {OwnChoice} */ choice) => sentence(choice) || choice.place || choice.value;
