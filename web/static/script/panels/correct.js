// "What is here?": putting right what the camera misread on one cell.

import { act, once } from "../act.js";
import { cellsOf } from "../board/geometry.js";
import { cardsOf } from "./zone.js";
import { misread } from "./chores.js";
import { closing, dialog } from "./dialog.js";
import { discOf } from "./disc.js";
import { given, h, present } from "../dom.js";
import { kindName, placeName, spotName, store, tileName, wording } from "../store.js";
import { capital, t, zoneName } from "../words.js";

const AWAY = "away"; // no cell is called so

/** `shown` is what the board shows by piece: a disc that gives way to another has to stand somewhere else. */
export function correct(/** @type {Spot} */ spot, /** @type {Placement[]} */ lying, /** @type {any} */ shown) {
  // All at once: two discs taken for each other must not stand on one cell in between.
  const send = (/** @type {any} */ [first, ...also]) =>
    !first || act({ kind: "correct", ...first, ...(also.length && { also }) });
  whatStands(
    spot,
    lying,
    t("Say what is really here. It stays so until the camera sees something else."),
    send,
    store.snapshot.position,
    shown,
  );
}

/** Asks what is on a spot, by a `note` that says so, or without one what shall be there; `take` gets what differs from `lying`,
    and says whether it was taken. With `shown` it is also asked what becomes of a disc that another one is said to stand in
    place of. `allows`: the groups that may be asked about there. */
export function whatStands(
  /** @type {Spot} */ spot,
  /** @type {Placement[]} */ lying,
  /** @type {string | null} */ note,
  /** @type {(answers: any[]) => any} */ take,
  position = store.snapshot.position,
  shown = null,
  /** @type {(group: string, spot: Spot) => boolean} */ allows = () => true,
) {
  const { board } = store;
  const kind = [...board.cells, ...board.places, ...(board.zones ?? [])].find((one) => one.id === spot)?.kind ?? "";
  // What lies where it does not belong can at least be said not to lie there.
  const fits = (/** @type {Group} */ group) =>
    group.on.includes(kind) || lying.some((placement) => placement.group === group.key);
  const fields = board.groups
    .filter((group) => allows(group.key, spot) && fits(group))
    .map((group) => field(board, group, spot, lying, position, shown))
    .filter(Boolean);
  // A keyboard begins at what is shown there, which a key then changes; of several kinds each is named.
  fields[0]?.element.querySelector("input:checked")?.setAttribute("autofocus", "");
  if (fields.length > 1)
    for (const { element } of fields) element.querySelector("legend")?.classList.replace("spoken-only", "group-name");
  if (!fields.length) {
    const box = dialog(
      title(spot, note !== null),
      h(
        "p",
        {},
        store.board.zones?.some((zone) => zone.id === spot && zone.masked)
          ? t("Nothing is read here: what a hand holds is its own.")
          : (board.groups.some((group) => fits(group)) && wording("position-alone")) ||
              t("No piece of the game belongs here. Put what lies here back on a street."),
      ),
      h(
        "div",
        { class: "actions" },
        closing(() => box),
      ),
    );
    return;
  }
  const save = h("button", { type: "button", class: ["button", "main"], "data-key": "save" }, t("That is right"));
  const box = dialog(
    title(spot, note !== null),
    note && h("p", { class: "quiet-note" }, note),
    fields.map((one) => one.element),
    h(
      "div",
      { class: "actions" },
      save,
      closing(() => box),
    ),
  );
  save.addEventListener(
    "click",
    once(async () => {
      const answers = fields.flatMap((one) => one.answers()),
        open = fields.find((one) => "away" in one && one.away());
      const all = async (/** @type {any[]} */ more) => (await take([...answers, ...more])) && (box.close(), true);
      if (open && "away" in open) whereStands(open.away(), all);
      else await all([]);
    }),
  );
}

/** Asks where a disc stands that was shown in the place of another. */
function whereStands(/** @type {any} */ piece, /** @type {(answers: any[]) => any} */ take) {
  const { board } = store,
    on = board.groups.find((group) => group.key === piece.group)?.on ?? [];
  const cells = board.cells
    .filter((cell) => on.includes(cell.kind))
    .map((cell) => ({ id: cell.id, name: spotName(cell.id) }))
    .sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  const select = h(
    "select",
    { name: "where", "data-key": "where" },
    h("option", { value: "" }, t("Choose from a list")),
    h("option", { value: AWAY }, t("Not on the board")),
    cells.map((cell) => h("option", { value: cell.id }, cell.name)),
  );
  const save = h(
    "button",
    { type: "button", class: ["button", "main"], "data-key": "save", disabled: true },
    t("That is right"),
  );
  select.addEventListener("change", () => (save.disabled = !select.value));
  const box = dialog(
    t("Where does {name} stand?", { name: piece.name }),
    h("label", { class: "field" }, h("span", {}, t("Place")), select),
    h(
      "div",
      { class: "actions" },
      save,
      closing(() => box),
    ),
  );
  save.addEventListener(
    "click",
    once(async () => {
      if (await take([{ subject: piece.id, place: select.value === AWAY ? null : select.value }])) box.close();
    }),
  );
}

/** The question of what is on a spot, or of what shall be there. */
function title(/** @type {Spot} */ spot, /** @type {boolean} */ is) {
  if ((store.board.zones ?? []).some((zone) => zone.id === spot)) {
    const zone = zoneName(spot);
    return is ? t("{zone}: what is there?", { zone }) : t("{zone}: what shall be there?", { zone });
  }
  const place = store.board.places.find((one) => one.id === spot),
    cell = place ? placeName(place) : spotName(spot);
  return is ? t("What is on {cell}?", { cell }) : t("What shall be on {cell}?", { cell });
}

function field(
  /** @type {Board} */ board,
  /** @type {Group} */ group,
  /** @type {Spot} */ spot,
  /** @type {Placement[]} */ lying,
  /** @type {any} */ position,
  /** @type {any} */ shown,
) {
  const here = lying.filter((placement) => placement.group === group.key);
  if (group.layout === "by-piece" || group.layout === "lone") return discs(board, group, spot, here, position, shown);
  if (group.layout === "by-zone") return cardsOf(board, group, spot, here, shown && (() => claimedIn(group, spot)));
  if (group.layout === "pairs") return pairs(group, spot, here);
  if (group.layout === "value") return marker(board, group, spot, here);
  return tiles(board, group, spot, here);
}

const claimedIn = (/** @type {Group} */ group, /** @type {Spot} */ zone) =>
  store.snapshot.table?.state?.[group.key]?.[zone] ?? [];

const options = (
  /** @type {string} */ name,
  /** @type {string} */ legend,
  /** @type {any[]} */ choices,
  /** @type {string} */ checked,
  titled = false,
) =>
  h(
    "fieldset",
    { class: ["options", titled && "titled"] },
    h("legend", { class: !titled && "spoken-only" }, legend),
    choices.map(([value, label, sign]) =>
      h("label", {}, h("input", { type: "radio", name, value, checked: value === checked }), sign, h("span", {}, label)),
    ),
  );

const chosen = (/** @type {HTMLElement} */ element) =>
  /** @type {HTMLInputElement | null} */ (element.querySelector("input:checked"))?.value ?? "";

function discs(
  /** @type {Board} */ board,
  /** @type {Group} */ group,
  /** @type {Spot} */ spot,
  /** @type {Placement[]} */ here,
  /** @type {any} */ position,
  /** @type {any} */ shown,
) {
  const pieces = board.pieces.filter((piece) => piece.group === group.key);
  const now = here[0]?.piece ?? "";
  const who = options(
    `who-${group.key}`,
    capital(kindName(group)),
    [
      ["", group.layout === "lone" ? t("no {what}", { what: kindName(group) }) : t("nobody")],
      ...pieces.map((piece) => [piece.id, piece.name, discOf(piece.id)]),
    ],
    now,
  );
  const more = h("div", {});
  const known = (/** @type {any} */ piece) =>
    group.layout === "lone" ? position?.[group.key] : position?.[group.key]?.[piece.id];
  const lies = (/** @type {any} */ piece) => here.find((one) => one.piece === piece) ?? null;
  const left = displaced(pieces, here, shown);
  const refine = () => {
    const piece = pieces.find((one) => one.id === chosen(who)),
      before = lies(piece?.id);
    const choose = (
      /** @type {string} */ name,
      /** @type {string} */ label,
      /** @type {string[]} */ values,
      /** @type {any} */ value,
    ) =>
      h(
        "label",
        { class: "field" },
        h("span", {}, label),
        h(
          "select",
          { name },
          values.map((one) => h("option", { value: one, selected: one === value }, capital(t(one)))),
        ),
      );
    more.replaceChildren(
      ...given([
        piece &&
          piece.faces.length > 1 &&
          choose("side", t("Side that is up"), piece.faces, before ? before.face : known(piece)?.side),
        piece?.facing &&
          choose("facing", t("Faces towards"), Object.keys(board.directions), before ? before.facing : known(piece)?.facing),
      ]),
    );
    left.ask(piece);
  };
  who.addEventListener("change", refine);
  refine();
  return {
    element: h("div", {}, who, more, left.element),
    away: left.away,
    answers: () => {
      const piece = chosen(who),
        before = lies(piece);
      if (!piece) return here.map((one) => ({ subject: one.piece, place: null }));
      /** @type {Record<string, any>} */
      const answer = { subject: piece, place: spot };
      for (const select of more.querySelectorAll("select")) answer[select.name] = select.value;
      const same = before && (answer.side ?? before.face) === before.face && (answer.facing ?? before.facing) === before.facing;
      return [...(same && !before.doubt ? [] : [answer]), ...left.answers()];
    },
  };
}

/** What becomes of the disc shown on a spot when another is said to stand there: one on each cell is the rule, so it most
    likely stands where that other one was shown. */
function displaced(/** @type {Piece[]} */ pieces, /** @type {Placement[]} */ here, /** @type {any} */ shown) {
  const element = h("div", {});
  let /** @type {Piece | null} */ other = null,
    /** @type {Spot | null} */ place = null;
  const ask = (/** @type {any} */ piece) => {
    other =
      (shown && piece && pieces.find((one) => one.id !== piece.id && here.some((placement) => placement.piece === one.id))) ||
      null;
    const was = other && shown.get(piece.id),
      stays = here.some((placement) => placement.piece === piece?.id);
    place = was && !stays && was.doubt !== "missing" ? was.place : null;
    element.replaceChildren(
      ...(other
        ? [
            options(
              "displaced",
              t("And {name}, who is shown here?", { name: other.name }),
              [
                place && [
                  "swap",
                  t("{name} stands where {other} was shown ({place})", {
                    name: other.name,
                    other: piece.name,
                    place: t(place),
                  }),
                ],
                ["next", t("I say next where {name} stands", { name: other.name })],
                ["both", t("{name} stands here as well", { name: other.name })],
              ].filter(Boolean),
              stays ? "both" : place ? "swap" : "next",
              true,
            ),
          ]
        : []),
    );
  };
  return {
    element,
    ask,
    away: () => (chosen(element) === "next" ? other : null),
    answers: () => (chosen(element) === "swap" ? [{ subject: present(other).id, place }] : []),
  };
}

function tiles(
  /** @type {Board} */ board,
  /** @type {Group} */ group,
  /** @type {Spot} */ spot,
  /** @type {Placement[]} */ here,
) {
  const labels = [
    ...new Set(
      board.pieces
        .filter((piece) => piece.group === group.key)
        .flatMap((piece) => (piece.faces.length ? piece.faces : [piece.label])),
    ),
  ];
  const now = here.length
    ? String(here[0].face ?? board.pieces.find((piece) => piece.id === here[0].piece)?.label ?? "yes")
    : "";
  const word = kindName(group);
  const choices = labels.map((label) => [String(label ?? "yes"), tileName(group, label)]);
  const elsewhere = misread(group, spot, word);
  const what = options(
    `what-${group.key}`,
    capital(word),
    [["", t("no {what}", { what: word })], ...choices, ...elsewhere.map(({ value, said }) => [value, said])],
    now,
  );
  return {
    element: what,
    answers: () => {
      const value = chosen(what),
        moved = elsewhere.find((one) => one.value === value),
        label = labels.find((one) => String(one ?? "yes") === value) ?? null;
      if (moved) return [{ subject: moved.subject, place: moved.to }];
      if (value === now && !here[0]?.doubt) return [];
      const subject = `${group.singular}:${spot}`;
      if (!value) return [{ subject, place: null }];
      return [{ subject, place: spot, ...(label === null ? {} : { label }) }];
    },
  };
}

/** A piece on two cells: over which other cell it reaches from here. */
function pairs(/** @type {Group} */ group, /** @type {Spot} */ spot, /** @type {Placement[]} */ here) {
  const word = kindName(group),
    now = here[0]?.place ?? "";
  const reach = group.spots.filter((pair) => cellsOf(pair).includes(spot));
  const other = (/** @type {Spot} */ pair) =>
    cellsOf(pair)
      .filter((cell) => cell !== spot)
      .map((cell) => t(cell))
      .join(" ");
  const all = now && !reach.includes(now) ? [now, ...reach] : reach;
  const what = options(
    `what-${group.key}`,
    capital(word),
    [
      ["", t("no {what}", { what: word })],
      ...all.map((pair) => [pair, t("{what} {label}", { what: capital(word), label: `${t(spot)} + ${other(pair)}` })]),
    ],
    now,
  );
  return {
    element: what,
    answers: () => {
      const pair = chosen(what);
      if (pair === now && !here[0]?.doubt) return [];
      return now || pair ? [{ subject: `${group.singular}:${now || pair}`, place: pair || null }] : [];
    },
  };
}

function marker(
  /** @type {Board} */ board,
  /** @type {Group} */ group,
  /** @type {Spot} */ spot,
  /** @type {Placement[]} */ here,
) {
  const piece = present(board.pieces.find((one) => one.group === group.key));
  const what = options(
    `what-${group.key}`,
    piece.name,
    [
      ["", t("not here")],
      ["yes", piece.name],
    ],
    here.length ? "yes" : "",
  );
  return { element: what, answers: () => (chosen(what) === "yes" && !here.length ? [{ subject: piece.id, place: spot }] : []) };
}
