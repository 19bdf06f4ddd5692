// A position put together by hand: a copy of the board on which every piece may be set elsewhere, and what that changes.

import { BoardView } from "../board/view.js";
import { cellsOf } from "../board/geometry.js";
import { place, tells, uncovered } from "../board/placing.js";
import { zoomButtons } from "../board/zoom.js";
import { withCards } from "./zone.js";
import { whatStands } from "./correct.js";
import { given, h, present } from "../dom.js";
import { pieceName, siteName, store, wording } from "../store.js";
import { maySet } from "../page_data.js";
import { list, t } from "../words.js";

/** What was put together and not sent, by what was on record then: a dialog is closed by a key or a tap beside it. */
const unsent = { of: "", draft: /** @type {State | null} */ (null) };
const onRecord = () => JSON.stringify([store.snapshot.match, store.snapshot.position]);

/** An editor that begins with the position on record, or with what was begun from it and not sent: its words and its board,
    to be laid out apart; `value()` is the position, or null while a piece is nowhere. */
export function positionEditor() {
  const { board } = store;
  let draft = structuredClone(unsent.of === onRecord() && unsent.draft ? unsent.draft : store.snapshot.position);
  const frame = h("div", { class: "small-board" }),
    changes = h("div", { class: "quiet-note", role: "status" });
  const fromTable = h(
    "button",
    { type: "button", class: "chip-button", "data-key": "from-table", onclick: () => draw(merged(store.snapshot)) },
    t("As it stands on the table"),
  );
  const fromRecord = h(
    "button",
    {
      type: "button",
      class: "chip-button",
      "data-key": "from-record",
      onclick: () => draw(structuredClone(store.snapshot.position)),
    },
    t("As it is on record"),
  );
  const view = new BoardView(
    board,
    (/** @type {Spot} */ spot) =>
      whatStands(
        spot,
        view.on(spot),
        null,
        (answers) => {
          draw(
            answers.reduce((/** @type {State} */ position, /** @type {any} */ answer) => put(board, position, answer), draft),
          );
          return true;
        },
        draft,
        null,
        maySet,
      ),
    frame,
  );

  function draw(/** @type {State} */ position) {
    draft = position;
    Object.assign(unsent, { of: onRecord(), draft });
    view.update(
      {
        position,
        table: { state: {}, unknown: {} },
        expects: [{ kind: "arrangement", start: true, reached: "" }],
        chores: [],
        flag: null,
        turn: position.turn,
      },
      null,
    );
    const away = toPlace(board, position),
      extra = tooMany(board, position),
      moved = difference(board, store.snapshot.position, position);
    changes.replaceChildren(
      ...given([
        extra.length > 0 &&
          h("p", { class: "wanting" }, t("More than there are: {names}.", { names: list(extra.map((word) => t(word))) })),
        away.length > 0 && h("p", { class: "wanting" }, t("Still to place: {names}.", { names: list(away.map(pieceName)) })),
        h(
          "p",
          {},
          moved.length
            ? t("Changed: {what}.", { what: list(moved) })
            : t("As on record. Tap a place to say what shall be there."),
        ),
      ]),
    );
  }
  view.name(t("The position that is put together"));
  draw(draft);
  requestAnimationFrame(() => view.frame(amidst(view))); // once it is in its dialog, and has a size
  return {
    element: h(
      "div",
      { class: "position-editor" },
      wording("position-alone") && h("p", { class: "quiet-note" }, wording("position-alone")),
      h("div", { class: "chip-row" }, fromTable, fromRecord),
      changes,
    ),
    board: h("div", {}, view.zoom && zoomButtons(view.zoom), frame),
    value: () => (toPlace(board, draft).length || tooMany(board, draft).length ? null : draft),
  };
}

/** Where one of the pieces that may be set lies, amidst the others: a board larger than its frame began in a corner. */
function amidst(/** @type {BoardView} */ view) {
  const at = new Map(store.board.cells.map((cell) => [cell.id, cell.at]));
  const lying = [...view.shown.values()]
    .filter((one) => maySet(one.group))
    .flatMap((one) => cellsOf(one.place).slice(0, 1))
    .filter((spot) => at.has(spot));
  const middle = [0, 1].map((axis) => lying.reduce((sum, spot) => sum + present(at.get(spot))[axis], 0) / lying.length);
  const away = (/** @type {Spot} */ spot) => Math.hypot(...present(at.get(spot)).map((x, axis) => x - middle[axis]));
  return lying.sort((a, b) => away(a) - away(b)).slice(0, 1);
}

/** What the camera claims, and where it claims nothing, or nothing may be set, what is on record. */
function merged(/** @type {Snapshot} */ snapshot) {
  const position = structuredClone(snapshot.position);
  const claimed = snapshot.table?.state ?? {},
    unknown = snapshot.table?.unknown ?? {};
  for (const { key, layout, singular } of store.board.groups) {
    if (!tells({ key, layout }, claimed) || !(key in position)) continue;
    if (layout === "by-zone") {
      const seen = structuredClone(uncovered(store.board, key, position[key], claimed[key], unknown));
      for (const { id } of store.board.zones ?? [])
        if (maySet(key, id))
          position[key] = withCards(position[key], { subject: `${singular}:${id}`, place: id, cards: seen[id] ?? [] });
    } else if (!maySet(key)) continue;
    else if (layout === "by-piece") position[key] = { ...position[key], ...structuredClone(claimed[key]) };
    else if (layout !== "lone" || claimed[key]) position[key] = structuredClone(claimed[key]);
    else if (!store.board.pieces.some((piece) => piece.group === key && piece.id in unknown))
      position[key] = { ...position[key], hex: null };
  }
  return position;
}

/** The position after one answer of the dialog: by the lay-out of the group it is about. */
function put(/** @type {Board} */ board, /** @type {any} */ before, /** @type {any} */ answer) {
  const { subject, place: spot, side, facing, label } = answer;
  const position = structuredClone(before),
    [word, from] = subject.split(":");
  const piece = board.pieces.find((one) => one.id === subject);
  const group = present(board.groups.find((one) => one.key === piece?.group || (!piece && one.singular === word)));
  const lies = position[group.key];
  if (group.layout === "by-zone") position[group.key] = withCards(lies ?? {}, answer);
  else if (group.layout === "by-piece") {
    for (const other of Object.values(lies)) if (spot && other.hex === spot) other.hex = null;
    lies[subject] = { ...lies[subject], hex: spot, ...(side ? { side } : {}), ...(facing ? { facing } : {}) };
  } else if (group.layout === "lone") position[group.key] = { ...lies, hex: spot, ...(side ? { side } : {}) };
  else if (group.layout === "pairs")
    position[group.key] = [
      ...lies.filter((/** @type {Spot[]} */ pair) => [...pair].sort().join("+") !== from),
      ...(spot ? [spot.split("+")] : []),
    ];
  else if (group.layout === "value") position[group.key] = board.places.find((one) => one.id === spot)?.value ?? lies;
  else if (group.layout === "places")
    position[group.key] = [...lies.filter((/** @type {Spot} */ one) => one !== (from ?? spot)), ...(spot ? [spot] : [])];
  else {
    const twins = board.pieces.filter((one) => one.group === group.key && one.label === (label ?? null)).length;
    if (spot && twins === 1) for (const [where, what] of Object.entries(lies)) if (what === label) delete lies[where];
    delete lies[from];
    if (spot) lies[spot] = label ?? null;
  }
  return position;
}

/** The pieces that are to be placed: those that lie nowhere, and lie somewhere on record. */
function toPlace(/** @type {Board} */ board, /** @type {State} */ position) {
  const before = new Set(nowhere(board, store.snapshot.position));
  return nowhere(board, position).filter((piece) => !before.has(piece));
}

const nowhere = (/** @type {Board} */ board, /** @type {State} */ position) =>
  board.groups
    .filter((group) => group.layout === "by-piece")
    .flatMap((group) =>
      Object.entries(position[group.key] ?? {})
        .filter(([, entry]) => !entry.hex)
        .map(([piece]) => piece),
    )
    .concat(
      board.pieces
        .filter((piece) =>
          board.groups.some((group) => group.key === piece.group && group.layout === "lone" && !position[group.key]?.hex),
        )
        .map((piece) => piece.id),
    );

/** The kinds of pieces of which more would lie on the board than the box holds; the last ones find no piece to be. */
function tooMany(/** @type {Board} */ board, /** @type {State} */ position) {
  const lying = [...place(board, position).values()];
  const asked = (/** @type {Group} */ group) => Object.keys(position[group.key] ?? {}).length;
  return board.groups
    .filter(
      (group) =>
        !["by-piece", "lone", "value"].includes(group.layout) &&
        asked(group) > lying.filter((one) => one.group === group.key).length,
    )
    .map((group) => group.singular);
}

/** Which pieces lie otherwise, as "Jeremy Bert: i8 → k9". */
function difference(/** @type {Board} */ board, /** @type {State} */ before, /** @type {State} */ after) {
  const was = place(board, before),
    is = place(board, after, was);
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((piece) => {
    const a = was.get(piece),
      b = is.get(piece);
    if (a?.place === b?.place && a?.face === b?.face && a?.facing === b?.facing) return [];
    const words = (/** @type {any} */ one) =>
      one ? [siteName(one.place), one.face && one.face !== (a ?? b)?.face && t(one.face)].filter(Boolean).join(" ") : t("away");
    return [`${pieceName(piece)} ${words(a)} → ${words(b)}`];
  });
}
