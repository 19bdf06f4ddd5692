// What lies on the board, drawn by shape: disc, hexagon, strip. Pieces glide from their old place to the new one.

import { s } from "../dom.js";
import { cellsOf, centre, degrees } from "./geometry.js";
import { barricade, SIDES, steamboat, TOKENS } from "./sides.js";

const HEXAGON = [[1, 0], [0.5, 1], [-0.5, 1], [-1, 0], [-0.5, -1], [0.5, -1]];

export class Pieces {
  constructor(board, svg) {
    this.board = board;
    this.layer = svg.querySelector(".pieces");
    this.lights = svg.querySelector(".lights");
    this.drawn = new Map();
    this.spots = new Map([...board.cells, ...board.places].map((spot) => [spot.id, spot]));
    this.groups = new Map(board.groups.map((group) => [group.key, group]));
    this.kinds = new Map(board.pieces.map((piece) => [piece.id, piece]));
  }

  /** Bring the drawing in line with the placements; `paths` are routes of pieces that just moved. */
  show(placements, paths = new Map()) {
    for (const [piece, drawn] of this.drawn)
      if (!placements.has(piece)) {
        drawn.element.remove();
        drawn.light?.remove();
        this.drawn.delete(piece);
      }
    const order = this.board.groups.map((group) => group.key);
    const flat = (key) => (this.groups.get(key).shape === "disc" ? 1 : 0);
    const sorted = [...placements.values()].sort((a, b) => flat(a.group) - flat(b.group) || order.indexOf(a.group) - order.indexOf(b.group));
    const crowd = this.#crowds(sorted);
    for (const placement of sorted) this.#put(placement, crowd.get(placement.piece), paths.get(placement.piece));
  }

  at(place, piece) {
    return centre(this.spots, place) ?? [0, 0];
  }

  /** Two discs on one cell stand a little apart, so that both can be seen. */
  #crowds(placements) {
    const byPlace = new Map(), shift = new Map();
    for (const one of placements)
      if (this.groups.get(one.group).shape === "disc") byPlace.set(one.place, [...(byPlace.get(one.place) ?? []), one.piece]);
    for (const pieces of byPlace.values())
      pieces.forEach((piece, i) => shift.set(piece, pieces.length > 1 ? (i - (pieces.length - 1) / 2) * 17 : 0));
    return shift;
  }

  #put(placement, shift = 0, path) {
    const key = JSON.stringify([placement.face, placement.facing, placement.doubt, this.groups.get(placement.group).shape === "strip" && placement.place]);
    let drawn = this.drawn.get(placement.piece);
    const [x, y] = this.at(placement.place);
    const here = [x + shift, y];
    if (!drawn || drawn.key !== key) {
      const element = drawPiece(this.kinds.get(placement.piece), this.groups.get(placement.group), placement, this.board, this.spots);
      if (drawn) drawn.element.replaceWith(element);
      drawn = { ...(drawn ?? {}), element, key };
      this.drawn.set(placement.piece, drawn);
    }
    const moved = drawn.here && (drawn.here[0] !== here[0] || drawn.here[1] !== here[1]);
    drawn.element.setAttribute("transform", `translate(${here[0]} ${here[1]})`);
    drawn.element.dataset.place = placement.place;
    this.layer.append(drawn.element);
    if (moved) glide(drawn.element, path?.length > 1 ? path.map((cell) => this.at(cell)) : [drawn.here, here], here);
    drawn.here = here;
    this.#shine(drawn, placement, here);
  }

  #shine(drawn, placement, here) {
    const lit = (this.groups.get(placement.group).on[0] === "gaslight" || placement.face === "lamp") && placement.doubt !== "missing";
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

/** Move along a path in the time a calm hand would take. */
function glide(element, path, end) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || !element.animate) return;
  const frames = path.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
  frames[frames.length - 1] = { transform: `translate(${end[0]}px, ${end[1]}px)` };
  element.animate(frames, { duration: Math.min(420 + 160 * path.length, 1400), easing: "cubic-bezier(.4,0,.2,1)" });
}

function drawPiece(piece, group, placement, board, spots) {
  const turned = group.shape === "disc" && piece.faces.length > 1 && placement.face === piece.faces[1];
  const [width, height] = group.size;
  return s("g", {
    class: ["piece", `shape-${group.shape}`, `on-${group.on[0]}`, group.cells > 1 && "long", placement.face && `face-${placement.face}`, "paint", piece.colour && `paint-${piece.colour}`, placement.doubt === "missing" && "ghost"],
    "data-piece": piece.id, "data-turned": turned ? "yes" : "no", "data-unknown": placement.doubt === "unknown" ? "yes" : "no", "aria-hidden": "true",
  }, (SHAPES[group.shape] ?? SHAPES.disc)({ piece, group, placement, width, height, board, spots }),
  placement.doubt && query(group));
}

const query = (group) => {
  const [x, y] = [group.size[0] * 0.36, -group.size[1] * 0.36];
  return [s("circle", { class: "query", cx: x, cy: y, r: 7 }), s("text", { class: "query-mark", x, y: y + 0.5 }, "?")];
};

const SHAPES = {
  disc: ({ piece, group, placement, width, board }) => {
    const r = width / 2;
    if (group.layout === "value") return [s("circle", { class: "body", r: 17.5 }), s("path", { class: "pin", d: "M-5-23H5L0-16z" })];
    const mark = piece.mark, towards = placement.facing && board.directions[placement.facing];
    const turn = towards ? (Math.atan2(towards[1], towards[0]) * 180) / Math.PI : 0;
    return [
      towards && s("path", { class: "beam", transform: `rotate(${turn.toFixed(1)})`, d: "M0 0 58-26A64 64 0 0 1 58 26z" }),
      s("circle", { class: "shade", cx: 0.8, cy: 1.6, r: r + 0.8 }),
      s("circle", { class: "body", r: r - 0.8 }),
      s("circle", { class: "halo", r: r - 3.6 }),
      TOKENS[placement.face]?.() ?? s("text", { class: "mark", "font-size": mark.length > 1 ? 14.5 : 18.5, y: 0.6 }, mark),
      towards && s("path", { class: "wedge", transform: `rotate(${turn.toFixed(1)})`, d: `M${r + 6} 0 ${r - 3.5}-7.5A${r} ${r} 0 0 1 ${r - 3.5} 7.5z` }),
    ];
  },
  hexagon: ({ piece, group, placement, width, height }) => [
    s("polygon", { class: "body", points: HEXAGON.map(([x, y]) => `${(x * width) / 2},${(y * height) / 2}`).join(" ") }),
    SIDES[placement.face]?.() ?? (group.on[0] === "manhole" ? planks() : tileFace(placement.face ?? piece.label)),
  ],
  strip: ({ group, placement, width, height, spots }) => {
    if (group.on[0] === "port") return steamboat();
    if (group.cells > 1) {
      const [a, b] = cellsOf(placement.place).map((cell) => centre(spots, cell));
      return s("g", { transform: `rotate(${(a && b ? degrees(a, b) : 0).toFixed(1)})` }, barricade(b ? width : width / 2, height));
    }
    const gate = spots.get(spots.get(placement.place)?.gate), here = spots.get(placement.place);
    const turn = gate ? (Math.atan2(here.at[1] - gate.at[1], here.at[0] - gate.at[0]) * 180) / Math.PI + 90 : 0;
    return s("g", { transform: `rotate(${turn.toFixed(1)})` },
      s("rect", { class: "body", x: -width / 2 - 1, y: -height / 2, width: width + 2, height, rx: 2.5 }),
      [-11, 0, 11].map((x) => s("path", { class: "helmet", transform: `translate(${x} 0)`, d: "M-4.6 3.6H4.6V2.3H3.5A3.5 5.6 0 0 0-3.5 2.3H-4.6zM-.7-4.5H.7V-3H-.7z" })));
  },
};

const flame = (className, transform) => s("path", { class: className, transform, d: "M0-9C4-4 6-1 6 3A6 6 0 0 1-6 3C-6 0-3-2-3-5C-1.5-4 0-6 0-9z" });

const tileFace = (label) =>
  label === null || label === undefined || label === "blank"
    ? flame("flame", "scale(1.1)")
    : [s("text", { class: "mark", x: 3.5, y: 0.8 }, label), flame("flame-small", "translate(-8.5 0.5) scale(.62)")];

const planks = () => [
  s("path", { class: "plank", d: "M-15-6H15M-18 0H18M-15 6H15" }),
  s("path", { class: "brace-edge", d: "M-10-12 10 12M10-12-10 12" }),
  s("path", { class: "brace", d: "M-10-12 10 12M10-12-10 12" }),
];
