// The table's menu: taking back, the secret, the cards, how the voice sounds.

import { buttonBoxes, showsBoxes } from "./boxes.js";
import { cards } from "./cards.js";
import { choiceWord } from "../choices.js";
import { clockStart } from "./clock_menu.js";
import { closing, dialog } from "./dialog.js";
import { mayTalk, setTalks, talks } from "./ears.js";
import { entrust } from "./entrust.js";
import { h, id, present } from "../dom.js";
import { over, playing } from "../expects.js";
import { answerLooks } from "../page_data.js";
import { handsOut, may, noLobby, role as seat, setsUp } from "../role.js";
import { rule } from "./rule.js";
import { leave, seats } from "./seats.js";
import { onSharedScreen, sealHere, toTell } from "./secret.js";
import { slider } from "./slider.js";
import { backWords, takeBack, undo } from "./undo.js";
import { wording, store } from "../store.js";
import { LANGUAGE, LANGUAGES, label as labelled, t } from "../words.js";
import { voice } from "../voice.js";

export function tableMenu() {
  const { snapshot } = store;
  const entry = (
    /** @type {string} */ key,
    /** @type {string} */ label,
    /** @type {string} */ note,
    /** @type {() => void} */ action,
  ) =>
    h(
      "div",
      { class: "field" },
      h("button", { type: "button", class: "button", "data-key": key, onclick: action }, label),
      h("span", {}, note),
    );
  const box = dialog(
    t("This table"),
    may("undo") &&
      snapshot.undo &&
      entry("undo", takeBack(snapshot.undo), backWords(), () => (box.close(), undo(present(snapshot.undo), snapshot.number))),
    may("cards") &&
      playing(snapshot) &&
      entry("cards", wording("hand-say"), wording("hand-note"), () => (box.close(), cards())),
    may("rule") &&
      !over(snapshot) &&
      entry(
        "rule",
        t("Give a ruling"),
        t("Let a play stand, take the game back, set a position, adjourn, a penalty: each with its reason."),
        () => (box.close(), rule()),
      ),
    may("clock") &&
      !over(snapshot) &&
      snapshot.movers.length > 0 &&
      (may("rule") || (seat === "table" && !snapshot.clock)) &&
      entry(
        "clock",
        snapshot.clock ? t("Set the clocks anew") : t("Players' clocks"),
        t("Time for the players, with delay or increment."),
        () => (box.close(), clockStart()),
      ),
    toTell(snapshot) && [
      entry("entrust", wording("secret-entrust"), wording("secret-entrust-note"), () => (box.close(), onSharedScreen(entrust))),
      entry(
        "seal",
        wording("secret-seal"),
        wording("secret-seal-note"),
        () => (box.close(), onSharedScreen(() => sealHere(snapshot))),
      ),
    ],
    store.board.rules?.length > 0 &&
      entry(
        "house-rules",
        t("House rules"),
        t("How this game settles what the rule book leaves open."),
        () => (box.close(), houseRules()),
      ),
    handsOut &&
      entry(
        "seats",
        t("Seats and links"),
        t("A code to scan for every player, the arbiter and spectators."),
        () => (box.close(), seats()),
      ),
    setsUp &&
      entry(
        "lobby",
        t("Set up the table again"),
        t("Camera, board, pieces, sound or seats. The game and its record stay."),
        () => location.assign("/lobby"),
      ),
    showsBoxes() &&
      entry(
        "boxes",
        t("Buttons and keys"),
        t("Button boxes, their roles, and the keys that do the same."),
        () => (box.close(), buttonBoxes()),
      ),
    id("seat") && entry("leave", t("Leave this seat"), t("This device forgets its link."), () => (box.close(), leave())),
    languageField(),
    handsOut &&
      noLobby &&
      h(
        "p",
        { class: ["quiet-note", "apart"], "data-key": "no-lobby" },
        snapshot.simulated
          ? t(
              "This is a demonstration on a recorded table. To set up your own table step by step, " +
                "end the companion and start it with: companion run.",
            )
          : t(
              "This table was started with its camera named. To set it up step by step, end the " +
                "companion and start it without one: companion run. With --record and this game's file " +
                "the game goes on.",
            ),
      ),
    h(
      "div",
      { class: "actions" },
      closing(() => box),
    ),
  );
}

function houseRules() {
  const settled = store.snapshot.house_rules ?? {},
    other = (/** @type {Rule} */ one) => (settled[one.name] ?? one.default) !== one.default;
  const line = (/** @type {Rule} */ one) =>
    h(
      "li",
      { "data-rule": one.name, "data-other": other(one) ? "yes" : "no" },
      h("p", {}, one.text),
      h(
        "p",
        {},
        h("b", {}, choiceWord(settled[one.name] ?? one.default)),
        !other(one) && h("span", { class: "quiet-note" }, " · ", t("as usual")),
      ),
    );
  const box = dialog(
    t("House rules"),
    h("p", { class: "quiet-note" }, t("They were chosen before the game and stay as they are.")),
    h("ul", { class: "rule-list" }, [...store.board.rules].sort((a, b) => Number(other(b)) - Number(other(a))).map(line)),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", class: "button", "data-key": "close", onclick: () => box.close() }, t("Close")),
    ),
  );
}

/** This device's language: the page is fetched anew in it and remembers it. */
function languageField() {
  const select = h(
    "select",
    { name: "language", "data-key": "language" },
    Object.entries(LANGUAGES).map(([tag, name]) => h("option", { value: tag, lang: tag, selected: tag === LANGUAGE }, name)),
  );
  select.addEventListener("change", () => (location.search = `?lang=${select.value}`));
  return h("label", { class: "field" }, h("span", {}, t("Language")), select);
}

export function soundMenu() {
  const { settings } = voice;
  const check = (/** @type {string} */ name, /** @type {string} */ label) => {
    const input = h("input", { type: "checkbox", name, checked: settings[name] });
    input.addEventListener("change", () => voice.set(name, input.checked));
    return h("label", { class: "switch" }, input, label);
  };
  const box = dialog(
    t("Sound"),
    voice.available
      ? null
      : h("p", {}, t("This browser has no voice for this language. Everything said is also written on the page.")),
    h(
      "div",
      { class: "choices" },
      check("on", t("Speak")),
      check("calls", t("Calls and the end of the game")),
      check("flags", t("What is not allowed, and doubts")),
      check("plays", t("Every play")),
      check("rulings", t("Rulings and corrections")),
      check("clocks", t("The clocks")),
      check("trouble", t("Trouble with the camera and the boxes")),
    ),
    slider("volume", t("Loudness"), 0, 1, 0.05),
    slider("rate", t("Speed"), 0.6, 1.6, 0.05),
    mayTalk() && talkSwitch(),
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        {
          type: "button",
          class: ["button", "main"],
          "data-key": "try",
          onclick: () => voice.say(wording("sound-check"), "calls", true),
        },
        t("Try it"),
      ),
      h("button", { type: "button", class: "button", onclick: () => box.close() }, t("Close")),
    ),
  );
}

function talkSwitch() {
  const input = h("input", { type: "checkbox", name: "talk", checked: talks() });
  input.addEventListener("change", () => setTalks(input.checked));
  return h(
    "div",
    { class: "field" },
    h("label", { class: "switch" }, input, t("Hold a button and speak (experimental, English phrases)")),
    h(
      "span",
      { lang: "en" },
      ["Say it again", "take it back", ...saidAnswers(), "call the arbiter", "stop the clocks", "start the clocks"].join(" · "),
    ),
  );
}

/** What can be said for an answer: the game's own phrases, else the number of the answer. */
const saidAnswers = () => {
  const own = answerLooks().map((one) => labelled(one.said ?? ""));
  return own.every(Boolean) && own.length ? own : ["answer one", "answer two"];
};
