// What is said about the clocks: set them up, stop them, let them run, put one right. All but the first needs a reason.

import { act, once } from "../act.js";
import { closing, dialog } from "./dialog.js";
import { h, present } from "../dom.js";
import { reasonField } from "./reason.js";
import { roles, store } from "../store.js";
import { sideName } from "../role.js";
import { t } from "../words.js";

const number = (
  /** @type {string} */ name,
  /** @type {string} */ label,
  /** @type {number} */ value,
  /** @type {number} */ max,
  min = 0,
) => {
  const input = h("input", {
    type: "number",
    name,
    min,
    max,
    step: 1,
    value,
    required: true,
    inputmode: "numeric",
    class: "number",
    "data-key": name,
  });
  return { input, label, element: h("label", { class: "field" }, h("span", {}, label), input) };
};

/** Whether every number can be meant; the first that cannot is named, and the companion is not asked about it. */
function fitting(/** @type {any[]} */ numbers, /** @type {HTMLElement} */ wanting) {
  const wrong = numbers.find(({ input }) => !input.checkValidity());
  for (const one of numbers) one.input.setAttribute("aria-invalid", one === wrong ? "true" : "false");
  wanting.textContent = wrong
    ? t("{what}: a whole number from {least} to {most}.", { what: wrong.label, least: wrong.input.min, most: wrong.input.max })
    : "";
  wrong?.input.focus();
  return !wrong;
}

/** Stop them or let them run. */
export function clockWord(/** @type {string} */ action, /** @type {string} */ title) {
  const usual =
    action === "hold"
      ? [t("A question for the arbiter"), t("Something was knocked over"), t("A break")]
      : [t("It is settled"), t("The break is over")];
  say(title, { make: () => ({ action }), usual });
}

/** Put one side's clock to a time. */
export function clockSet() {
  const clocks = Object.keys(present(store.snapshot.clock).left).sort(); // of all sides, not only of those whose round it is
  const role = h(
    "select",
    { name: "role" },
    clocks.map((one) => h("option", { value: one, selected: one === store.snapshot.clock?.running }, sideName(one, clocks))),
  );
  const minutes = number("minutes", t("Minutes"), 0, 1439),
    seconds = number("seconds", t("Seconds"), 0, 59);
  const fit = () => {
    const left = Math.max(0, Math.round(present(store.snapshot.clock).left[role.value]));
    minutes.input.value = String(Math.floor(left / 60));
    seconds.input.value = String(left % 60);
  };
  role.addEventListener("change", fit);
  fit();
  say(t("Set a clock"), {
    fields: [
      h("label", { class: "field" }, h("span", {}, t("Whose clock")), role),
      h("div", { class: "numbers" }, minutes.element, seconds.element),
    ],
    numbers: [minutes, seconds],
    make: () => ({ action: "set", role: role.value, seconds: 60 * Number(minutes.input.value) + Number(seconds.input.value) }),
    usual: [t("Time given back"), t("A fault of the companion")],
  });
}

/** Give the players clocks, or begin anew with other times. */
export function clockStart() {
  const running = Boolean(store.snapshot.clock);
  const budgets = roles().map((role) => ({
    role,
    ...number(`minutes-${role}`, t("{role}: minutes", { role: sideName(role, roles()) }), 30, 1440, 1),
  }));
  const delay = number("delay", t("Seconds free before each pick counts"), 5, 3600),
    increment = number("increment", t("Seconds added after each pick"), 0, 3600);
  const make = () => ({
    action: "start",
    budgets: Object.fromEntries(budgets.map((one) => [one.role, 60 * Number(one.input.value)])),
    delay: Number(delay.input.value),
    increment: Number(increment.input.value),
  });
  say(t("Players' clocks"), {
    fields: [
      h(
        "p",
        { class: "quiet-note" },
        t("They run by themselves for whoever picks, and stand still while anything has to be put right."),
      ),
      h(
        "div",
        { class: "numbers" },
        budgets.map((one) => one.element),
      ),
      h("div", { class: "numbers" }, delay.element, increment.element),
    ],
    numbers: [...budgets, delay, increment],
    make,
    usual: running ? [t("Other times were agreed")] : null,
    verb: t("Let the clocks run"),
  });
}

/** A dialog that sends one word about the clocks; without `usual` reasons none is asked for. */
function say(/** @type {string} */ title, /** @type {any} */ { fields = [], numbers = [], make, usual, verb = title }) {
  const reason = usual && reasonField(usual),
    wanting = h("p", { class: "wanting", role: "alert" });
  const send = h("button", { type: "submit", class: ["button", "main"], "data-key": "send" }, verb);
  const form = h(
    "form",
    { method: "dialog" },
    fields,
    numbers.length > 0 && wanting,
    reason?.element,
    h(
      "div",
      { class: "actions" },
      send,
      closing(() => box),
    ),
  );
  const box = dialog(title, form);
  const work = once(async () => {
    if (!fitting(numbers, wanting)) return;
    const why = reason ? reason.value() : undefined;
    if (why === null) return;
    if (await act({ kind: "clock", ...make(), ...(why ? { reason: why } : {}) })) box.close();
  });
  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    work(event);
  });
}
