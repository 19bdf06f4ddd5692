// Water around the land, and ways that run one way only. Which kinds of ground lie in the water the board says.

import { present, s } from "../dom.js";
import { colour } from "./drawing.js";
import { degrees, points } from "./geometry.js";

const at = (/** @type {Point} */ [x, y]) => `translate(${x.toFixed(1)} ${y.toFixed(1)})`;

export function drawShore(/** @type {Board} */ board) {
  const [left, top, right, bottom] = board.frame,
    { afloat = [], islands = [] } = board.drawing?.around ?? {};
  const grown = (/** @type {Cell} */ cell, /** @type {number} */ scale) =>
    points(cell.outline.map(([x, y]) => [cell.at[0] + (x - cell.at[0]) * scale, cell.at[1] + (y - cell.at[1]) * scale]));
  const land = board.cells.filter((cell) => !afloat.includes(cell.kind) || islands.includes(cell.kind));
  return s(
    "g",
    { class: "shore" },
    s("rect", { class: "water", x: left, y: top, width: right - left, height: bottom - top }),
    s("rect", { class: "waves", x: left, y: top, width: right - left, height: bottom - top }),
    [1.5, 1.36].map((scale, i) =>
      s(
        "g",
        { class: i ? "land" : "surf" },
        land.map((cell) => s("polygon", { points: grown(cell, scale) })),
      ),
    ),
  );
}

/** Ways that run one way only: dashed, bent away from the middle of the board, with an arrow at the end. */
export function drawWays(/** @type {Board} */ board) {
  const spots = new Map(board.cells.map((cell) => [cell.id, cell])),
    middle = [board.size[0] / 2, board.size[1] / 2];
  const ways = s(
    "g",
    { class: "ways" },
    (board.one_way ?? []).map(([from, to]) => {
      const a = present(spots.get(from)).at,
        b = present(spots.get(to)).at,
        mid = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]),
        away = Math.hypot(mid[0] - middle[0], mid[1] - middle[1]) || 1;
      const push = length > 160 ? length * 0.62 : 0;
      const bend = /** @type {Point} */ ([
        mid[0] + ((mid[0] - middle[0]) / away) * push,
        mid[1] + ((mid[1] - middle[1]) / away) * push,
      ]);
      const last = Math.hypot(b[0] - bend[0], b[1] - bend[1]) || 1,
        stop = 24;
      const end = /** @type {Point} */ ([b[0] + ((bend[0] - b[0]) / last) * stop, b[1] + ((bend[1] - b[1]) / last) * stop]);
      const half = /** @type {Point} */ ([(a[0] + 2 * bend[0] + end[0]) / 4, (a[1] + 2 * bend[1] + end[1]) / 4]);
      return [
        s("path", { class: "way", "data-from": from, "data-to": to, d: `M${points([a])}Q${points([bend])} ${points([end])}` }),
        s("path", {
          class: "way-arrow",
          d: "M-7-6 4 0-7 6z",
          transform: `${at(end)} rotate(${degrees(bend, end).toFixed(1)})`,
        }),
        s("path", { class: "way-arrow", d: "M-6-5 4 0-6 5z", transform: `${at(half)} rotate(${degrees(a, end).toFixed(1)})` }),
      ];
    }),
  );
  const paint = board.drawing?.around?.ways;
  if (paint) ways.style.setProperty("--way", colour(paint));
  return ways;
}
