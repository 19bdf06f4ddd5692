// The event's pages: what is entered goes to the hub, and what others enter comes here by itself, unless somebody is writing.

import { once } from "../act.js";
import { h, id } from "../dom.js";
import { confirm, tell } from "../messages.js";
import { closing, dialog } from "../panels/dialog.js";
import { reasonField } from "../panels/reason.js";
import { post } from "../wire.js";
import { t, whole } from "../words.js";
import { onTiles, startFrame, told } from "./frame.js";

let number = Number(document.documentElement.dataset.number ?? 0);

/** Send a change and show the page as it is then; whether it was taken. */
async function send(/** @type {string} */ address, /** @type {any} */ message, /** @type {Element | null} */ form = null) {
  const wanting = /** @type {HTMLElement | null} */ (form?.querySelector(".wanting") ?? null);
  if (wanting) wanting.hidden = true;
  try {
    const answer = await post(address, { ...message, number });
    number = answer.number ?? number;
    await refresh();
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

/** The page anew, in place; what is open stays open. */
async function refresh() {
  const response = await fetch(location.href, { credentials: "same-origin", headers: { Accept: "text/html" } });
  if (!response.ok) return location.reload();
  const page = new DOMParser().parseFromString(await response.text(), "text/html"),
    main = page.getElementById("main");
  if (!main) return location.reload();
  number = Number(page.documentElement.dataset.number ?? number);
  const key = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.key;
  id("main").replaceWith(document.adoptNode(main));
  ready();
  if (key) /** @type {HTMLElement | null} */ (id("main").querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
}

/** Whether somebody is in the middle of something that a new page would take away. */
function busy() {
  if (document.querySelector("dialog[open]")) return true;
  const fields = /** @type {HTMLInputElement[]} */ ([...id("main").querySelectorAll("input, textarea")]);
  return fields.some((one) => one.value !== one.defaultValue);
}

const all = (/** @type {string} */ choice, /** @type {(element: any) => void} */ does) =>
  id("main").querySelectorAll(choice).forEach(does);
const press = (/** @type {string} */ choice, /** @type {(element: HTMLElement, data: DOMStringMap) => unknown} */ does) =>
  all(choice, (element) =>
    element.addEventListener(
      "click",
      once(() => does(element, element.dataset)),
    ),
  );
const submit = (/** @type {string} */ choice, /** @type {(form: HTMLFormElement, fields: FormData) => unknown} */ does) =>
  all(choice, (form) =>
    form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      does(form, new FormData(form));
    }),
  );
const entry = (/** @type {string} */ kind, /** @type {any} */ data, form = /** @type {Element | null} */ (null)) =>
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
  const reason = reasonField([t("Entered the wrong way round"), t("Both players agree"), t("The arbiter decided it")]);
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

onTiles(() => told.event !== null && told.event > number && !busy() && refresh());
ready();
startFrame();
