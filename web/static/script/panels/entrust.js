// Telling the one secret of a game: who somebody is. Names are on the screen only while somebody presses; letting go on a name
// chooses it and hides it again.

import { act, once } from "../act.js";
import { closing, dialog } from "./dialog.js";
import { discOf } from "./disc.js";
import { h } from "../dom.js";
import { expected, over } from "../expects.js";
import { ownSecret } from "../own.js";
import { soleSecret } from "../page_data.js";
import { closesOnce } from "./passing.js";
import { characters, wording, store } from "../store.js";
import { symbols } from "../symbols.js";
import { t } from "../words.js";

export function entrust(told = (/** @type {any} */ _character) => {}) {
  ask(
    wording("secret-title"),
    wording("secret-help"),
    t("Entrust it"),
    "entrust",
    t("Entrusted. Nobody is shown it again."),
    told,
  );
}

export function reveal() {
  const box = ask(wording("reveal-title"), wording("reveal-help"), t("Reveal"), "reveal", "");
  closesOnce(box, () => !revealable(store.snapshot));
}

/** Whether somebody asks who has the secret, or the game is over and it was not told yet. */
const revealable = (/** @type {Snapshot} */ snapshot) =>
  over(snapshot)
    ? !snapshot.opened
    : Boolean(expected(snapshot, "opening")) ||
      Boolean(expected(snapshot, "question")?.form.some((/** @type {Answer} */ { kind }) => kind === "reveal"));

/** The secret is kept by whoever has it, and bound to a seal; ``send`` gets the character and makes the answer, or null. */
export function seal(/** @type {(character: string) => any} */ send, told = () => {}) {
  ask(
    t("Keep it and seal it"),
    wording("seal-help"),
    t("Seal it"),
    send,
    t("Sealed. Keep this device until the game is over."),
    told,
  );
}

function ask(
  /** @type {string} */ title,
  /** @type {string} */ help,
  /** @type {string} */ verb,
  /** @type {any} */ kind,
  /** @type {string} */ done,
  told = (/** @type {any} */ _character) => {},
) {
  const people = characters();
  let /** @type {string | null} */ chosen = null;
  const status = h("p", { class: "quiet-note", role: "status" }, t("Nobody chosen yet."));
  const send = h("button", { type: "button", class: ["button", "main"], "data-key": "send", disabled: true }, verb);
  const names = h(
    "div",
    { class: "names" },
    people.map((piece) =>
      h("div", { "data-character": piece.id, "data-chosen": "no" }, discOf(piece.id), h("span", {}, piece.name)),
    ),
  );
  const cover = h(
    "span",
    { class: "cover" },
    symbols.hand(),
    h("span", {}, t("Press and hold to see the names")),
    h("small", { class: "quiet-note" }, t("Keyboard: hold the space bar, walk with the arrow keys, let go")),
  );
  const veil = h(
    "div",
    { class: "veil", role: "button", tabindex: 0, "aria-label": t("Names, shown while pressed"), "data-open": "no" },
    cover,
    names,
  );
  const rows = [...names.children];

  const point = (/** @type {any} */ character) =>
    rows.forEach((row) => (row.dataset.chosen = row.dataset.character === character ? "yes" : "no"));
  const choose = (/** @type {any} */ character) => {
    chosen = character ?? chosen;
    status.textContent = chosen ? t("Chosen. Hold again to check, or send it.") : t("Nobody chosen yet.");
    send.disabled = !chosen;
    select.value = "";
  };
  const open = (/** @type {boolean} */ yes) => {
    veil.dataset.open = yes ? "yes" : "no";
    if (!yes) point(null);
    else point(chosen);
  };
  const under = (/** @type {any} */ event) =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-character]")?.dataset.character ?? null;

  let /** @type {any} */ from = null;
  veil.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    veil.focus();
    veil.setPointerCapture(event.pointerId);
    from = [event.clientX, event.clientY, event.timeStamp];
    open(true);
  });
  veil.addEventListener("pointermove", (event) => from && point(moved(event, from) ? (under(event) ?? chosen) : chosen));
  veil.addEventListener("pointerup", (event) => {
    // A tap without sliding only looks; so nobody chooses by accident what happened to lie under the finger.
    if (from && moved(event, from) && under(event)) choose(under(event));
    from = null;
    open(false);
  });
  veil.addEventListener("pointercancel", () => ((from = null), open(false)));
  veil.addEventListener("blur", () => open(false));
  veil.addEventListener("contextmenu", (event) => event.preventDefault());
  let /** @type {string | null} */ walked = null;
  veil.addEventListener("keydown", (event) => {
    if (event.key === " ") {
      event.preventDefault();
      if (!event.repeat) open(true);
    } else if (veil.dataset.open === "yes" && event.key.startsWith("Arrow")) {
      event.preventDefault();
      const step = event.key === "ArrowDown" || event.key === "ArrowRight" ? 1 : -1;
      const index = people.findIndex((piece) => piece.id === (walked ?? chosen));
      walked = people[(index + step + people.length) % people.length].id;
      point(walked);
    }
  });
  veil.addEventListener("keyup", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    if (walked) choose(walked);
    walked = null;
    open(false);
  });

  const select = h(
    "select",
    { "aria-label": wording("person") },
    h("option", { value: "" }, t("Choose from a list")),
    people.map((piece) => h("option", { value: piece.id }, piece.name)),
  );
  select.addEventListener("change", () => select.value && choose(select.value));
  const kept = ownSecret();
  const sealed = kind === "reveal" && store.snapshot.secret === "sealed";
  const nonce = h("input", { name: "nonce", value: kept?.nonce, autocomplete: "off", spellcheck: "false" });
  const box = dialog(
    title,
    h("p", {}, help),
    veil,
    status,
    sealed && h("label", { class: "field" }, h("span", {}, wording("reveal-line")), nonce),
    h("details", {}, h("summary", {}, t("Without pressing and holding")), h("p", { class: "field" }, select)),
    h(
      "div",
      { class: "actions" },
      send,
      closing(() => box),
    ),
  );
  send.addEventListener(
    "click",
    once(async () => {
      const character = chosen;
      const message =
        typeof kind === "function"
          ? kind(character)
          : { kind, [soleSecret()?.key ?? ""]: character, ...(sealed ? { nonce: nonce.value.trim() } : {}) };
      if (!message || !(await act(message, done))) return;
      told(character);
      box.close();
    }),
  );
  return box;
}

const moved = (/** @type {any} */ event, /** @type {any} */ [x, y, time]) =>
  Math.hypot(event.clientX - x, event.clientY - y) > 12 || event.timeStamp - time > 900;
