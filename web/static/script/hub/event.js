// The event's pages: what is entered goes to the hub, and what others enter comes here by itself, unless somebody is writing.

import { once } from "../act.js";
import { h, id, unpressed } from "../dom.js";
import { confirm, tell } from "../messages.js";
import { closing, dialog } from "../panels/dialog.js";
import { reasonField } from "../panels/reason.js";
import { post } from "../wire.js";
import { t, whole } from "../words.js";
import { onTiles, startFrame, told } from "./frame.js";

let number = Number(document.documentElement.dataset.number ?? 0),
  under = Promise.resolve(true), // the change under way
  sending = 0, // how many are under way or wait
  stale = false; // whether something was taken that the page does not show yet

/** Send a change and show the page as it is then; whether it was taken. They go one after the other: each says how many entries
    its page had, and those that were made here just before are no surprise. */
async function send(
  /** @type {string} */ address,
  /** @type {any} */ message,
  /** @type {HTMLFormElement | null} */ form = null,
) {
  const next = () => change(address, message, form),
    before = form ? written(form) : [];
  sending += 1;
  under = under.then(next, next);
  const taken = await under.finally(() => (sending -= 1));
  if (taken) {
    stale = true;
    for (const one of before) if (one.field.value === one.value) empty(one.field);
  }
  if (stale && !sending) await refresh();
  return taken;
}

async function change(/** @type {string} */ address, /** @type {any} */ message, /** @type {HTMLFormElement | null} */ form) {
  const wanting = /** @type {HTMLElement | null} */ (form?.querySelector(".wanting") ?? null);
  if (wanting) wanting.hidden = true;
  try {
    const answer = await post(address, { ...message, number });
    number = answer.number ?? number;
    return true;
  } catch (error) {
    if (!wanting) tell(error);
    else {
      // A file's faults come together, each a sentence of its own.
      const faults = error.faults.length ? error.faults : [error.message];
      wanting.replaceChildren(
        h(
          "ul",
          {},
          faults.map((/** @type {string} */ one) => h("li", {}, whole(one))),
        ),
        h("p", {}, error.advice),
      );
      wanting.hidden = false;
    }
    return false;
  }
}

/** The page anew, in place. */
async function refresh() {
  let page;
  try {
    const response = await fetch(location.href, { credentials: "same-origin", headers: { Accept: "text/html" } });
    if (response.ok) page = new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    return; // out of reach: the next news of the hall asks for it again
  }
  const main = page?.getElementById("main");
  if (!page || !main) return location.reload();
  const entries = Number(page.documentElement.dataset.number ?? number);
  if (!sending) unpressed(id("main"), () => show(main, entries));
}

/** What is open stays open, what is written stays written, and what was refused is still said. */
function show(/** @type {HTMLElement} */ main, /** @type {number} */ entries) {
  [number, stale] = [entries, false];
  const old = id("main"),
    focused = /** @type {any} */ (document.activeElement),
    caret = typeof focused?.selectionStart === "number" ? [focused.selectionStart, focused.selectionEnd] : null,
    open = [...old.querySelectorAll("details[open] > summary")].map((one) => one.textContent),
    kept = [...old.querySelectorAll("form")].flatMap(written),
    said = [...old.querySelectorAll("form .wanting:not([hidden])")];
  old.replaceWith(document.adoptNode(main));
  const forms = new Map([...id("main").querySelectorAll("form")].map((form) => [nameOf(form), form]));
  for (const one of kept) rewrite(again(forms, one.field), one);
  for (const one of said)
    forms
      .get(nameOf(/** @type {HTMLFormElement} */ (one.closest("form"))))
      ?.querySelector(".wanting")
      ?.replaceWith(one);
  for (const one of id("main").querySelectorAll("summary"))
    if (open.includes(one.textContent)) /** @type {HTMLDetailsElement} */ (one.parentElement).open = true;
  ready();
  if (!old.contains(focused)) return;
  const field = focused.form && focused.name && again(forms, focused);
  (field || placeOf(focused))?.focus({ preventScroll: true });
  if (caret) field?.setSelectionRange(...caret);
}

/** Where a keyboard goes on in the page as it is now: at the same control, else at the first one about the same player or
    board, else in the part that it was in. */
function placeOf(/** @type {HTMLElement} */ before) {
  const page = id("main"),
    { player, board } = before.closest("li")?.dataset ?? {},
    entry = page.querySelector(`li[data-player="${player}"], li[data-board="${board}"]`),
    like = likeness(before),
    same = [...(entry ?? page).querySelectorAll(CONTROLS)].find((one) => likeness(/** @type {HTMLElement} */ (one)) === like);
  const title = before.closest("section")?.getAttribute("aria-labelledby"),
    part = entry ?? (title ? page.querySelector(`section[aria-labelledby="${title}"]`) : page);
  const found = same ?? entry?.querySelector(CONTROLS) ?? part;
  if (found === part) part?.setAttribute("tabindex", "-1");
  return /** @type {HTMLElement | null} */ (found);
}

const CONTROLS = "button, a[href], summary, [tabindex='0']";

/** What a control is; that what it enters is there already makes no other one of it. */
const likeness = (/** @type {HTMLElement} */ one) =>
  JSON.stringify([{ ...one.dataset, has: "" }, one.getAttribute("href"), one.matches("div") || one.textContent]);

/** A form is known by what it enters, and about what. */
const nameOf = (/** @type {HTMLFormElement} */ { dataset: of }) => JSON.stringify([of.entry, of.byHand, of.file, of.winners]);

/** The field of the page as it is now in the place of one that was there before. @returns {any} */
function again(/** @type {Map<string, HTMLFormElement>} */ forms, /** @type {any} */ field) {
  const same = [...(forms.get(nameOf(field.form))?.elements ?? [])].filter((/** @type {any} */ one) => one.name === field.name);
  return same.find((/** @type {any} */ one) => !ticked(one) || one.value === field.value);
}

const ticked = (/** @type {Element} */ field) => field.matches("[type=checkbox]");
const usual = (/** @type {HTMLSelectElement} */ { options }) => [...options].find((one) => one.defaultSelected)?.index ?? 0;

/** The fields of a form in which something is written or chosen that the page does not have, and what. */
const written = (/** @type {HTMLFormElement} */ form) =>
  [...form.elements]
    .filter((/** @type {any} */ one) =>
      one.matches("select")
        ? one.selectedIndex !== usual(one)
        : ticked(one)
          ? one.checked !== one.defaultChecked
          : one.matches("input, textarea") && one.value !== one.defaultValue,
    )
    .map((/** @type {any} */ field) => ({ field, value: field.value }));

function rewrite(/** @type {any} */ now, /** @type {{ field: any, value: string }} */ { field, value }) {
  if (!now) return;
  if (field.matches("[type=file]")) now.replaceWith(field);
  else if (ticked(field)) now.checked = field.checked;
  else now.value = value;
}

/** What was sent and taken stands there no longer, unless something else was written over it meanwhile. */
function empty(/** @type {any} */ field) {
  if (field.matches("select")) field.selectedIndex = usual(field);
  else if (ticked(field)) field.checked = field.defaultChecked;
  else field.value = field.defaultValue;
}

/** Whether somebody is in the middle of something that a new page would disturb. */
const busy = () =>
  sending > 0 ||
  document.querySelector("dialog[open]") !== null ||
  [...id("main").querySelectorAll("form")].some((form) => written(form).length > 0);

const all = (/** @type {string} */ choice, /** @type {(element: any) => void} */ does) =>
  id("main").querySelectorAll(choice).forEach(does);
const press = (/** @type {string} */ choice, /** @type {(element: HTMLElement, data: DOMStringMap) => unknown} */ does) =>
  all(choice, (element) =>
    element.addEventListener(
      "click",
      once(() => does(element, element.dataset)),
    ),
  );
/** What is being sent, so that a second press or Enter does not send it again. */
const going = new Set();
const submit = (/** @type {string} */ choice, /** @type {(form: HTMLFormElement, fields: FormData) => unknown} */ does) =>
  all(choice, (form) =>
    form.addEventListener("submit", async (/** @type {Event} */ event) => {
      event.preventDefault();
      const fields = new FormData(form),
        same = nameOf(form) + JSON.stringify([...fields]);
      if (going.has(same)) return;
      going.add(same);
      try {
        await does(form, fields);
      } finally {
        going.delete(same);
      }
    }),
  );
const entry = (/** @type {string} */ kind, /** @type {any} */ data, form = /** @type {HTMLFormElement | null} */ (null)) =>
  send("/api/event", { kind, data }, form);
const player = (/** @type {HTMLElement} */ element) =>
  Number(/** @type {HTMLElement} */ (element.closest("[data-player]")).dataset.player);

function ready() {
  submit("form[data-entry=event-opened]", (form, fields) => {
    const minutes = Number(fields.get("minutes"));
    const clock = minutes ? { seconds: 60 * minutes, increment: Number(fields.get("increment")), delay: 0 } : null;
    return entry(
      "event-opened",
      { name: line(fields, "name"), game: fields.get("game"), rounds: Number(fields.get("rounds")), terms: { clock } },
      form,
    );
  });
  submit("form[data-entry=event-changed]", (form, fields) => {
    const minutes = Number(fields.get("minutes")),
      selects = /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll("select[name^='rule:']")]);
    const clock = minutes ? { seconds: 60 * minutes, increment: Number(fields.get("increment")), delay: 0 } : null;
    const rules = Object.fromEntries(selects.map((one) => [one.name.slice(5), one.value]));
    return entry("event-changed", { rounds: Number(fields.get("rounds")), terms: { clock, rules } }, form);
  });
  submit("form[data-entry=player-entered]", (form, fields) =>
    entry(
      "player-entered",
      { name: line(fields, "name"), club: line(fields, "club"), rating: Number(fields.get("rating")) },
      form,
    ),
  );
  submit("form[data-by-hand]", (form, fields) => byHand(form, String(fields.get("pairs"))));
  submit("form[data-file]", async (form, fields) => {
    const file = /** @type {File} */ (fields.get("file"));
    if (await send("/api/event/read", { what: fields.get("what"), text: await file.text() }, form))
      confirm(t("The file was taken over."));
  });
  press("[data-pair]", (_, { pair }) => send("/api/event/pair", { how: pair }));
  press("[data-away]", (element, { away, round }) =>
    entry("player-away", { number: player(element), round: Number(round), bye: away }),
  );
  press("[data-left]", (element, { left }) => entry("player-left", { number: player(element), after: Number(left) }));
  press("[data-back]", (element, { back }) => entry("player-back", { number: player(element), since: Number(back) }));
  press("[data-withdraw]", async (_, { withdraw }) => {
    if (await entry("round-withdrawn", { round: Number(withdraw) })) location.assign("/event");
  });
  press("[data-take]", (_, { take, round }) => send("/api/event/take", { round: Number(round), board: Number(take) }));
  press("[data-result]", (_, { result, board, round, has }) => {
    const signs = (result ?? "").split(" "),
      marks = signs.map((one) => (one === "=" ? "draw" : "1+".includes(one) ? "win" : "loss"));
    const data = { round: Number(round), board: Number(board), marks, played: !/[+-]/.test(result ?? "") };
    return has === "yes" ? corrected(data) : entry("result", data);
  });
  submit("form[data-winners]", (form, fields) => {
    const won = new Set(fields.getAll("won").map(Number)),
      seats = form.querySelectorAll("input[name=won]").length,
      { round, winners: board, has } = form.dataset;
    const marks = Array.from({ length: seats }, (_, seat) => (won.has(seat) ? "win" : "loss"));
    const data = { round: Number(round), board: Number(board), marks };
    return has === "yes" ? corrected(data) : entry("result", data);
  });
  press("[data-clocks]", async (_, { clocks }) => {
    try {
      const { sent, refused } = await post("/api/event/clocks", { round: Number(clocks) });
      id("clocks-told").textContent = [
        t("Sent to tables: {n}.", { n: sent.length }),
        ...refused.map((/** @type {any} */ one) => `${one.table}: ${one.message}`),
      ].join(" ");
    } catch (error) {
      tell(error);
    }
  });
}

const line = (/** @type {FormData} */ fields, /** @type {string} */ name) =>
  String(fields.get(name) ?? "")
    .trim()
    .replace(/\s+/g, " ");

function byHand(/** @type {HTMLFormElement} */ form, /** @type {string} */ text) {
  const rows = text
    .split("\n")
    .map((one) =>
      one
        .split(/[\s,;–-]+/)
        .filter(Boolean)
        .map(Number),
    )
    .filter((one) => one.length);
  const byes = Object.fromEntries(rows.filter((one) => one.length === 1).map(([one]) => [one, "pairing"]));
  const pairings = rows.filter((one) => one.length > 1).map((players, i) => ({ board: i + 1, players }));
  return entry("round-paired", { round: Number(form.dataset.byHand), how: "hand", pairings, byes }, form);
}

/** A result that is there already is corrected with a reason, which stays on record. */
function corrected(/** @type {any} */ data) {
  const reason = reasonField([t("Entered the wrong way round"), t("The players agree"), t("The arbiter decided it")]);
  const box = dialog(
    t("Correct a result"),
    h("p", { class: "quiet-note" }, t("What stood before stays on record.")),
    reason.element,
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        {
          type: "button",
          class: ["button", "main"],
          "data-key": "send",
          onclick: once(async () => {
            const why = reason.value();
            if (why === null) return;
            box.close();
            await entry("result", { ...data, reason: why });
          }),
        },
        t("Correct it"),
      ),
      closing(() => box),
    ),
  );
}

onTiles(() => (stale || (told.event !== null && told.event > number)) && !busy() && refresh());
ready();
startFrame();
