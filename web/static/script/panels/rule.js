// The arbiter's word: let a play stand, take the table as it is, take the game back, set a position, adjourn, a penalty, a new
// secret.
// Each with its reason, which goes into the record with it.

import { act, once } from "../act.js";
import { closing, dialog } from "./dialog.js";
import { h } from "../dom.js";
import { asking, over, playing, settingUp, tidying } from "../expects.js";
import { discOf } from "./disc.js";
import { soleSecret } from "../page_data.js";
import { sideName } from "../role.js";
import { positionEditor } from "./position.js";
import { reasonField } from "./reason.js";
import { characters, wording, pieceName, playerName, store } from "../store.js";
import { sentence, t, turnName } from "../words.js";

// What each does to the game, and how it is undone: said before it is sent.
/** @type {Record<string, () => string>} */
const EFFECTS = {
  allow: () => t("The play counts as it was made. Taking the game back undoes it."),
  accept: () => t("The game goes on from where the pieces lie now. Taking the game back undoes it."),
  "take-back": () =>
    t("All that was played after that moment counts no more; the record keeps it. To undo it, it has to be played again."),
  "set-position": () => t("The game goes on from this position. Taking the game back undoes it."),
  adjourn: () => t("Nothing is judged and the clocks stand until the arbiter lets the game go on."),
  penalty: () => t("It is told to everybody and stays on record."),
};
/** @type {Record<string, any>} */
const KINDS = {
  allow: {
    name: () => t("Let the play stand"),
    may: (/** @type {Snapshot} */ s) => playing(s) && Boolean(s.whose_play),
    usual: () => [t("A disputed rule"), t("The players agree")],
  },
  accept: {
    name: () => t("Take the table as it is"),
    may: (/** @type {Snapshot} */ s) => playing(s) || asking(s) || tidying(s),
    usual: () => [t("The players agree"), t("The companion misread it")],
    field: acceptField,
  },
  "take-back": {
    name: () => t("Take the game back"),
    may: (/** @type {Snapshot} */ s) => moments(s).length > 0,
    usual: () => [t("Found out too late"), t("A fault of the companion")],
    field: momentField,
  },
  "set-position": {
    name: () => t("Set a position"),
    may: (/** @type {Snapshot} */ s) => !settingUp(s) && !over(s) && s.position !== null,
    usual: () => [t("The board was knocked over"), t("The players agree")],
    field: positionField,
    wide: true,
  },
  // Where there are several secrets, what a seat told stays as it was told.
  "new-secret": {
    name: () => wording("secret-anew"),
    may: (/** @type {Snapshot} */ s) => soleSecret() !== null && ["entrusted", "sealed"].includes(s.secret) && !over(s),
    usual: () => [wording("secret-slip"), t("What he had told was lost")],
  },
  adjourn: { name: () => t("Adjourn the game"), may: () => true, usual: () => [t("A break"), t("The hall closes")] },
  resume: {
    name: () => t("Go on with the game"),
    may: (/** @type {Snapshot} */ s) => s.adjourned,
    usual: () => [t("The break is over")],
  },
  penalty: {
    name: () => t("A penalty"),
    may: (/** @type {Snapshot} */ s) => (s.movers ?? []).length > 0,
    usual: () => [t("Touched a piece that was not played"), t("Too slow")],
    field: penaltyField,
  },
};

/** The rulings that can be given now, by name. */
export function rulings(/** @type {Snapshot} */ snapshot) {
  const open = Object.keys(KINDS).filter((one) => KINDS[one].may(snapshot));
  return open
    .filter((one) => (snapshot.adjourned ? ["resume", "penalty"].includes(one) : one !== "resume"))
    .map((one) => [one, KINDS[one].name()]);
}

/** `action` is chosen at first, where it can be given now; else the first that can. */
export function rule(/** @type {string | null} */ action = null) {
  const open = rulings(store.snapshot),
    first = (open.find(([one]) => one === action) ?? open[0])?.[0];
  let /** @type {any} */ field = null,
    /** @type {any} */ reason = null;
  const detail = h("div", { class: "ruling-detail" });
  const what = h(
    "fieldset",
    { class: "options" },
    h("legend", { class: "spoken-only" }, t("Ruling")),
    open.map(([value, label]) =>
      h("label", {}, h("input", { type: "radio", name: "ruling", value, checked: value === first }), h("span", {}, label)),
    ),
  );
  const send = h("button", { type: "button", class: ["button", "main"], "data-key": "send" }, t("This is the ruling"));
  const box = dialog(
    t("Give a ruling"),
    what,
    detail,
    h(
      "div",
      { class: "actions" },
      send,
      closing(() => box),
    ),
  );
  const chosen = () => /** @type {HTMLInputElement} */ (what.querySelector("input:checked")).value;
  const fit = () => {
    const kind = KINDS[chosen()];
    field = kind.field?.() ?? null;
    reason = reasonField(kind.usual());
    box.classList.toggle("wide", Boolean(kind.wide));
    const effect = EFFECTS[chosen()]?.();
    detail.replaceChildren(
      ...[
        h("div", {}, effect && h("p", { class: "quiet-note", "data-key": "effect" }, effect), field?.element, reason.element),
        field?.board,
      ].filter(Boolean),
    );
  };
  what.addEventListener("change", fit);
  fit();
  send.addEventListener(
    "click",
    once(async () => {
      const told = field ? field.value() : {};
      const why = reason.value();
      if (told === null || why === null) return;
      const message =
        chosen() === "accept"
          ? { kind: "accept", reason: why, ...told }
          : { kind: "rule", action: chosen(), reason: why, ...told };
      if (await act(message, t("Ruled."))) box.close();
    }),
  );
}

const radios = (/** @type {string} */ name, /** @type {string} */ legend, /** @type {any[]} */ choices) =>
  h(
    "fieldset",
    { class: "options" },
    h("legend", {}, legend),
    choices.map(([value, label, sign], /** @type {number} */ i) =>
      h("label", {}, h("input", { type: "radio", name, value, checked: i === 0 }), sign, h("span", {}, label)),
    ),
  );
const picked = (/** @type {HTMLElement} */ element) =>
  /** @type {HTMLInputElement} */ (element.querySelector("input:checked")).value;

function penaltyField() {
  const element = radios(
    "against",
    t("Against"),
    [...new Set(store.snapshot.movers ?? [])].sort().map((one, _, all) => [one, sideName(one, all)]),
  );
  return { element, value: () => ({ against: picked(element) }) };
}

/** In play it may count as somebody's play, or only put the pieces where they are. */
function acceptField() {
  const { available, played } = store.snapshot;
  if (!playing(store.snapshot)) return { element: null, value: () => ({}) };
  const people =
    available ??
    characters()
      .filter((piece) => !played.includes(piece.id))
      .map((piece) => piece.id);
  const element = radios("character", t("It counts as the play of"), [
    ["", t("nobody: only the pieces move")],
    ...people.map((one) => [one, pieceName(one), discOf(one)]),
  ]);
  return { element, value: () => ({ character: picked(element) || null }) };
}

const moments = (/** @type {Snapshot} */ snapshot) => snapshot.take_back ?? [];

/** What led to a moment, where this page still knows it. */
const eventOf = (/** @type {Moment} */ moment) => store.events.find((event) => event.number === moment.number);

function momentField() {
  const all = [...moments(store.snapshot)].reverse(),
    names = all.map(momentName);
  const line = (/** @type {Moment} */ one) => {
    const kind = eventOf(one)?.kind,
      name = momentName(one);
    // A ruling is no play; and where no plays count, or they do so again and again, what happened tells moments apart.
    const alike = names.filter((other) => other === name).length > 1 || (!one.pick && kind && kind !== "turn-opened");
    const what = (kind === "ruling" || alike) && whatLedTo(one);
    return what ? t("{turn}, after: {what}", { turn: turnName(one.turn), what }) : name;
  };
  const element = radios(
    "moment",
    t("Back to"),
    all.map((one) => [
      String(one.number),
      line(one),
      one.character && playerName(one.character) ? discOf(one.character) : null,
    ]),
  );
  element.classList.add("moments");
  return { element, value: () => ({ to: Number(picked(element)) }) };
}

/** A moment by the play that was the last one before it. */
function momentName(/** @type {Moment} */ { turn: number, pick, character }) {
  const turn = turnName(number),
    name = playerName(character);
  if (!pick) return t("{turn}, before the first play", { turn });
  return name ? t("{turn}, after {name}", { turn, name }) : t("{turn}, after play {k}", { turn, k: pick });
}

/** The last sentence up to a moment, without what hands had to do then. */
function whatLedTo(/** @type {Moment} */ { number }) {
  const event = store.events.findLast((one) => one.number <= number && one.text && !one.data.chores?.length);
  const told = store.events.findLast((one) => one.number <= number && one.text && sentence(one.data));
  return event && event.number >= (told?.number ?? 0) ? event.text : told ? sentence(told.data) : "";
}

function positionField() {
  const editor = positionEditor();
  return { ...editor, value: () => (editor.value() ? { position: editor.value() } : null) };
}
