// What lies on the board, drawn by shape: disc, hexagon, strip. Pieces glide from their old place to the new one.

import { present, s } from "../dom.js";
import { cardAt, cellsOf, centre, degrees, inUnits } from "./geometry.js";
import { dress, symbol, written } from "./drawing.js";

const HEXAGON = [
  [1, 0],
  [0.5, 1],
  [-0.5, 1],
  [-1, 0],
  [-0.5, -1],
  [0.5, -1],
];

/** Shapes that stand on a cell, over all that lies flat. */
const STANDING = new Set(["disc", "pawn"]);
/** The radius of the smallest disc on which letters have their full size; on smaller pieces they shrink with them. */
const FULL = 15;
/** How far two of them on one cell are drawn apart, if they are no smaller than that. */
const CROWDED = 17;

export class Pieces {
  constructor(/** @type {Board} */ plain, /** @type {SVGSVGElement} */ svg) {
    const board = inUnits(plain);
    this.board = board;
    this.layer = present(svg.querySelector(".pieces"));
    this.lights = present(svg.querySelector(".lights"));
    this.drawn = new Map();
    this.spots = new Map([...board.cells, ...board.places, ...(board.zones ?? [])].map((spot) => [spot.id, spot]));
    this.zones = new Map((board.zones ?? []).map((zone) => [zone.id, zone]));
    this.groups = new Map(board.groups.map((group) => [group.key, group]));
    this.kinds = new Map(board.pieces.map((piece) => [piece.id, piece]));
  }

  /** Bring the drawing in line with the placements; `paths` are routes of pieces that just moved. */
  show(/** @type {any} */ placements, paths = new Map()) {
    for (const [piece, drawn] of this.drawn)
      if (!placements.has(piece)) {
        drawn.element.remove();
        drawn.light?.remove();
        this.drawn.delete(piece);
      }
    const order = this.board.groups.map((group) => group.key);
    const flat = (/** @type {string} */ key) => (STANDING.has(present(this.groups.get(key)).shape) ? 1 : 0);
    const sorted = [...placements.values()].sort(
      (a, b) =>
        flat(a.group) - flat(b.group) || order.indexOf(a.group) - order.indexOf(b.group) || (a.rank ?? 0) - (b.rank ?? 0),
    );
    const crowd = this.#crowds(sorted);
    for (const placement of sorted) this.#put(placement, crowd.get(placement.piece), paths.get(placement.piece));
  }

  /** Where a piece is drawn now. @returns {Point | undefined} */
  drawnAt(/** @type {string} */ piece) {
    return this.drawn.get(piece)?.here;
  }

  at(/** @type {Spot} */ place) {
    return centre(this.spots, place) ?? [0, 0];
  }

  /** Two discs, or pawns, on one cell stand a little apart, so that both can be seen. */
  #crowds(/** @type {any} */ placements) {
    /** @type {Map<string, string[]>} */
    const byPlace = new Map(),
      shift = new Map();
    for (const one of placements)
      if (STANDING.has(present(this.groups.get(one.group)).shape))
        byPlace.set(one.place, [...(byPlace.get(one.place) ?? []), one.piece]);
    for (const pieces of byPlace.values())
      pieces.forEach((piece, i) =>
        shift.set(piece, pieces.length > 1 ? (i - (pieces.length - 1) / 2) * CROWDED * this.#smaller(piece) : 0),
      );
    return shift;
  }

  #smaller(/** @type {string} */ piece) {
    return smaller(present(this.groups.get(present(this.kinds.get(piece)).group)).size[0] / 2);
  }

  #put(/** @type {Placement} */ placement, shift = 0, /** @type {Spot[] | undefined} */ path = undefined) {
    const key = JSON.stringify([
      placement.face,
      placement.facing,
      placement.doubt,
      placement.nameless,
      present(this.groups.get(placement.group)).shape === "strip" && placement.place,
    ]);
    let drawn = this.drawn.get(placement.piece);
    const zone = this.zones.get(placement.place),
      size = present(this.groups.get(placement.group)).size;
    const [x, y] = zone ? cardAt(zone, size, placement.rank ?? 0, placement.of ?? 1) : this.at(placement.place);
    const here = /** @type {Point} */ ([x + shift, y]);
    if (!drawn || drawn.key !== key) {
      const element = drawPiece(
        present(this.kinds.get(placement.piece)),
        present(this.groups.get(placement.group)),
        placement,
        this.board,
        this.spots,
      );
      if (drawn) drawn.element.replaceWith(element);
      drawn = { ...(drawn ?? {}), element, key };
      this.drawn.set(placement.piece, drawn);
    }
    const moved = drawn.here && (drawn.here[0] !== here[0] || drawn.here[1] !== here[1]);
    drawn.element.setAttribute("transform", `translate(${here[0]} ${here[1]})`);
    drawn.element.dataset.place = placement.place;
    this.layer.append(drawn.element);
    if (moved)
      glide(
        drawn.element,
        path && path.length > 1 ? [...path.slice(0, -1).map((cell) => this.at(cell)), here] : [drawn.here, here],
        here,
      );
    drawn.here = here;
    this.#shine(drawn, placement, here);
  }

  #shine(/** @type {any} */ drawn, /** @type {Placement} */ placement, /** @type {Point} */ here) {
    const piece = present(this.kinds.get(placement.piece)),
      lit = faceOf(this.board, piece, placement.face).glows && placement.doubt !== "missing";
    if (!lit) {
      drawn.light?.remove();
      drawn.light = null;
      return;
    }
    drawn.light ??= s("circle", { class: "glow", r: 62 });
    drawn.light.setAttribute("transform", `translate(${here[0]} ${here[1]})`);
    this.lights.append(drawn.light);
  }
}

/** The letters that a piece is known by. */
const letters = (/** @type {string} */ mark, /** @type {number} */ r) =>
  s("text", { class: "mark", "font-size": +((mark.length > 1 ? 14.5 : 18.5) * smaller(r)).toFixed(1), y: 0.6 }, mark);

/** How much smaller a piece of this radius is than a disc with letters of full size. */
const smaller = (/** @type {number} */ r) => Math.min(1, r / FULL);

/** Move along a path in the time a calm hand would take. */
function glide(/** @type {SVGGElement} */ element, /** @type {Point[]} */ path, /** @type {Point} */ end) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || !element.animate) return;
  const frames = path.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
  frames[frames.length - 1] = { transform: `translate(${end[0]}px, ${end[1]}px)` };
  element.animate(frames, { duration: Math.min(420 + 160 * path.length, 1400), easing: "cubic-bezier(.4,0,.2,1)" });
}

/** How the board says that one side of a piece is drawn: what it says of the side before what it says of the group. */
function faceOf(/** @type {Board} */ board, /** @type {Piece} */ piece, /** @type {string | null} */ side) {
  const { faces = {}, ...all } = board.drawing?.pieces?.[piece.group] ?? {},
    face = faces[String(side ?? piece.label)] ?? faces["*"] ?? {};
  return { ...all, ...face, body: { ...all.body, ...face.body } };
}

/** The pictogram that a board draws for a piece with this side up, alone, in a picture of its own; null where there is none. */
export function signOf(/** @type {Board} */ board, /** @type {Piece} */ piece, /** @type {string | null} */ side = null) {
  const name = faceOf(board, piece, side ?? piece.faces[0] ?? null).symbol,
    shapes = symbol(board.drawing ?? {}, name);
  return shapes.length ? s("svg", { class: "sign", viewBox: "-22 -22 44 44", "aria-hidden": "true" }, shapes) : null;
}

function drawPiece(
  /** @type {Piece} */ piece,
  /** @type {Group} */ group,
  /** @type {Placement} */ placement,
  /** @type {Board} */ board,
  /** @type {Map<string, any>} */ spots,
) {
  const look = faceOf(board, piece, placement.face),
    drawn = group.shape === "card" && Boolean(look.symbol), // which of several alike it is does not matter: its side is drawn
    turned =
      (group.shape === "disc" && piece.faces.length > 1 && placement.face === piece.faces[1]) ||
      (Boolean(placement.nameless) && !drawn),
    shapes = symbol(board.drawing ?? {}, look.symbol),
    text = look.text ? written(look.text, String(placement.face ?? piece.label), "mark") : null;
  const element = s(
    "g",
    {
      class: [
        "piece",
        `shape-${group.shape}`,
        group.layout === "value" && "counter",
        "paint",
        piece.colour && `paint-${piece.colour}`,
        placement.doubt === "missing" && "ghost",
      ],
      "data-piece": piece.id,
      "data-face": placement.face,
      "data-turned": turned ? "yes" : "no",
      "data-unknown": placement.doubt === "unknown" ? "yes" : "no",
      "aria-hidden": "true",
    },
    (SHAPES[group.shape] ?? SHAPES.disc)({ piece, group, placement, board, spots, whole: look.whole, inside: [text, shapes] }),
    placement.doubt && query(group),
  );
  return dress(element, look.body);
}

const query = (/** @type {Group} */ group) => {
  const [x, y] = [group.size[0] * 0.36, -group.size[1] * 0.36];
  return [s("circle", { class: "query", cx: x, cy: y, r: 7 }), s("text", { class: "query-mark", x, y: y + 0.5 }, "?")];
};

/**
 * A body with what is on it.
 * @typedef {{ piece: Piece, group: Group, placement: Placement, board: Board, spots: Map<string, any>, whole?: boolean,
 *   inside: Child[] }} Body
 * @type {Record<string, (body: Body) => Child>}
 */
const SHAPES = {
  disc: ({ piece, group, placement, board, inside }) => {
    const r = group.size[0] / 2;
    if (group.layout === "value")
      return [s("circle", { class: "body", r: 17.5 }), s("path", { class: "pin", d: "M-5-23H5L0-16z" })];
    const mark = piece.mark,
      towards = placement.facing && board.directions[placement.facing];
    const turn = towards ? (Math.atan2(towards[1], towards[0]) * 180) / Math.PI : 0;
    const bare = !inside.flat().some(Boolean);
    return [
      towards && s("path", { class: "beam", transform: `rotate(${turn.toFixed(1)})`, d: "M0 0 58-26A64 64 0 0 1 58 26z" }),
      s("circle", { class: "shade", cx: 0.8, cy: 1.6, r: r + 0.8 }),
      s("circle", { class: "body", r: r - 0.8 }),
      s("circle", { class: "halo", r: r - 3.6 }),
      bare ? letters(mark, r) : inside,
      towards &&
        s("path", {
          class: "wedge",
          transform: `rotate(${turn.toFixed(1)})`,
          d: `M${r + 6} 0 ${r - 3.5}-7.5A${r} ${r} 0 0 1 ${r - 3.5} 7.5z`,
        }),
    ];
  },
  card: ({ piece, group, placement, inside }) => {
    const [width, height] = group.size,
      bare = !inside.flat().some(Boolean) && !placement.nameless;
    const lines = piece.name.split(" "),
      size = Math.min(9, (1.7 * width) / Math.max(...lines.map((line) => line.length + 2)));
    return [
      s("rect", { class: "body", x: -width / 2, y: -height / 2, width, height, rx: 4 }),
      bare && s("text", { class: "mark corner", "font-size": 11, x: -width / 2 + 5, y: -height / 2 + 10 }, piece.mark),
      bare &&
        lines.map((line, i) =>
          s("text", { class: "mark", "font-size": size.toFixed(1), y: (i - (lines.length - 1) / 2) * size * 1.2 }, line),
        ),
      inside,
    ];
  },
  pawn: ({ piece: { mark }, group: { size }, inside }) => {
    const r = size[0] / 2;
    return [
      s("circle", { class: "shade", cx: 0.8, cy: 1.6, r: r + 0.8 }),
      s("circle", { class: "body", r: r - 0.8 }),
      s("circle", { class: "halo", r: r + 0.9 }),
      s("circle", { class: "body", r: r * 0.7, cy: -r * 0.25 }),
      inside.flat().some(Boolean)
        ? inside
        : s("g", { transform: `translate(0 ${(-r * 0.25).toFixed(1)})` }, letters(mark, r * 0.8)),
    ];
  },
  token: ({ piece: { mark }, group: { size }, inside }) => [
    s("circle", { class: "body", r: size[0] / 2 - 0.8 }),
    inside.flat().some(Boolean) ? inside : letters(mark, size[0] / 2),
  ],
  hexagon: ({ group: { size }, inside }) => [
    s("polygon", { class: "body", points: HEXAGON.map(([x, y]) => `${(x * size[0]) / 2},${(y * size[1]) / 2}`).join(" ") }),
    inside,
  ],
  strip: ({ group, placement, spots, whole, inside }) => {
    const [width, height] = group.size,
      [a, b] = cellsOf(placement.place).map((cell) => centre(spots, cell));
    const here = spots.get(placement.place),
      gate = here?.gate && spots.get(here.gate);
    // Along the cells that it covers; across the way out that it bars.
    const turn = a && b ? degrees(a, b) : gate ? degrees(gate.at, here.at) + 90 : 0;
    return s(
      "g",
      { transform: `rotate(${turn.toFixed(1)})` },
      !whole && s("rect", { class: "body", x: -width / 2 - 1, y: -height / 2, width: width + 2, height, rx: 2.5 }),
      inside,
    );
  },
};
