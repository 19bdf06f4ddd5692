// Where things lie: the centre of a spot, which may be a cell, a place, or two cells joined by "+".

/** @returns {[number, number] | null} the centre of a spot, of two cells the middle between them */
export function centre(/** @type {Map<string, any>} */ spots, /** @type {Spot | null | undefined} */ spot) {
  const ends = String(spot ?? "")
    .split("+")
    .map((name) => spots.get(name));
  if (!ends.length || ends.some((end) => !end)) return null;
  const points = ends.map((end) => (Array.isArray(end) ? end : end.at));
  const mean = (/** @type {0 | 1} */ axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  return [mean(0), mean(1)];
}

/** The cells of a spot. */
export const cellsOf = (/** @type {Spot | null | undefined} */ spot) => String(spot ?? "").split("+");

/** Degrees from one point to another, clockwise from the right, as SVG turns. */
export const degrees = (/** @type {Point} */ [x, y], /** @type {Point} */ [toX, toY]) =>
  (Math.atan2(toY - y, toX - x) * 180) / Math.PI;

export const points = (/** @type {Point[]} */ list) => list.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
