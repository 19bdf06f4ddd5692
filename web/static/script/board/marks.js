// What is drawn over a board for a while: the last play, a broken rule with its reach, the way back, what hands should touch.

import { given, present, s } from "../dom.js";
import { inLines } from "./drawing.js";
import { cellsOf, centre, inUnits, nameBelow, printed } from "./geometry.js";

/**
 * Spots by what is marked there; `hidden` are those of `wrong`, `covered` those of `lay` that a piece fills; `choose` may be
 * chosen, `chosen` is, `trail` is a seat's own way in order; `possible` and `out` are what a map says, `asked` spots that a
 * question is about, with their numbers; `back` pairs of from and to, `trails` a piece with its path.
 * @typedef {"wrong" | "hidden" | "home" | "reach" | "lay" | "covered" | "hints" | "choose" | "chosen" | "trail" | "possible"
 *   | "out"} Marking
 * @typedef {Partial<Record<Marking, Spot[]>> & {
 *   back?: [Spot, Spot][], asked?: { spot: Spot, number: number }[],
 *   trails?: { piece: string, path: Spot[], end?: Point }[] }} Marked
 */

export class Marks {
  constructor(/** @type {Board} */ plain, /** @type {SVGSVGElement} */ svg) {
    const board = inUnits(plain);
    this.under = present(svg.querySelector(".marks-under"));
    this.over = present(svg.querySelector(".marks-over"));
    /** A ring within a hex; around a small site, where its number stays to be read. */
    this.around = board.surface === "graph" ? 1.25 : 0.9;
    const zones = board.zones ?? [];
    this.outlines = new Map([...board.cells, ...zones].map((cell) => [cell.id, cell.outline]));
    this.spots = new Map([...board.cells, ...board.places, ...zones].map((spot) => [spot.id, spot.at]));
    const named = board.cells.filter((cell) => board.surface !== "graph" || (cell.name ?? cell.id) === cell.id);
    this.names = new Map(named.map((cell) => [cell.id, { below: nameBelow(cell, board), lines: printed(cell, board) }]));
    this.colours = new Map(board.pieces.map((piece) => [piece.id, piece.colour]));
  }

  show(/** @type {Marked} */ marked) {
    const { wrong = [], hidden = [], home = [], reach = [], lay = [], back = [], hints = [], trails = [] } = marked;
    const { covered = [], choose = [], chosen = [], trail: way = [], possible = [], out = [], asked = [] } = marked;
    this.under.replaceChildren(
      ...this.#shapes(
        reach.filter((cell) => !wrong.includes(cell)),
        "reach",
        0.94,
      ),
      ...this.#shapes(
        lay.filter((cell) => !wrong.includes(cell)),
        "lay",
        0.8,
      ),
      ...this.#shapes(wrong, "wrong", 0.95),
      ...this.#shapes(home, "home", 0.92),
      ...this.#names(
        reach.filter((cell) => !wrong.includes(cell) && !home.includes(cell)),
        "reach-name",
      ),
      ...this.#names(
        lay.filter((cell) => !wrong.includes(cell) && !home.includes(cell) && !reach.includes(cell)),
        "reach-name",
      ),
      ...this.#names(home, "home-name", 0),
      ...trails.flatMap((trail) => this.#trail(trail)),
    );
    this.over.replaceChildren(
      ...this.#shapes(possible, "possible", 1.22),
      ...out.flatMap((spot) => this.#struck(spot)),
      ...this.#shapes(hidden, "wrong-edge", 0.86),
      ...this.#shapes(hidden, "wrong-ring", 0.86),
      ...this.#shapes(
        covered.filter((cell) => !wrong.includes(cell)),
        "lay",
        0.97,
      ),
      ...this.#shapes(hints, "hint", 0.97),
      ...this.#own(way),
      ...this.#shapes(choose, "choose", 0.9),
      ...this.#shapes(chosen, "chosen", this.around),
      ...asked.flatMap((one) => this.#numbered(one)),
      ...back.flatMap(([from, to]) => this.#arrow(from, to)),
    );
  }

  /** A spot that is ruled out: dimmed, and struck through for whoever sees no colours. */
  #struck(/** @type {Spot} */ spot) {
    const at = this.spots.get(spot);
    if (!at) return [];
    const [x, y] = at,
      reach = Math.max(...(this.outlines.get(spot) ?? [[x + 14, y]]).map(([cx]) => cx - x)) * 0.72;
    return [
      ...this.#shapes([spot], "out", 1),
      s("path", { class: "out-stroke", d: `M${x - reach} ${y + reach}L${x + reach} ${y - reach}` }),
    ];
  }

  /** A spot that answers a question, with the number of its key beside it. */
  #numbered(/** @type {{ spot: Spot, number: number }} */ { spot, number }) {
    const at = this.spots.get(spot);
    if (!at) return [];
    const [x, y] = [at[0] + 15, at[1] - 15];
    return [
      ...this.#shapes([spot], "asked", 1.25),
      s("circle", { class: "asked-badge", cx: x, cy: y, r: 10.5 }),
      s("text", { class: "asked-number", x, y, "data-spot": spot, "aria-hidden": "true" }, number),
    ];
  }

  #shapes(/** @type {Spot[]} */ spots, /** @type {string} */ className, /** @type {number} */ scale) {
    return [...new Set(spots.flatMap(cellsOf))].flatMap((cell) => this.#shape(cell, className, scale) ?? []);
  }

  /** The names of marked cells once more, since the marks cover what is printed; where a piece has to go it is large. Cells
      whose id is printed nowhere have none. */
  #names(/** @type {Spot[]} */ spots, /** @type {string} */ className, /** @type {number | null} */ below = null) {
    return spots
      .flatMap(cellsOf)
      .filter((cell) => this.names.has(cell))
      .map((cell) => {
        const [x, y] = present(this.spots.get(cell)),
          name = present(this.names.get(cell)),
          long = name.lines.some((line) => line.length > 4) && "long";
        return s(
          "text",
          { class: [className, long], x, y: y + (below ?? name.below), "aria-hidden": "true" },
          inLines(name.lines, x),
        );
      });
  }

  #shape(/** @type {Spot} */ spot, /** @type {string} */ className, /** @type {number} */ scale) {
    const at = this.spots.get(spot),
      outline = this.outlines.get(spot);
    if (!at) return null;
    if (!outline) return s("circle", { class: className, "data-spot": spot, cx: at[0], cy: at[1], r: 20 });
    return s("polygon", {
      class: className,
      "data-spot": spot,
      points: outline.map(([x, y]) => `${at[0] + (x - at[0]) * scale},${at[1] + (y - at[1]) * scale}`).join(" "),
    });
  }

  #trail(/** @type {{ piece: string, path: Spot[], end?: Point }} */ { piece, path, end }) {
    const line = given(path.map((cell, i) => (end && i === path.length - 1 ? end : centre(this.spots, cell))));
    if (line.length < 2 || path.every((cell) => cell === path[0])) return [];
    const d = "M" + line.map((point) => point.join(" ")).join("L"),
      paint = ["paint", `paint-${this.colours.get(piece)}`];
    return [
      s("path", { class: "trail-edge", d }),
      s("path", { class: ["trail", ...paint], d }),
      s("circle", { class: ["origin", ...paint], cx: line[0][0], cy: line[0][1], r: 9 }),
    ];
  }

  /** A way that was or is secret: from place to place, with a ring around the last one; what is written in them can be read. */
  #own(/** @type {Spot[]} */ places) {
    const line = given(places.map((place) => centre(this.spots, place))),
      end = line.at(-1);
    if (!end) return [];
    return [
      line.length > 1 &&
        s("path", {
          class: "own-trail",
          d: line
            .slice(1)
            .map((to, i) => between(line[i], to))
            .join(""),
        }),
      s("circle", { class: "own-trail-end", "data-spot": places.at(-1), cx: end[0], cy: end[1], r: 17 }),
    ].filter((one) => one instanceof Element);
  }

  #arrow(/** @type {Spot} */ from, /** @type {Spot} */ to) {
    const a = centre(this.spots, from),
      b = centre(this.spots, to);
    if (!a || !b) return [];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1,
      trim = Math.min(17, length / 3);
    const end = (/** @type {Point} */ p, /** @type {Point} */ q, /** @type {number} */ by) => [
      p[0] + ((q[0] - p[0]) / length) * by,
      p[1] + ((q[1] - p[1]) / length) * by,
    ];
    const [p, q] = [end(a, b, trim), end(b, a, 9)];
    const d = `M${p[0].toFixed(1)} ${p[1].toFixed(1)}L${q[0].toFixed(1)} ${q[1].toFixed(1)}`;
    return [s("path", { class: "back-edge", d }), s("path", { class: "back", d, "data-back": `${from}-${to}` })];
  }
}

/** How much of a line is left out at each end, for what is written there. */
const FREE = 14;

/** A line between two points that begins and ends beside them; where they lie close, a third of it is left. */
function between(/** @type {Point} */ [x, y], /** @type {Point} */ [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y),
    free = length ? Math.min(FREE, length / 3) / length : 0,
    at = (/** @type {number} */ part) => `${(x + (toX - x) * part).toFixed(1)} ${(y + (toY - y) * part).toFixed(1)}`;
  return `M${at(free)}L${at(1 - free)}`;
}
