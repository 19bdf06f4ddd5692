// Where things lie: the centre of a spot, which may be a cell, a place, or two cells joined by "+".

/** How far neighbouring sites lie apart in a drawing: strokes, letters and marks are made for that (hexes 40 mm apart). */
const APART = 40;
/** The width, in units, of the largest disc as it is drawn on hexes. */
const FULL = 30;

/** @type {WeakMap<Board, Board>} */
const scaled = new WeakMap();

/** A board in units of its drawing. Hexes and zones are drawn in millimetres; the sites of a graph may lie 8 mm apart or 80,
    and are drawn as far apart as hexes are. Asked again for what it gave, it gives the same. */
export function inUnits(/** @type {Board} */ board) {
  const known = scaled.get(board);
  if (known) return known;
  const drawn = board.surface === "graph" && board.spacing ? enlarged(board, APART / board.spacing) : board;
  scaled.set(board, drawn).set(drawn, drawn);
  return drawn;
}

/** @returns {Board} */
function enlarged(/** @type {Board} */ board, /** @type {number} */ by) {
  const point = (/** @type {Point} */ [x, y]) => /** @type {Point} */ ([x * by, y * by]);
  const look = (/** @type {any} */ one) => ({ ...one, ...(one.text && { text: letters(one.text) }) });
  const letters = (/** @type {Look} */ { x = 0, y = 0, size = 0, ...rest }) => ({
    ...rest,
    x: x * by,
    y: y * by,
    size: size * by,
  });
  const least = Math.min(FULL, by * Math.max(...board.cells.map(({ outline }) => across(outline))));
  const { symbols = {}, pieces = {}, ...rest } = board.drawing ?? {};
  return {
    ...board,
    size: point(board.size),
    frame: [board.frame[0] * by, board.frame[1] * by, board.frame[2] * by, board.frame[3] * by],
    cells: board.cells.map((cell) => ({ ...cell, at: point(cell.at), outline: cell.outline.map(point) })),
    places: board.places.map((place) => ({ ...place, at: point(place.at) })),
    zones: (board.zones ?? []).map((zone) => ({ ...zone, at: point(zone.at), outline: zone.outline.map(point) })),
    groups: board.groups.map((group) => ({ ...group, size: standing(group, point(group.size), least) })),
    drawing: {
      ...rest,
      symbols: entries(symbols, (shapes) =>
        shapes.map((/** @type {Shape} */ shape) => ({ ...shape, at: `scale(${by}) ${shape.at ?? ""}` })),
      ),
      pieces: entries(pieces, (one) => ({ ...look(one), ...(one.faces && { faces: entries(one.faces, look) }) })),
    },
  };
}

const across = (/** @type {Point[]} */ outline) => Math.max(...outline.map(([x]) => x)) - Math.min(...outline.map(([x]) => x));

/** The size of a piece as it is drawn. From above a pawn is narrow and looks small, though it is what people look for: it is
    drawn no smaller than the widest site, `least`. */
const standing = (/** @type {Group} */ { shape }, /** @type {Point} */ [x, y], /** @type {number} */ least) =>
  /** @type {Point} */ (shape === "pawn" ? [Math.max(x, least), Math.max(y, least)] : [x, y]);

/** @returns {Record<string, any>} */
const entries = (/** @type {Record<string, any>} */ all, /** @type {(one: any) => any} */ change) =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, change(one)]));

/** How far below its middle the name of a cell stands: at the lower edge of a hex, close under a site of a graph. */
export function nameBelow(/** @type {Cell} */ { at, outline }, /** @type {Board} */ board) {
  return board.surface === "graph" ? Math.max(...outline.map(([, y]) => y - at[1])) + 7.6 : 18.6;
}

/** What is written in a cell, in one line or two: its name on a grid of cells, where it may be a word, else its id.
    @returns {string[]} */
export function printed(/** @type {Cell} */ cell, /** @type {Board} */ board) {
  const text = board.surface === "graph" ? cell.id : (cell.name ?? cell.id),
    gaps = [...text.matchAll(/ /g)].map((gap) => gap.index ?? 0);
  if (!gaps.length || text.length < 8) return [text];
  const off = (/** @type {number} */ gap) => Math.abs(gap - text.length / 2);
  const gap = gaps.reduce((best, one) => (off(one) < off(best) ? one : best));
  return [text.slice(0, gap), text.slice(gap + 1)];
}

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

/** What a place with a value shows, as the printed board does: its name, else the value. */
export const shownOn = (/** @type {Place} */ { id, name, value }) => (name && name !== id ? name : String(value));
