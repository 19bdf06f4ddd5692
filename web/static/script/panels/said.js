// The last sentence, kept below the headline: to be heard again, and to take back what it told, one press away on every seat.

import { dialog } from "./dialog.js";
import { h, present } from "../dom.js";
import { over } from "../expects.js";
import { lastAnswer, meaning } from "../page_data.js";
import { may, role } from "../role.js";
import { wording, playerName, store } from "../store.js";
import { symbols } from "../symbols.js";
import { closesWithPlay, lastPlayed, moved, undo } from "./undo.js";
import { sentence, t } from "../words.js";
import { voice } from "../voice.js";

/** The event whose sentence was said last. */
export const lastSaid = () => store.events.findLast((event) => event.spoken && event.text) ?? null;

export function said(/** @type {Snapshot} */ snapshot) {
  const event = lastSaid();
  if (!event) return null;
  const back = takingBack(snapshot),
    asks = (event.data.chores ?? []).length > 0,
    done = asks && !(snapshot.chores ?? []).length && sentence(event.data),
    line = h("p", { class: "last-said-text" }, done || (asks && !snapshot.flag && event.aloud) || event.text);
  return h(
    "div",
    {
      class: "last-said",
      "data-kind": event.kind,
      "data-code": event.data.code,
      "data-means": shownAbove(event, snapshot) ? meaning(event.kind) : null,
    },
    line,
    h(
      "div",
      { class: "last-said-tools" },
      h(
        "button",
        { type: "button", class: ["button", "small"], "data-key": "repeat", onclick: () => repeat(event, line, done) },
        symbols.sound(),
        t("Repeat"),
      ),
      back &&
        h(
          "button",
          {
            type: "button",
            class: ["button", "small"],
            "data-key": "take-back",
            "aria-label": back.name ? t("Take back {name}", { name: back.name }) : null,
            onclick: back.press,
          },
          symbols.turnOver(),
          t("Take back"),
        ),
    ),
  );
}

/** Whether the card of a question tells this as well: what is asked, or a last answer that the snapshot keeps. */
const shownAbove = (/** @type {RecordEvent} */ { kind }, /** @type {Snapshot} */ snapshot) =>
  meaning(kind) !== "answers" || Boolean(lastAnswer(snapshot));

/** Heard again on this device because somebody asked here: also where it is silent by itself. What was asked for with it and
    is `done` is not asked for again. */
function repeat(/** @type {RecordEvent} */ event, /** @type {HTMLElement} */ line, done = /** @type {string | false} */ ("")) {
  const text = done || event.aloud || event.text;
  voice.write(text, event.urgency);
  voice.say(text, "calls", true);
  line.classList.remove("again");
  requestAnimationFrame(() => line.classList.add("again"));
}

/** @type {Record<string, () => string>} */
const REFUSED = {
  passed: () => t("It is somebody else's turn since: only the arbiter may take that play back."),
  drawn: () => wording("undo-drawn"),
};

/** What the button does for this seat, by the referee's own policy; null where there is no play to take back. */
function takingBack(/** @type {Snapshot} */ { undo: character, undo_refused: refused, expects }) {
  if (role === "spectator" || over({ expects }) || (!character && !refused)) return null;
  const name = playerName(character ?? lastPlayed()?.data.character);
  if (character)
    return {
      name,
      press: () =>
        may("undo")
          ? undo(character)
          : explain(
              name,
              moved()
                ? [
                    t("Put its pieces back where they stood: that takes the play back."),
                    t("The table's own screen has a button for it as well."),
                  ]
                : [t("Nothing was moved with it: the table's own screen has a button that takes it back.")],
            ),
    };
  if (may("rule")) return { name, press: async () => (await import("./rule.js")).rule("take-back") };
  return { name, press: () => explain(name, [REFUSED[present(refused)]()]) };
}

function explain(/** @type {string} */ name, /** @type {Child[]} */ lines) {
  const box = dialog(
    name ? t("Take back {name}", { name }) : t("Take back"),
    lines.map((line) => h("p", {}, line)),
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        { type: "button", class: "button", "data-key": "close", autofocus: true, onclick: () => box.close() },
        t("Close"),
      ),
    ),
  );
  closesWithPlay(box);
}
