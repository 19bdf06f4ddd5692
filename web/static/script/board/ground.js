// The printed board: frame, cells, alleys, turn track. Drawn once from the geometry; how a kind looks is the board's own data.

import { present, s } from "../dom.js";
import { centre, degrees, inUnits, nameBelow, points, printed, shownOn } from "./geometry.js";
import { colour, dress, symbol, inLines, useColours, zoneTitle } from "./drawing.js";
import { drawShore, drawWays } from "./water.js";
import { zoneName } from "../words.js";

const at = (/** @type {any} */ [x, y]) => `translate(${x} ${y})`;

/** A number from 0 to 1 that is always the same for the same text: variety without chance. */
function vary(/** @type {string} */ text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 2246822507);
  hash ^= hash >>> 13;
  return (hash >>> 0) / 4294967296;
}

/** A hipped roof seen from above: two lit faces, two in the shade. */
function roof(
  /** @type {number} */ x,
  /** @type {number} */ y,
  /** @type {number} */ width,
  /** @type {number} */ depth,
  /** @type {number} */ turn,
  /** @type {any} */ chimney,
) {
  const w = width / 2,
    d = depth / 2,
    hip = Math.min(d, w) * 0.9;
  return s(
    "g",
    { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(0)})` },
    s("polygon", {
      class: "house-2",
      points: points([
        [-w, -d],
        [w, -d],
        [w - hip, 0],
        [-w + hip, 0],
      ]),
    }),
    s("polygon", {
      class: "house",
      points: points([
        [-w, d],
        [w, d],
        [w - hip, 0],
        [-w + hip, 0],
      ]),
    }),
    s("polygon", {
      class: "house",
      points: points([
        [-w, -d],
        [-w, d],
        [-w + hip, 0],
      ]),
    }),
    s("polygon", {
      class: "house-2",
      points: points([
        [w, -d],
        [w, d],
        [w - hip, 0],
      ]),
    }),
    chimney && s("rect", { class: "chimney", x: w * 0.2, y: -d * 0.75, width: 2.4, height: 2.4 }),
  );
}

const ROWS = [
  [
    [-8.5, -7, 15, 11, 0],
    [8, -6, 12, 14, 90],
    [-5, 8.5, 18, 11, 0],
    [10.5, 8, 9, 10, 90],
  ],
  [
    [0, -9, 26, 11, 0],
    [-8, 6, 13, 15, 90],
    [8.5, 6.5, 14, 12, 0],
  ],
  [
    [-9.5, 0, 22, 12, 90],
    [6.5, -8, 17, 11, 0],
    [7, 6.5, 16, 13, 0],
  ],
];

/** What fills the cells of a kind, a little different on each. @type {Record<string, (cell: Cell) => Child>} */
const PATTERNS = {
  stones: (cell) => cobbles(cell),
  roofs: (cell) =>
    ROWS[Math.floor(vary(cell.id) * ROWS.length)].map(([x, y, w, d, turn], i) => roof(x, y, w, d, turn, i % 2 === 0)),
  trees: (cell) => [
    s("ellipse", { class: "pond", cx: vary(cell.id + "p") * 6 - 3, cy: vary(cell.id + "q") * 4 - 2, rx: 6.5, ry: 4.2 }),
    ...[0, 1, 2, 3, 4, 5, 6].map((i) => {
      const angle = (i / 7) * 2 * Math.PI + vary(cell.id + i) * 0.6,
        far = 12 + vary(cell.id + i + "d") * 1.5,
        size = 4 + vary(i + cell.id) * 1.6;
      const x = Math.cos(angle) * far,
        y = Math.sin(angle) * far;
      return [
        s("circle", { class: "tree", cx: x, cy: y, r: size }),
        s("circle", { class: "tree-2", cx: x - size * 0.25, cy: y - size * 0.3, r: size * 0.55 }),
      ];
    }),
  ],
};

function cobbles(/** @type {Cell} */ cell) {
  const shift = vary(cell.id) * 5;
  return s("path", {
    class: "cobble",
    transform: `rotate(${Math.floor(vary(cell.id + "r") * 6) * 60})`,
    d: `M${-13 + shift}-11a4 4 0 0 1 6 0a4 4 0 0 1 6 0M${-16 + shift} 12a4 4 0 0 1 6 0a4 4 0 0 1 6 0`,
  });
}

function drawCell(/** @type {Cell} */ cell, /** @type {Board} */ board) {
  const tint = Math.floor(vary(cell.id + "t") * 3),
    drawing = board.drawing ?? {};
  const outline = points(cell.outline.map(([x, y]) => [x - cell.at[0], y - cell.at[1]]));
  const inner = points(cell.outline.map(([x, y]) => [(x - cell.at[0]) * 0.93, (y - cell.at[1]) * 0.93]));
  const ground = drawing.ground?.[cell.decor ?? ""] ?? drawing.ground?.[cell.kind] ?? {};
  return s(
    "g",
    {
      class: ["cell", `kind-${cell.kind}`, cell.decor && `decor-${cell.decor}`],
      transform: at(cell.at),
      "data-spot-id": cell.id,
      "data-tint": tint,
      role: "button",
      tabindex: -1,
    },
    board.surface === "graph" && s("circle", { class: "touch", r: reach(cell, board).toFixed(1) }),
    dress(s("polygon", { class: "plate", points: outline }), ground, tint),
    PATTERNS[ground.pattern ?? ""]?.(cell),
    symbol(drawing, ground.symbol),
    ground.along && along(cell, board, symbol(drawing, ground.along)),
    ground.label !== null && label(cell, board, ground.label),
    s("polygon", { class: "ring", points: inner }),
  );
}

/** An area of cards, with its name at its upper edge. */
function drawZone(/** @type {Zone} */ zone, /** @type {Board} */ board) {
  const own = zone.outline.map(([x, y]) => /** @type {Point} */ ([x - zone.at[0], y - zone.at[1]]));
  const inner = own.map(([x, y]) => /** @type {Point} */ ([x * 0.97, y * 0.97]));
  return s(
    "g",
    {
      class: ["zone", "cell", `kind-${zone.kind}`],
      transform: at(zone.at),
      "data-spot-id": zone.id,
      role: "button",
      tabindex: -1,
    },
    dress(s("polygon", { class: "plate", points: points(own) }), board.drawing?.ground?.[zone.kind]),
    zoneTitle(zoneName(zone.id), own),
    s("polygon", { class: "ring", points: points(inner) }),
  );
}

/** Half the way to the nearest other site: a small site answers to a finger as far as it is nobody else's. */
function reach(/** @type {Cell} */ { id, at: [x, y] }, /** @type {Board} */ board) {
  return board.cells.reduce(
    (least, other) => (other.id === id ? least : Math.min(least, Math.hypot(other.at[0] - x, other.at[1] - y) / 2)),
    40,
  );
}

/** The streets between the sites of a graph. */
function streets(/** @type {Board} */ board) {
  const spots = new Map(board.cells.map((cell) => [cell.id, cell.at]));
  return s(
    "g",
    { class: "streets" },
    (board.links ?? []).map(([one, other]) => {
      const [a, b] = [present(centre(spots, one)), present(centre(spots, other))];
      return s("line", { class: "street", x1: a[0], y1: a[1], x2: b[0], y2: b[1] });
    }),
  );
}

function label(
  /** @type {Cell} */ cell,
  /** @type {Board} */ board,
  /** @type {Look & { inside?: boolean }} */ { fill, weight, inside } = {},
) {
  // Within a site, where it can be read from afar; below it as well, for while a piece covers it.
  if (inside && board.surface === "graph")
    return [named(cell, 0, "name-inside", fill, weight), named(cell, nameBelow(cell, board), "name-site name-below")];
  const lines = printed(cell, board),
    size = board.surface === "graph" ? "name-site" : lines.some((line) => line.length > 4) && "name-long";
  return named(cell, nameBelow(cell, board), size || "", fill, weight, lines);
}

function named(
  /** @type {Cell} */ cell,
  /** @type {number} */ y,
  /** @type {string} */ className,
  /** @type {any} */ fill = null,
  /** @type {number | undefined} */ weight = undefined,
  lines = [cell.id],
) {
  const text = s("text", { class: ["name", className], y, "aria-hidden": "true" }, inLines(lines, 0));
  if (fill) text.style.setProperty("--fill", colour(fill));
  if (weight) text.style.setProperty("--weight", String(weight));
  return text;
}

/** Shapes turned the way the cell's one-way link goes: what they say needs no colour. Nothing on a cell without such a link. */
function along(/** @type {Cell} */ cell, /** @type {Board} */ board, /** @type {SVGElement[]} */ shapes) {
  const link = (board.one_way ?? []).find(([from, to]) => from === cell.id || to === cell.id);
  if (!link) return null;
  const outwards = link[0] === cell.id,
    other = present(board.cells.find((one) => one.id === link[outwards ? 1 : 0]));
  const turn = outwards ? degrees(cell.at, other.at) : degrees(other.at, cell.at);
  return s("g", { "data-way": outwards ? "out" : "in", transform: `rotate(${turn.toFixed(1)})` }, shapes);
}

/** A street that leaves the board: from its gate outwards, with two chevrons. */
function alley(/** @type {Place} */ place, /** @type {Cell} */ gate) {
  const [x, y] = place.at,
    dx = x - gate.at[0],
    dy = y - gate.at[1],
    length = Math.hypot(dx, dy) || 1;
  const turn = (Math.atan2(dy, dx) * 180) / Math.PI;
  return [
    s("line", {
      class: "alley",
      x1: gate.at[0] + dx * 0.3,
      y1: gate.at[1] + dy * 0.3,
      x2: x + (dx / length) * 4,
      y2: y + (dy / length) * 4,
    }),
    s("path", { class: "alley-mark", transform: `${at(place.at)} rotate(${turn.toFixed(1)})`, d: "M-5-6 1 0-5 6M3-6 9 0 3 6" }),
  ];
}

/** A place with a value: what it shows, on a dial. */
function clock(/** @type {Place} */ place) {
  return [
    s("circle", { class: "clock", r: 15.5 }),
    [...Array(12).keys()].map((n) =>
      s("path", { class: "clock-tick", d: n % 3 ? "M0-13.4V-12" : "M0-13.4V-10.6", transform: `rotate(${n * 30})` }),
    ),
    s("text", { class: "clock-value" }, shownOn(place)),
  ];
}

function frameLines(/** @type {any} */ [left, top, right, bottom], /** @type {Record<string, string>} */ colours) {
  /** @type {(side: string, x1: number, y1: number, x2: number, y2: number) => Element} */
  const line = (side, x1, y1, x2, y2) => s("line", { class: `frame frame-${colours[side] ?? "grey"}`, x1, y1, x2, y2 });
  return [
    line("top", left, top, right, top),
    line("left", left, top, left, bottom),
    line("bottom", left, bottom, right, bottom),
    line("right", right, top, right, bottom),
  ];
}

/** Roofs of the town around the streets, wherever nothing else is printed. */
function town(/** @type {Board} */ board) {
  const [left, top, right, bottom] = board.frame,
    roofs = [];
  /** @type {[Point, number][]} */
  const taken = [
    ...board.cells.map((cell) => /** @type {[Point, number]} */ ([cell.at, 29])),
    ...board.places.map((place) => /** @type {[Point, number]} */ ([place.at, 31])),
  ];
  for (const place of board.places) {
    const gate = board.cells.find((cell) => cell.id === place.gate);
    if (gate) taken.push([[(place.at[0] + gate.at[0]) / 2, (place.at[1] + gate.at[1]) / 2], 29]);
  }
  for (let row = 0, y = top + 9; y < bottom - 5; row++, y += 14.5)
    for (let x = left + 11 + (row % 2) * 9; x < right - 8; x += 18.5) {
      const seed = `${row}:${x}`,
        px = x + vary(seed) * 3 - 1.5,
        py = y + vary(seed + "y") * 2 - 1;
      if (taken.some(([[cx, cy], far]) => Math.hypot(px - cx, py - cy) < far)) continue;
      roofs.push(
        roof(
          px,
          py,
          12 + vary(seed + "w") * 4,
          9 + vary(seed + "d") * 2,
          vary(seed + "a") < 0.3 ? 90 : 0,
          vary(seed + "c") < 0.4,
        ),
      );
    }
  return s("g", { class: "town" }, roofs);
}

/** The whole printed board as an SVG with empty layers for what lies on it. */
export function drawBoard(/** @type {Board} */ plain, /** @type {string} */ name) {
  const board = inUnits(plain);
  const [width, height] = board.size,
    [left, top, right, bottom] = board.frame;
  const cells = new Map(board.cells.map((cell) => [cell.id, cell]));
  const around = board.drawing?.around?.pattern;
  useColours(board.drawing ?? {});
  const svg = s(
    "svg",
    { class: "board", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": name },
    definitions(),
    s("rect", { class: "edge", width, height }),
    s("rect", { class: "ground", x: left, y: top, width: right - left, height: bottom - top }),
    around === "water" ? drawShore(board) : around === "roofs" ? town(board) : null,
    streets(board),
    drawWays(board),
    board.places.filter((place) => place.gate).map((place) => alley(place, present(cells.get(present(place.gate))))),
    frameLines(board.frame, board.frame_colours),
    s(
      "g",
      { class: "zones" },
      (board.zones ?? []).map((zone) => drawZone(zone, board)),
    ),
    s(
      "g",
      { class: "places" },
      board.places.map((place) =>
        s(
          "g",
          {
            class: ["place", "cell"],
            transform: at(place.at),
            "data-spot-id": place.id,
            "data-kind": place.kind,
            role: "button",
            tabindex: -1,
          },
          place.value !== null ? clock(place) : s("circle", { class: "touch", r: 17 }),
          s("circle", { class: "ring", r: 17 }),
        ),
      ),
    ),
    s(
      "g",
      { class: "cells" },
      board.cells.map((cell) => drawCell(cell, board)),
    ),
    s("g", { class: "marks marks-under" }),
    s("g", { class: "lights" }),
    s("g", { class: "pieces" }),
    s("g", { class: "marks marks-over" }),
  );
  return svg;
}

function definitions() {
  const stop = (/** @type {number} */ offset, /** @type {string} */ tone, /** @type {number} */ opacity) =>
    s("stop", { offset, "stop-color": tone, "stop-opacity": opacity });
  return s(
    "defs",
    {},
    s("radialGradient", { id: "glow" }, stop(0, "#ffd873", 0.75), stop(0.45, "#ffc94d", 0.3), stop(1, "#ffc94d", 0)),
    s(
      "radialGradient",
      { id: "beam", gradientUnits: "userSpaceOnUse", cx: 0, cy: 0, r: 62 },
      stop(0.2, "#fff3c4", 0.85),
      stop(1, "#fff3c4", 0),
    ),
    s(
      "pattern",
      { id: "turned", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { width: 5, height: 5, fill: "#f4efe3" }),
      s("rect", { width: 1.5, height: 5, fill: "#c9c1b0" }),
    ),
    s(
      "pattern",
      { id: "reach", width: 7, height: 7, patternUnits: "userSpaceOnUse" },
      s("rect", { width: 7, height: 7, fill: "#3fbf8f", "fill-opacity": 0.28 }),
      s("circle", { cx: 3.5, cy: 3.5, r: 1.2, fill: "#0b6b49" }),
    ),
    s(
      "pattern",
      { id: "waves", width: 26, height: 15, patternUnits: "userSpaceOnUse" },
      s("path", { class: "wave", d: "M1 5q3-3 6 0t6 0M14 12.5q3-3 6 0t6 0" }),
    ),
    s(
      "pattern",
      { id: "wrong", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { width: 7, height: 7, fill: "#e2362a", "fill-opacity": 0.25 }),
      s("rect", { width: 2.6, height: 7, fill: "#e2362a", "fill-opacity": 0.8 }),
    ),
    s(
      "marker",
      { id: "arrow", viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto-start-reverse" },
      s("path", { d: "M0 0 10 5 0 10z" }),
    ),
  );
}
