// The end of a game: who won, what was kept secret, the whole game once more, its report to keep, and the next one.

import { at } from "../base.js";
import { once } from "../act.js";
import { nextGame } from "../anew.js";
import { confirm, tell } from "../messages.js";
import { discOf } from "./disc.js";
import { h } from "../dom.js";
import { soleSecret } from "../page_data.js";
import { may, saves, setsUp } from "../role.js";
import { reveal } from "./entrust.js";
import { panel } from "./registry.js";
import { said } from "./said.js";
import { replay } from "./stepping.js";
import { wording, pieceName, store } from "../store.js";
import { sure } from "./sure.js";
import { symbols } from "../symbols.js";
import { getBlob, post } from "../wire.js";
import { sentence, t, wins } from "../words.js";

const LONG = 60000; // milliseconds a report may take: it holds every picture that was kept

/** Whether an event tells that something said before was not true. */
const misfit = (/** @type {RecordEvent} */ { kind, data }) =>
  (data.disproved ?? []).length > 0 || (kind === "judged" && data.how === "false");

function ending(/** @type {Snapshot} */ { outcome, opened }) {
  const sole = soleSecret(),
    shown = sole && opened ? opened[sole.key] : null,
    told = store.events.filter((event) => event.text && (misfit(event) || (event.kind === "opening" && !sole)));
  return h(
    "div",
    { class: ["call", "ask", "ending"], "data-phase": "over" },
    h("p", { class: "quiet-note" }, t("The game is over")),
    h("h2", {}, outcome ? wins(outcome.winner) : t("The game is over")),
    outcome && h("p", {}, sentence(outcome)),
    shown && h("p", { class: "cleared" }, discOf(shown), h("span", {}, wording("revealed", { name: pieceName(shown) }))),
    sole && !shown && h("p", { class: "quiet-note", "data-key": "unrevealed" }, wording("unrevealed")),
    told.length > 0 &&
      h(
        "ul",
        { class: "told", "data-list": "opened" },
        told.map((event) => h("li", { class: misfit(event) ? "misfit" : null }, event.text)),
      ),
    h(
      "div",
      { class: "actions" },
      sole &&
        !shown &&
        may("reveal") &&
        h(
          "button",
          { type: "button", class: ["button", "main"], "data-key": "reveal", onclick: () => reveal() },
          wording("reveal"),
        ),
      h(
        "button",
        { type: "button", class: "button", "data-key": "replay", onclick: replay },
        symbols.running(),
        t("See the game again"),
      ),
      saves &&
        h(
          "button",
          { type: "button", class: "button", "data-key": "report", onclick: once(save) },
          symbols.takeAway(),
          t("Save the report"),
        ),
      setsUp &&
        h(
          "button",
          { type: "button", class: ["button", (shown || !sole) && "main"], "data-key": "play-again", onclick: once(playAgain) },
          t("Play again"),
        ),
    ),
  );
}

const key = () => `table-witness.saved.${store.snapshot.match}`;
const saved = () => {
  try {
    return sessionStorage.getItem(key()) === "yes";
  } catch {
    return false;
  }
};

/** The report as a file of this device. */
async function save() {
  try {
    const address = URL.createObjectURL(await getBlob(at("/api/report.html"), LONG));
    h("a", { href: address, download: "table-witness-report.html" }).click();
    setTimeout(() => URL.revokeObjectURL(address), LONG);
    sessionStorage.setItem(key(), "yes");
    confirm(t("The report is saved."));
  } catch (error) {
    tell(error, "report");
  }
}

/** A new game at this table. Asked first while something of this one is still to be done. */
export async function playAgain() {
  const open = Boolean(soleSecret()) && !store.snapshot.opened,
    unsaved = saves && !saved();
  const lines = [
    open && wording("unrevealed"),
    unsaved && t("The report of this game is not saved. Its record stays on this computer."),
    t("A new game begins, for everybody at the table. The table stays as it was set up."),
  ];
  if (open || unsaved) await sure(t("Play again?"), lines, t("Begin a new game"), begin);
  else await begin();
}

async function begin() {
  try {
    await post("/api/lobby", { do: "new" });
  } catch (error) {
    tell(error, "play-again");
    return false;
  }
  await nextGame();
  location.assign("/lobby");
  return true;
}

panel("over", (/** @type {ExpectedOver} */ _over, /** @type {Snapshot} */ snapshot) => [ending(snapshot), said(snapshot)]);
