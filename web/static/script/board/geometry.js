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

/**
 * The middle of a card in its zone: side by side or staggered in a row, nearly upon each other in a stack, in rows where a zone
 * has no order.
 * @returns {Point}
 */
export function cardAt(
  /** @type {Zone} */ zone,
  /** @type {Point} */ [width, height],
  /** @type {number} */ rank,
  /** @type {number} */ count,
) {
  const length = Math.hypot(...zone.along) || 1,
    [dx, dy] = zone.order ? [zone.along[0] / length, zone.along[1] / length] : [1, 0];
  const reach = zone.outline.map(([x, y]) => (x - zone.at[0]) * dx + (y - zone.at[1]) * dy),
    room = Math.max(...reach) - Math.min(...reach),
    span = Math.abs(width * dx) + Math.abs(height * dy);
  const gap = zone.order === "stack" ? Math.min(5, span / 8) : span + 4,
    step = count > 1 ? Math.min(gap, Math.max(0, room - span - 6) / (count - 1)) : 0;
  const first = zone.order === "row" ? Math.min(...reach) + span / 2 + 3 : (-step * (count - 1)) / 2,
    far = first + step * rank;
  return [zone.at[0] + dx * far, zone.at[1] + dy * far];
}

/** Degrees from one point to another, clockwise from the right, as SVG turns. */
export const degrees = (/** @type {Point} */ [x, y], /** @type {Point} */ [toX, toY]) =>
  (Math.atan2(toY - y, toX - x) * 180) / Math.PI;

export const points = (/** @type {Point[]} */ list) => list.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
