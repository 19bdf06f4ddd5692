// Button boxes: a light in the bar, a dialog with roles and troubles, labels that are drawn anew, and the keys that do the same
// jobs.

import { inHall } from "../base.js";
import { once } from "../act.js";
import { dialog } from "./dialog.js";
import { h, id, keep, present } from "../dom.js";
import { expected, opensSecret } from "../expects.js";
import { tell } from "../messages.js";
import { answerLooks, lookOf } from "../page_data.js";
import { answerName, digit } from "./question.js";
import { role, seatName } from "../role.js";
import { wording, onChange, onEvent, store } from "../store.js";
import { voice } from "../voice.js";
import { getJson, post } from "../wire.js";
import { capital, t } from "../words.js";

const SOON = 150,
  WHILE_OPEN = 1000;
/** @type {Boxes} */
let known = { looking: false, boxes: [], roles: [], shuffled: false, keys: {}, hold: 1.5, may: {} };
const order = { asked: 0, known: 0 }; // requests so far, and the one whose answer is known
let waiting = 0,
  redraw = () => {};

/** Boxes and keys are at the table itself. */
export const showsBoxes = () => role !== "spectator" && !inHall;

export function startBoxes() {
  if (!showsBoxes()) return;
  present(document.querySelector(".lights")).append(h("li", { class: "light", id: "boxes", hidden: true }));
  onEvent((event, live) => {
    const code = event.kind === "notice" ? (event.data.code ?? "") : "";
    if (code.startsWith("box-")) soon();
    if (code === "again" && live) repeat(event.data.params.number);
  });
  onChange(() => drawLabels());
  keys();
  soon();
}

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(refresh, SOON);
}

async function refresh() {
  const mine = ++order.asked,
    now = await getJson("/api/boxes").catch((error) => void (error.code !== "unreachable" && tell(error)));
  if (!now || mine < order.known) return; // what was asked for later is known already
  [known, order.known] = [now, mine];
  drawLight();
  drawLabels();
  redraw();
}

/** Somebody asked to hear it again: the sentence this page had for that event, whatever else is kept silent. */
function repeat(/** @type {number} */ number) {
  const event = store.events.find((one) => one.number === number);
  if (!event?.text) return;
  voice.write(event.text, event.urgency);
  if (voice.settings.on && voice.unlocked) voice.say(event.text, "calls", true);
}

// --- the light ---

function drawLight() {
  const linked = known.boxes.filter((box) => box.state === "linked");
  const trouble = known.boxes.find(
    (box) => (box.box && box.state !== "linked") || ["forbidden", "busy", "incompatible"].includes(box.state),
  );
  const light = id("boxes"),
    [state, text] = trouble
      ? ["bad", t("Button box: {state}", { state: words(trouble)[0] })]
      : [
          "good",
          linked.some((box) => box.simulated) ? t("Simulated button box") : t("Button boxes: {n}", { n: linked.length }),
        ];
  light.hidden = !trouble && !linked.length;
  light.dataset.state = state;
  if (light.textContent !== text) light.textContent = text;
}

/** What a port's state is called, and what to do about it. */
function words(/** @type {any} */ box) {
  switch (box.state) {
    case "linked":
      return box.stuck?.length ? [t("a button is stuck"), t("Free it; the other buttons go on.")] : [t("ready"), ""];
    case "lost":
      return [t("says nothing"), t("Check its cable. Presses wait inside the box.")];
    case "gone":
      return [t("unplugged"), t("Plug it in again, on any port. Presses wait inside the box.")];
    case "busy":
      return [t("held by another program"), t(box.text)];
    case "forbidden":
      return [t("not permitted"), t(box.text)];
    case "foreign":
      return [t("another device"), t("It is no button box and is left alone.")];
    case "silent":
      return [t("nothing answers"), t("Is the button box's program on the board? Then unplug it and plug it in again.")];
    case "incompatible":
      return [t("too new"), t("This box needs a newer companion.")];
    default:
      return [t("asking"), ""];
  }
}

// --- the dialog ---

/** @type {Record<string, () => string>} */
const BUTTONS = {
  "answer-a": () => answerLabel(0),
  "answer-b": () => answerLabel(1),
  again: () => t("Say it again; held: take back"),
  arbiter: () => t("Call the arbiter"),
  "clock-a": () => t("Clock A"),
  "clock-b": () => t("Clock B"),
};
/** @type {Record<string, () => string>} */
const SIDES = {
  "answer-a": () => wording("button-left") || t("Left button"),
  "answer-b": () => wording("button-right") || t("Right button"),
};
/** @type {Record<string, () => string>} */
const ROLES = { table: () => t("the table's"), "": () => t("everybody's") };
/** Whose box it is: everybody's, the table's or that of a seat. */
const ownerName = (/** @type {string} */ one) => ROLES[one]?.() ?? (wording(`box-of-${one}`) || seatName(one));

/** What an answer button says: the answer to the open question, else the game's usual one. */
function answerLabel(/** @type {number} */ index) {
  const open = store.snapshot && expected(store.snapshot, "question");
  if (open?.form.length === 2) return answerName(open, index);
  return wording(answerLooks()[index]?.label ?? "") || t("Answer {n}", { n: index + 1 });
}

export function buttonBoxes() {
  const list = h("ul", { class: "box-list" }),
    extra = h("div", { class: "choices" });
  const box = dialog(
    t("Buttons and keys"),
    list,
    extra,
    h(
      "div",
      { class: "actions" },
      known.may.assign &&
        known.looking &&
        h(
          "button",
          { type: "button", class: "button", "data-key": "look", onclick: work(() => post("/api/boxes/look", {})) },
          t("Look again"),
        ),
      h("button", { type: "button", class: "button", "data-key": "close", onclick: () => box.close() }, t("Close")),
    ),
  );
  const timer = setInterval(refresh, WHILE_OPEN);
  const none = () =>
    h(
      "li",
      { class: "quiet-note" },
      known.looking
        ? t("No button box is plugged in. The keys below do the same.")
        : t("Button boxes are switched off. The keys below do the same."),
    );
  redraw = () => {
    const names = Object.keys(BUTTONS).map(buttonName);
    keep(list, [known.boxes, known.roles, known.looking, known.may, names], () =>
      known.boxes.length ? known.boxes.map(entry) : none(),
    );
    keep(extra, [known.looking, known.shuffled, known.may, known.keys, names], () => [
      known.looking && known.may.shuffle && shuffleSwitch(),
      keyTable(),
    ]);
  };
  box.addEventListener("close", () => {
    clearInterval(timer);
    redraw = () => {};
  });
  redraw();
  refresh();
}

const work = (/** @type {() => unknown} */ does) =>
  once(async () => {
    try {
      await does();
      await refresh();
    } catch (error) {
      tell(error);
    }
  });

/** A switch or a list: each change counts, also one that is made while the one before is under way. */
let settling = Promise.resolve();
const settled = (/** @type {() => unknown} */ does) => () => (settling = settling.then(does).then(refresh).catch(tell));

function entry(/** @type {any} */ box) {
  const [state, advice] = words(box);
  const choice =
    box.box &&
    known.may.assign &&
    h(
      "select",
      { "data-key": `role-${box.box}`, "aria-label": t("Whose box this is") },
      known.roles.map((one) => h("option", { value: one, selected: one === box.role }, ownerName(one))),
    );
  if (choice)
    choice.addEventListener(
      "change",
      settled(() => post("/api/boxes/assign", { box: box.box, role: choice.value })),
    );
  return h(
    "li",
    { "data-box": box.box ?? "", "data-state": box.state },
    h(
      "p",
      {},
      h("b", {}, box.box ? t("Box {name}", { name: box.box }) : box.port),
      " ",
      box.simulated && h("span", { class: "sign" }, t("Simulated")),
    ),
    h(
      "p",
      { class: "quiet-note" },
      capital([state, box.box && box.port, box.box && !choice && ownerName(box.role ?? "")].filter(Boolean).join(" · ")),
    ),
    advice && h("p", {}, advice),
    choice && h("label", { class: "field" }, h("span", {}, t("Whose box this is")), choice),
    box.simulated &&
      box.state === "linked" &&
      known.may.assign &&
      h(
        "div",
        { class: "actions" },
        Object.keys(BUTTONS).map((button) =>
          h(
            "button",
            {
              type: "button",
              class: "button",
              "data-key": `press-${button}`,
              onclick: work(() => post("/api/boxes/press", { button, box: box.box })),
            },
            buttonName(button),
          ),
        ),
      ),
  );
}

/** What a button does, or on which side it is where that changes with every question. */
const buttonName = (/** @type {string} */ button) => ((known.shuffled && SIDES[button]) || BUTTONS[button] || (() => button))();

function shuffleSwitch() {
  const input = h("input", { type: "checkbox", name: "shuffled", "data-key": "shuffled", checked: known.shuffled });
  input.addEventListener(
    "change",
    settled(() => post("/api/boxes/shuffle", { on: input.checked })),
  );
  return h(
    "label",
    { class: "switch" },
    input,
    wording("button-mixed") || t("The two answer buttons mean something else for every question"),
  );
}

function keyTable() {
  const held = grouped();
  return h(
    "section",
    {},
    h("h3", {}, t("Keys, and keys of a numeric pad")),
    h(
      "dl",
      { class: "key-table" },
      Object.entries(held).map(([button, codes]) =>
        h(
          "div",
          {},
          h(
            "dt",
            {},
            codes.map((code) => h("kbd", {}, keyName(code))),
          ),
          h("dd", {}, buttonName(button)),
        ),
      ),
    ),
  );
}

function grouped() {
  /** @type {Record<string, string[]>} */
  const held = {};
  for (const [code, button] of Object.entries(known.keys)) (held[button] ??= []).push(code);
  return held;
}

const keyName = (/** @type {string} */ code) =>
  code.startsWith("Numpad") ? t("pad {key}", { key: code.slice(6) }) : code.replace(/^(Digit|Key)/, "");

// --- keys ---

function keys() {
  let /** @type {{ code: string, timer: number } | null} */ held = null;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || busy(event.target)) return;
    const number = /^Digit([1-9])$/.exec(event.code)?.[1],
      does = number && store.snapshot ? digit(store.snapshot, Number(number)) : null;
    if (does) {
      // A question of many answers: digits choose among them; the numeric pad keeps the jobs of a box.
      event.preventDefault();
      if (!event.repeat) does();
      return;
    }
    const button = known.keys[event.code];
    if (!button) return;
    event.preventDefault();
    if (event.repeat) return;
    send({ button });
    clearTimeout(held?.timer);
    if (button === "again")
      held = { code: event.code, timer: setTimeout(() => send({ button, held: true }), 1000 * known.hold) };
  });
  const letGo = (/** @type {any} */ event) => {
    if (event.type === "keyup" && event.code !== held?.code) return;
    clearTimeout(held?.timer);
    held = null;
  };
  document.addEventListener("keyup", letGo);
  window.addEventListener("blur", letGo);
}

/** Digits that somebody writes are not pressed; neither is anything behind an open dialog. */
const busy = (/** @type {any} */ target) =>
  Boolean(
    target.closest?.("input:not([type=checkbox]):not([type=radio]), select, textarea") ||
    document.querySelector("dialog[open]"),
  );

/** One after the other, in the order of presses. */
let sent = Promise.resolve();
const send = (/** @type {any} */ message) => (sent = sent.then(() => post("/api/boxes/press", message)).catch(tell));

// --- labels that are drawn anew ---

/** What an answer button stands for: the state that the answer tells of, else the answer itself. */
function meaningOf(/** @type {number} */ index) {
  const open = expected(store.snapshot, "question");
  if (!open) return "";
  return wording(`state-${lookOf(open.form[index])?.name}`) || answerName(open, index);
}

/** Shown while pressed and only then in the page at all; asked for anew each time. */
function drawLabels() {
  const asked = store.snapshot && expected(store.snapshot, "question");
  const wanted = known.shuffled && known.may.labels && asked && !opensSecret(asked) && asked.form.length === 2;
  const shown = id("labels");
  if (!wanted) shown?.remove();
  if (!wanted || shown) return;
  const cover = wording("button-labels") || t("Press and hold to see what your buttons mean now");
  const veil = h("button", { type: "button", class: ["button", "label-peek"], id: "labels", "data-open": "no" }, cover);
  let open = false;
  const show = async (/** @type {any} */ event) => {
    if (event.type === "keydown" && !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    if (open) return;
    open = true;
    veil.focus();
    if (event.pointerId !== undefined) veil.setPointerCapture(event.pointerId);
    try {
      const { labels } = await getJson("/api/boxes/labels");
      if (!open || !labels) return;
      veil.dataset.open = "yes";
      veil.replaceChildren(
        ...["left", "right"].map((side) =>
          h(
            "span",
            { "data-side": side },
            `${side === "left" ? t("left") : t("right")}: `,
            h("b", {}, meaningOf(labels[side])),
          ),
        ),
      );
    } catch (error) {
      hide();
      tell(error);
    }
  };
  const hide = () => {
    open = false;
    veil.dataset.open = "no";
    veil.replaceChildren(cover);
  };
  for (const name of ["pointerdown", "keydown"]) veil.addEventListener(name, show);
  for (const name of ["pointerup", "pointercancel", "keyup", "blur", "contextmenu"]) veil.addEventListener(name, hide);
  document.body.append(veil);
}
