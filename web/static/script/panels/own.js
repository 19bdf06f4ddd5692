// What one seat alone is shown: its lines while pressed, its way on the board, and what it may tell now: picked on the board or
// from a list, entrusted to the companion or sealed.

import { act, once } from "../act.js";
import { h, id, keep } from "../dom.js";
import { over } from "../expects.js";
import { keptSeals } from "../own.js";
import { soleSecret } from "../page_data.js";
import { may, plays, role, wished } from "../role.js";
import { spotName, store } from "../store.js";
import { entrustFor, sealFor } from "../telling.js";
import { capital, sentence, t } from "../words.js";
import { openSeals, sealedWords } from "./opening.js";
import { veil } from "./veil.js";

/** What is chosen, by purpose and number; `picking`: the purpose whose places are lit, null where none are;
    `begun`: since now, `byKeys`: with a keyboard. */
const state = {
  chosen: /** @type {Map<string, string>} */ (new Map()),
  picking: /** @type {string | null} */ (null),
  begun: false,
  byKeys: false,
  pressed: false,
  /** The spot that was pressed last while places were lit, where it is none of them. */
  refused: /** @type {Spot | null} */ (null),
  match: "",
};
/** @type {Set<(lit: Lit, begun: boolean) => void>} */
const readers = new Set();

/** Who draws on the board what this seat alone may see there. */
export const onLit = (/** @type {(lit: Lit, begun: boolean) => void} */ reader) => readers.add(reader);

const own = () => store.snapshot?.own ?? null;
const told = (/** @type {string} */ purpose) =>
  (store.snapshot?.secrets ?? []).filter((one) => one.seat === role && one.purpose === purpose);
const key = (/** @type {string} */ purpose) => `${purpose} ${told(purpose).length + 1}`;
const chosen = (/** @type {string} */ purpose) => state.chosen.get(key(purpose)) ?? null;
const tellOf = (/** @type {string | null} */ purpose) => own()?.tells.find((one) => one.purpose === purpose) ?? null;

/** Nothing is lit that somebody who glances at this screen could read, until its seat presses or chooses. */
function light() {
  const mine = own(),
    tell = tellOf(state.picking),
    open = state.pressed || Boolean(tell);
  const place = (/** @type {string | null} */ value) => tell?.choices.find((one) => one.value === value)?.place;
  const here = tell && place(chosen(tell.purpose));
  const lit = {
    trail: open ? (mine?.trail ?? []) : [],
    choose: tell ? tell.choices.flatMap((one) => (one.place && one.place !== here ? [one.place] : [])) : [],
    chosen: here ? [here] : [],
    byKeys: state.byKeys,
  };
  const begun = state.begun;
  state.begun = false;
  for (const reader of readers) reader(lit, begun && lit.choose.length > 0);
}

/** Whether a spot of the board was taken as a choice: then it is nothing else. */
export function picks(/** @type {Spot} */ spot) {
  const tell = tellOf(state.picking);
  if (!tell) return false;
  const choice = tell.choices.find((one) => one.place === spot);
  if (!choice) {
    state.refused = spot;
    redraw();
    return true;
  }
  const byKeys = document.activeElement?.matches("svg :focus-visible");
  choose(tell.purpose, choice.value);
  // What is done with it stands there; sent it is by a press of its own.
  if (byKeys) /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="tell-${tell.purpose}"]`))?.focus();
  return true;
}

function choose(/** @type {string} */ purpose, /** @type {string} */ value) {
  state.chosen.set(key(purpose), value);
  state.refused = null;
  redraw();
}

const redraw = () => drawOwn(id("own"), store.snapshot);

export function drawOwn(/** @type {HTMLElement | null} */ element, /** @type {Snapshot} */ snapshot) {
  if (!element || !plays) return;
  const mine = snapshot.own ?? null,
    seals = sealsToOpen(snapshot);
  if (state.match !== snapshot.match) Object.assign(state, { match: snapshot.match, chosen: new Map(), picking: null });
  if (state.picking && !tellOf(state.picking)) state.picking = null;
  if (!state.picking) state.refused = null;
  if (!soleSecret())
    id("own-card").hidden = (!(mine && showsAny(mine)) && !seals.length) || (over(snapshot) && allOpened(snapshot));
  keep(element, [mine, snapshot.secrets, seals, [...state.chosen], state.picking, state.refused, over(snapshot)], () => {
    state.pressed = false; // a veil that is drawn anew is closed, and what it lit goes out with it
    light();
    return [
      mine && (mine.lines.length > 0 || mine.trail.length > 0 || moreLines(mine).length > 0) && lines(mine),
      (mine?.tells ?? []).map((tell) => telling(tell, snapshot)),
      (mine?.deeds ?? []).length > 0 && h("div", { class: "actions" }, mine?.deeds?.map(deedButton)),
      pickBar(snapshot),
      seals.map((purpose) => h("div", { class: "actions" }, openSeals(role, purpose, snapshot))),
    ];
  });
}

/** Whether there is anything to show: of a seat that sealed all it told the companion knows nothing. */
const showsAny = (/** @type {Own} */ mine) =>
  [mine.lines, mine.trail, mine.tells, mine.deeds ?? [], sealedLines(mine)].some((one) => one.length);

/** An answer that this seat may give although nobody asks. */
const deedButton = (/** @type {Deed} */ deed) =>
  h(
    "button",
    { type: "button", class: "button", "data-key": `deed-${deed.answer.kind}`, onclick: once(() => act(deed.answer)) },
    sentence(deed),
  );

/** While places are lit, on a small screen: what is asked and the buttons that send it, at the foot of the screen. */
function pickBar(/** @type {Snapshot} */ snapshot) {
  const tell = tellOf(state.picking);
  if (!tell) return null;
  const value = chosen(tell.purpose);
  return h(
    "div",
    { class: "pick-bar", role: "group", "aria-label": sentence(tell) },
    h("p", {}, value === null && !state.refused ? sentence(tell) : choosing(tell.purpose)),
    h(
      "div",
      { class: "actions" },
      value !== null && senders(tell, value, snapshot, "bar-"),
      h(
        "button",
        { type: "button", class: "button", "data-key": "bar-hide", onclick: () => ((state.picking = null), redraw()) },
        t("Hide it again"),
      ),
    ),
  );
}

/** Purposes this seat sealed values for that are to be opened now: where it is asked for, and at the end. */
function sealsToOpen(/** @type {Snapshot} */ snapshot) {
  const opened = (/** @type {string} */ purpose) =>
    store.events.some((one) => one.kind === "opening" && one.data.seat === role && one.data.purpose === purpose);
  if (!may("reveal") || !over(snapshot)) return []; // before the end the panel of what is expected asks for it
  const sealed = (snapshot.secrets ?? []).filter((one) => one.seat === role && one.mode === "sealed");
  return [...new Set(sealed.map((one) => one.purpose))].filter((purpose) => !opened(purpose));
}

/** Whether everybody knows by now what this seat kept secret. */
function allOpened(/** @type {Snapshot} */ snapshot) {
  const kept = (snapshot.secrets ?? []).filter((one) => one.seat === role);
  return kept.length > 0 && kept.every((one) => one.value !== undefined);
}

function lines(/** @type {Own} */ mine) {
  const inside = () =>
    h(
      "div",
      { class: "own-lines" },
      mine.lines.map((line) => h("p", {}, sentence(line))),
      ...moreLines(mine),
    );
  return veil(
    h("span", { class: "cover" }, h("span", {}, t("Press and hold to see what only you know"))),
    t("What only you know, shown while pressed"),
    inside,
    (open) => {
      state.pressed = open;
      light();
    },
  );
}

const moreLines = (/** @type {Own} */ mine) => [...sealedLines(mine), ...chosenLines(mine)];

/** What its seat sealed on this device, counts now and nobody has opened yet: the companion does not know it. */
function sealedLines(/** @type {Own} */ mine) {
  const kept = keptSeals(role);
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const { purpose, number } of mine.counting ?? []) {
    const sealed = told(purpose).find((one) => one.number === number && one.mode === "sealed" && one.value === undefined),
      value = sealed && kept.find((one) => one.commitment === sealed.commitment)?.value,
      what = sealedWords(purpose);
    if (value && what) found.set(what, [...(found.get(what) ?? []), ...value.split(" ").map(spotName)]);
  }
  return [...found].map(([what, values]) => h("p", {}, `${capital(what)}: ${values.join(", ")}`));
}

/** What is chosen and not sent yet, for its seat's eyes. */
const chosenLines = (/** @type {Own} */ mine) =>
  mine.tells.flatMap((tell) => {
    const choice = tell.choices.find((one) => one.value === chosen(tell.purpose));
    return choice ? [h("p", {}, t("Chosen: {what}", { what: choiceName(choice) }))] : [];
  });

const choiceName = (/** @type {OwnChoice} */ choice) => sentence(choice) || choice.place || choice.value;

/** What has come of the choice so far. */
function choosing(/** @type {string} */ purpose) {
  if (state.refused && state.picking === purpose)
    return t("{place} cannot be chosen: only the lit places can.", { place: spotName(state.refused) });
  return chosen(purpose) === null ? t("Nothing chosen yet.") : t("Chosen. Hold again to check, or send it.");
}

function telling(/** @type {Tell} */ one, /** @type {Snapshot} */ snapshot) {
  const placed = one.choices.some((choice) => choice.place),
    picking = state.picking === one.purpose,
    value = chosen(one.purpose);
  return h(
    "section",
    { class: "telling", "data-purpose": one.purpose, "data-key": `tell-${one.purpose}`, tabindex: -1 },
    h("h3", {}, sentence(one)),
    placed && [
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          {
            type: "button",
            class: "button",
            "data-key": `pick-${one.purpose}`,
            "aria-pressed": picking ? "true" : "false",
            onclick: (/** @type {MouseEvent} */ { detail }) => {
              state.picking = picking ? null : one.purpose;
              state.begun = !picking;
              state.byKeys = detail === 0;
              redraw();
            },
          },
          picking ? t("Hide it again") : t("Choose on the board"),
        ),
      ),
      picking && h("p", { class: "quiet-note" }, t("Tap a lit place, or walk there with the arrow keys and press Enter.")),
    ],
    listOf(one, placed),
    h("p", { class: "quiet-note", role: "status" }, choosing(one.purpose)),
    h("div", { class: ["actions", picking && "in-bar"] }, senders(one, value, snapshot)),
  );
}

/** The choices as a list: all there is where nothing lies on the board, else beside the board for who does not use it. */
function listOf(/** @type {Tell} */ one, /** @type {boolean} */ placed) {
  const select = h(
    "select",
    { "aria-label": sentence(one), "data-key": `list-${one.purpose}` },
    h("option", { value: "" }, t("Choose from a list")),
    one.choices.map((choice, i) => h("option", { value: i }, choiceName(choice))),
  );
  // What was chosen stands in the list no longer than it takes: whoever glances at the screen does not read it there.
  select.addEventListener("change", () => {
    if (select.value) choose(one.purpose, one.choices[Number(select.value)].value);
    select.value = "";
  });
  const field = h("p", { class: "field" }, select);
  return placed ? h("details", { "data-key": `fold-${one.purpose}` }, h("summary", {}, t("Without the board")), field) : field;
}

/** Entrust or seal: whichever this seat did before for this secret; else what it did last for any, else what was chosen in the
    lobby, comes first. */
function senders(/** @type {Tell} */ one, /** @type {string | null} */ value, /** @type {Snapshot} */ snapshot, prefix = "") {
  const before = told(one.purpose).at(-1)?.mode,
    last = (snapshot.secrets ?? []).filter((other) => other.seat === role).at(-1)?.mode,
    first = before ?? last ?? (wished === "sealed" ? "sealed" : "entrusted");
  /** @type {Record<string, { may: string, name: string, send: () => Promise<unknown> }>} */
  const ways = {
    entrusted: { may: "entrust", name: t("Entrust it"), send: () => entrustIt(one.purpose, value) },
    sealed: { may: "seal", name: t("Seal it"), send: () => sealIt(one.purpose, value, snapshot) },
  };
  return Object.entries(ways)
    .filter(([mode, way]) => may(way.may) && (!before || before === mode))
    .map(([mode, way]) =>
      h(
        "button",
        {
          type: "button",
          class: ["button", mode === first && "main"],
          "data-key": `${prefix}${way.may}-${one.purpose}`,
          disabled: value === null,
          onclick: once(way.send),
        },
        way.name,
      ),
    );
}

async function sent(/** @type {string} */ purpose, /** @type {Promise<boolean>} */ taken) {
  const mine = key(purpose);
  if (!(await taken)) return;
  state.chosen.delete(mine);
  state.picking = null;
  redraw();
}

const entrustIt = (/** @type {string} */ purpose, /** @type {string | null} */ value) =>
  value === null ? Promise.resolve() : sent(purpose, entrustFor(role, purpose, value));

const sealIt = (/** @type {string} */ purpose, /** @type {string | null} */ value, /** @type {Snapshot} */ snapshot) =>
  value === null ? Promise.resolve() : sent(purpose, sealFor(role, purpose, value, snapshot));
