// Reaching every cell without a mouse: one cell takes the focus, arrow keys carry it over the board.

import { ARROWS, present } from "../dom.js";

export function walk(/** @type {Board} */ board, /** @type {SVGSVGElement} */ svg, /** @type {(spot: Spot) => void} */ choose) {
  const elements = new Map(
    [...svg.querySelectorAll("[data-spot-id]")].map((element) => [element.dataset.spotId ?? "", element]),
  );
  const centre = /** @type {Point} */ ([board.size[0] / 2, board.size[1] / 2]),
    zones = board.zones ?? [];
  const middle = [...(board.cells.length ? board.cells : [...board.places, ...zones])].reduce((best, cell) =>
    distance(cell.at, centre) < distance(best.at, centre) ? cell : best,
  );
  let here = middle.id;
  present(elements.get(here)).setAttribute("tabindex", "0");

  const go = (/** @type {string} */ cell) => {
    present(elements.get(here)).setAttribute("tabindex", "-1");
    here = cell;
    present(elements.get(here)).setAttribute("tabindex", "0");
  };

  // A screen reader may put the focus on any cell by itself: the keys go on from there.
  svg.addEventListener("focusin", (event) => {
    const cell = /** @type {Element} */ (event.target).closest("[data-spot-id]")?.dataset.spotId;
    if (cell && cell !== here) go(cell);
  });
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (!event.repeat) choose(here); // held down it is chosen once
      return;
    }
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    const next = neighbour(board, here, step);
    if (next) {
      go(next);
      present(elements.get(next)).focus();
    }
  });
  svg.addEventListener("click", (event) => {
    const cell = /** @type {Element} */ (event.target).closest("[data-spot-id]")?.dataset.spotId;
    if (!cell) return;
    go(cell);
    choose(cell);
  });

  /** Put the focus on a spot: from there the arrow keys go on. */
  return (/** @type {Spot} */ spot) => {
    go(spot);
    /** @type {SVGElement} */ (present(elements.get(spot))).focus({ preventScroll: true });
  };
}

const distance = (/** @type {Point} */ a, /** @type {Point} */ b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** The nearest cell in a direction, a straight one before a slanting one, so that every cell can be reached. */
function neighbour(/** @type {Board} */ board, /** @type {Spot} */ from, /** @type {Point} */ [dx, dy]) {
  const spots = [...board.cells, ...board.places, ...(board.zones ?? [])];
  const start = present(spots.find((cell) => cell.id === from)).at;
  let best = null,
    cost = Infinity;
  for (const cell of spots) {
    const along = (cell.at[0] - start[0]) * dx + (cell.at[1] - start[1]) * dy;
    const across = Math.abs((cell.at[0] - start[0]) * dy) + Math.abs((cell.at[1] - start[1]) * dx);
    if (along < 4 || across > along * 2) continue;
    if (along + 1.5 * across < cost) [best, cost] = [cell.id, along + 1.5 * across];
  }
  return best;
}
