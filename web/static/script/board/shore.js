// A town by the water: land and waves, piers with their ferries, ports, a statue's island, the way out by land.

import { s } from "../dom.js";
import { degrees, points } from "./geometry.js";

const AFLOAT = new Set(["port", "pier", "statue"]);
const at = ([x, y]) => `translate(${x.toFixed(1)} ${y.toFixed(1)})`;

/** Whether a board has a shore at all; inland boards show roofs between their streets. */
export const hasShore = (board) => board.cells.some((cell) => AFLOAT.has(cell.kind));

export function drawShore(board) {
  const [left, top, right, bottom] = board.frame;
  const grown = (cell, scale) => points(cell.outline.map(([x, y]) => [cell.at[0] + (x - cell.at[0]) * scale, cell.at[1] + (y - cell.at[1]) * scale]));
  const land = board.cells.filter((cell) => !AFLOAT.has(cell.kind)), island = board.cells.filter((cell) => cell.kind === "statue");
  return s("g", { class: "shore" },
    s("rect", { class: "water", x: left, y: top, width: right - left, height: bottom - top }),
    s("rect", { class: "waves", x: left, y: top, width: right - left, height: bottom - top }),
    [1.5, 1.36].map((scale, i) => s("g", { class: i ? "land" : "surf" }, [...land, ...island].map((cell) => s("polygon", { points: grown(cell, scale) })))));
}

/** Ways that run one way only, as the ferry goes: dashed, bent away from the middle of the board, with an arrow at the end. */
export function drawFerries(board) {
  const spots = new Map(board.cells.map((cell) => [cell.id, cell])), middle = [board.size[0] / 2, board.size[1] / 2];
  return s("g", { class: "ferries" }, (board.one_way ?? []).map(([from, to]) => {
    const a = spots.get(from).at, b = spots.get(to).at, mid = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]), away = Math.hypot(mid[0] - middle[0], mid[1] - middle[1]) || 1;
    const push = length > 160 ? length * 0.62 : 0;
    const bend = [mid[0] + ((mid[0] - middle[0]) / away) * push, mid[1] + ((mid[1] - middle[1]) / away) * push];
    const last = Math.hypot(b[0] - bend[0], b[1] - bend[1]) || 1, stop = 24;
    const end = [b[0] + ((bend[0] - b[0]) / last) * stop, b[1] + ((bend[1] - b[1]) / last) * stop];
    const half = [(a[0] + 2 * bend[0] + end[0]) / 4, (a[1] + 2 * bend[1] + end[1]) / 4];
    return [
      s("path", { class: "ferry", "data-from": from, "data-to": to, d: `M${points([a])}Q${points([bend])} ${points([end])}` }),
      s("path", { class: "ferry-arrow", d: "M-7-6 4 0-7 6z", transform: `${at(end)} rotate(${degrees(bend, end).toFixed(1)})` }),
      s("path", { class: "ferry-arrow", d: "M-6-5 4 0-6 5z", transform: `${at(half)} rotate(${degrees(a, end).toFixed(1)})` }),
    ];
  }));
}

const planks = () => s("path", { class: "pier-planks", d: "M-15-9H15M-18-3H18M-18 3H18M-15 9H15" });

/** Which way the ferry of a pier goes: the arrow in the cell says it without any colour. */
function pier(cell, board) {
  const link = (board.one_way ?? []).find(([from, to]) => from === cell.id || to === cell.id);
  if (!link) return planks();
  const outwards = link[0] === cell.id, other = board.cells.find((one) => one.id === link[outwards ? 1 : 0]);
  const turn = outwards ? degrees(cell.at, other.at) : degrees(other.at, cell.at);
  return [planks(), s("path", { class: "pier-arrow", "data-way": outwards ? "out" : "in", d: "M-11-3.5H3V-8.5L13 0 3 8.5V3.5H-11z", transform: `rotate(${turn.toFixed(1)})` })];
}

export const SITES = {
  pier,
  port: () => [
    s("path", { class: "port-quay", d: "M-19 11Q0 17 19 11" }),
    s("path", { class: "port-anchor", d: "M0-8V10M-6-3H6M-9 3C-8 9-3 11 0 11S8 9 9 3M-11 5-9 3-7 5M7 5 9 3 11 5" }),
    s("circle", { class: "port-anchor", cy: -10.5, r: 2.6 }),
  ],
  statue: () => [
    s("path", { class: "statue-base", d: "M-8 15H8L6.5 8H-6.5z" }),
    s("path", { class: "statue", d: "M-4.5 8-3-3.5C-5-5-3.5-8 0-8S5-5 3-3.5L4.5 8zM2-5 6.5-13.5 8.3-12.5 4.4-3z" }),
    s("path", { class: "statue-torch", d: "M5.3-14.2C5-17 7.2-18 7.4-20 9.5-18 10.5-16 9.3-13.7z" }),
    s("circle", { class: "statue", cy: -9.5, r: 3 }),
    s("path", { class: "statue-crown", d: "M-4-11-6-14M-1.8-12.5-2.6-16M1.2-12.5 1.6-16" }),
  ],
  exit: () => [
    s("path", { class: "exit-road", d: "M-18-7H12M-18 7H12M-14 0H-8M-4 0H2" }),
    s("path", { class: "exit-arrow", d: "M4-10 17 0 4 10z" }),
  ],
  subway: () => stairs(),
};

/** A way down under the street: steps into the dark between two rails. */
export const stairs = () => [
  s("rect", { class: "stairs", x: -10.5, y: -11, width: 21, height: 22, rx: 2.5 }),
  [0, 1, 2, 3].map((step) => s("rect", { class: `step step-${step}`, x: -8, y: 6.2 - step * 4.8, width: 16, height: 3.4 })),
  s("path", { class: "rail", d: "M-10.5 11V-11M10.5 11V-11" }),
];
