// One piece learnt again: which it is, which side is up, and where it lies in the picture.

import { once } from "../act.js";
import { h } from "../dom.js";
import { symbols } from "../symbols.js";
import { capital, sentence, t } from "../words.js";
import { drawn } from "./drawing.js";
import { pointed } from "./pointing.js";
import { redraw, wish } from "./state.js";

let open = false,
  chosen = 0,
  facing = "",
  found = { key: "", pieces: /** @type {any[]} */ ([]), directions: /** @type {string[]} */ ([]) };

/** Whether somebody is about to show where a piece lies: what is drawn of this step depends on it. */
export const pointing = () => open;

export function oneAgain(/** @type {LobbyState} */ state) {
  const key = `${state.game}/${state.edition}`,
    body = h("div", { class: "again-form" });
  const fill = () => {
    body.replaceChildren(...(open ? (found.key === key ? form() : [h("p", { role: "status" }, t("One moment."))]) : []));
    if (open && found.key !== key)
      drawn(state).then(
        (/** @type {{ board: Board, start: State }} */ { board }) => {
          [chosen, facing] = [0, ""];
          found = { key, pieces: choices(board), directions: Object.keys(board.directions) };
          body.replaceChildren(...form());
          fold.scrollIntoView({ block: "nearest" });
        },
        () => {},
      ); // what there is to choose is asked for when this is opened again
  };
  const fold = h(
    "details",
    { class: "one-again", open },
    h("summary", { "data-key": "one-again" }, t("Teach one piece again")),
    body,
  );
  fold.addEventListener("toggle", () => {
    if (fold.open === open) return;
    open = fold.open;
    redraw(); // with a new one in its place: this one may have been replaced since it was pressed
    if (open) document.querySelector(".one-again")?.scrollIntoView({ block: "nearest" });
  });
  fill();
  return [
    state.learnt &&
      h("p", { class: "verdict", "data-good": "yes", role: "status" }, symbols.tick(), h("span", {}, sentence(state.learnt))),
    fold,
  ];
}

function form() {
  const { pieces, directions } = found,
    one = pieces[chosen];
  if (!one) return [];
  const learn = once(() =>
    wish(
      "piece",
      {
        piece: one.piece,
        at: [...pointed.at],
        ...(one.side && { side: one.side }),
        ...(one.facing && { facing: facing || directions[0] }),
      },
      { busy: t("Looking at the piece…") },
    ),
  );
  return [
    h(
      "p",
      {},
      t("Put the piece on a place of its own, keep your hands away, and drag the ring on the picture onto its middle."),
    ),
    h(
      "label",
      { class: "field" },
      h("span", {}, t("Which piece?")),
      h(
        "select",
        {
          "data-key": "which",
          onchange: (/** @type {any} */ { target }) => {
            chosen = target.selectedIndex;
            const box = target.closest(".again-form");
            box.replaceChildren(...form());
            box.querySelector("select").focus();
          },
        },
        pieces.map(({ label }, index) => h("option", { value: index, selected: index === chosen }, label)),
      ),
    ),
    one.facing &&
      h(
        "label",
        { class: "field" },
        h("span", {}, t("Which way does it face?")),
        h(
          "select",
          { "data-key": "facing", onchange: (/** @type {any} */ { target }) => (facing = target.value) },
          directions.map((way) => h("option", { value: way, selected: way === facing }, t(way))),
        ),
      ),
    h(
      "p",
      { class: "actions" },
      h("button", { type: "button", class: "button", "data-key": "learn", onclick: learn }, t("Learn this piece")),
    ),
  ].filter(Boolean);
}

/** What can be learnt by itself: every disc, its second side too, and of flat pieces that look alike one for each side or
    number. */
function choices(/** @type {Board} */ board) {
  const all = new Map();
  for (const group of board.groups) {
    const walks = group.layout === "by-piece";
    for (const piece of board.pieces.filter((one) => one.group === group.key)) {
      for (const side of walks ? [null, ...piece.faces.slice(1)] : piece.faces.length ? piece.faces : [null]) {
        const sign = side ?? piece.label,
          key = JSON.stringify([walks ? piece.id : group.key, sign]);
        const label = walks
          ? [piece.name, side && t(side)].filter(Boolean).join(": ")
          : capital([t(group.singular), sign === null ? "" : t(String(sign))].filter(Boolean).join(": "));
        // A side may be on the back of several kinds of tile: the tile that is called by it goes first.
        if (!all.has(key) || piece.label === side) all.set(key, { piece: piece.id, side, facing: piece.facing, label });
      }
    }
  }
  return [...all.values()];
}
