// What happened, newest first, in sentences; searched, by kind, and with the pictures of before and after where they are kept.

import { at } from "../base.js";
import { dialog } from "./dialog.js";
import { h, id } from "../dom.js";
import { meaning } from "../page_data.js";
import { group, piece, sideName, siteName, store, subjectName, wording } from "../store.js";
import { symbols } from "../symbols.js";
import { LANGUAGE, list, t } from "../words.js";

const LENGTH = 300;
/** @type {Record<string, any>} */
const KINDS = {
  plays: { name: () => t("Plays"), of: ["play", "unfinished", "cards"] },
  flags: { name: () => t("Flags and doubts"), of: ["flag", "flag-cleared", "doubt", "cannot-see"] },
  questions: {
    name: () => wording("log-questions") || t("Questions and answers"),
    of: ["opening", "outcome"],
    means: ["asks", "answers"],
  },
  corrections: { name: () => t("Corrections"), of: ["correction", "undo"] },
  rulings: { name: () => t("Rulings"), of: ["ruling", "clock", "time-over"] },
};
const wanted = { text: "", kind: "" };

/** Whether this visitor may look at pictures: then the page has one. */
const pictures = () => Boolean(id("picture"));

export function logEvent(/** @type {RecordEvent} */ event) {
  if (!event.text) return;
  const log = id("log");
  log.querySelector(".quiet-note.none")?.remove();
  const when = new Date(event.at * 1000),
    kept = pictures() && event.data.pictures;
  const entry = h(
    "li",
    {
      "data-kind": event.kind,
      "data-ruled": ruled(event) ? "ruling" : null,
      "data-urgency": event.urgency,
      "data-number": event.number,
    },
    h("time", { datetime: when.toISOString() }, when.toLocaleTimeString(LANGUAGE, { hour: "2-digit", minute: "2-digit" })),
    event.text,
    more(event).map((line) => h("p", { class: "quiet-note" }, line)),
    kept &&
      h(
        "button",
        { type: "button", class: "chip-button", "data-key": `pictures-${event.number}`, onclick: () => beforeAndAfter(event) },
        symbols.picture(),
        t("Pictures"),
      ),
  );
  if (event.data.supersedes)
    log.querySelector(`[data-number="${event.data.supersedes}"]`)?.setAttribute("data-superseded", "yes");
  entry.hidden = !fits(entry);
  log.prepend(entry);
  while (log.children.length > LENGTH) log.lastElementChild?.remove();
}

/** Whether an event that hands were to bring about (a clean-up, pieces that were laid) came by an arbiter's word instead. */
const ruled = (/** @type {RecordEvent} */ { data }) => Boolean(data.accepted && data.reason);

/** What the sentence leaves out: the reason of a ruling, what exactly was corrected. */
function more(/** @type {RecordEvent} */ { kind, data }) {
  const lines = [];
  if (data.reason && kind !== "notice" && data.action !== "penalty") lines.push(t("Reason: {reason}", { reason: data.reason }));
  for (const { subject, entry } of data.fixes ?? [])
    lines.push(`${subjectName(subject)} → ${nothing(entry) ? t("nothing") : entryName(subject, entry)}`);
  return lines;
}

const nothing = (/** @type {any} */ entry) => entry === null || entry === false || entry.length === 0;

/** What really lies there: where a piece is, the cards of an area, the place of a track that a marker is on. */
function entryName(/** @type {string} */ subject, /** @type {any} */ entry) {
  const [word, spot = ""] = subject.split(":");
  if (entry === true) return siteName(spot);
  if (Array.isArray(entry)) {
    const cards = store.board.groups.find((one) => one.singular === word);
    return list(entry.map((side) => (cards ? sideName(cards, side) : t(side))));
  }
  if (typeof entry === "object")
    return [entry.hex && siteName(entry.hex), entry.side && t(entry.side), entry.facing && t(entry.facing)]
      .filter(Boolean)
      .join(", ");
  const kind = group(piece(subject)?.group ?? ""),
    on = kind?.layout === "value" && store.board.places.find((one) => kind.on.includes(one.kind) && one.value === entry);
  return on ? siteName(on.id) : t(String(entry));
}

const belongs = (/** @type {any} */ { of, means = [] }, /** @type {DOMStringMap} */ { kind = "", ruled: as = kind }) =>
  of.includes(as) || means.includes(meaning(as));
const fits = (/** @type {any} */ entry) =>
  (!wanted.kind || belongs(KINDS[wanted.kind], entry.dataset)) &&
  (!wanted.text || entry.textContent.toLocaleLowerCase().includes(wanted.text));

function sift() {
  let shown = 0;
  for (const entry of /** @type {NodeListOf<HTMLElement>} */ (id("log").querySelectorAll("li[data-number]"))) {
    entry.hidden = !fits(entry);
    if (!entry.hidden) shown += 1;
  }
  id("log-found").textContent = wanted.kind || wanted.text ? t("Found: {n}", { n: shown }) : "";
}

/** The field and the kinds above the list; folded away until somebody looks for something, but open for an arbiter. */
export function startLog(/** @type {boolean} */ open) {
  const field = h("input", {
    type: "search",
    name: "search",
    "data-key": "search",
    autocomplete: "off",
    "aria-label": t("Search the record"),
  });
  field.addEventListener("input", () => {
    wanted.text = field.value.trim().toLocaleLowerCase();
    sift();
  });
  const chips = Object.entries(KINDS).map(([kind, { name }]) =>
    h(
      "button",
      {
        type: "button",
        class: "chip-button",
        "data-key": `kind-${kind}`,
        "aria-pressed": "false",
        onclick: () => choose(kind),
      },
      name(),
    ),
  );
  const choose = (/** @type {string} */ kind) => {
    wanted.kind = wanted.kind === kind ? "" : kind;
    chips.forEach((chip) => chip.setAttribute("aria-pressed", String(chip.dataset.key === `kind-${wanted.kind}`)));
    sift();
  };
  id("log").before(
    h(
      "details",
      { class: "log-search", open },
      h("summary", {}, t("Search the record")),
      h("div", { class: "field" }, field),
      h("div", { class: "chip-row", role: "group", "aria-label": t("Only events of a kind") }, chips),
      h("p", { class: "quiet-note", id: "log-found", role: "status" }),
    ),
  );
}

function beforeAndAfter(/** @type {RecordEvent} */ event) {
  const figure = (/** @type {string} */ digest, /** @type {string} */ label, /** @type {string} */ alt) =>
    digest && h("figure", {}, h("img", { src: at(`/api/pictures/${digest}`), alt }), h("figcaption", {}, label));
  const { before, after } = event.data.pictures;
  const box = dialog(
    t("Before and after"),
    h("p", {}, event.text),
    h(
      "div",
      { class: "two-pictures" },
      figure(before, t("Before"), t("The table before: {what}", { what: event.text })),
      figure(after, t("After"), t("The table after: {what}", { what: event.text })),
    ),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", class: "button", "data-key": "close", onclick: () => box.close() }, t("Close")),
    ),
  );
  box.classList.add("wide");
}

export function emptyLog(anew = false) {
  if (anew) id("log").replaceChildren();
  if (!id("log").children.length) id("log").append(h("li", { class: ["quiet-note", "none"] }, t("Nothing has happened yet.")));
}
