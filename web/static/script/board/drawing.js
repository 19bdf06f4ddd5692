// How a board's own data says that its ground and its pieces are drawn: colours by night and by day, symbols as lists of
// shapes, and the look of bodies. Nothing here knows what a kind is called.

import { s } from "../dom.js";

const LITERAL = /^(#|none$)/;
const sheet = new CSSStyleSheet();

/** A colour of the board's own, or else of the page's; or as it is written. */
export const colour = (/** @type {string} */ name) => (LITERAL.test(name) ? name : `var(--drawn-${name}, var(--${name}))`);

/** Make a board's colours known to this page, in place of another board's. The companion has checked what is in them. */
export function useColours(/** @type {Drawing} */ { colours = {} }) {
  const list = (/** @type {0 | 1} */ side) =>
    Object.entries(colours)
      .map(([name, pair]) => `--drawn-${name}:${pair[side]}`)
      .join(";");
  sheet.replaceSync(`:root{${list(0)}}:root[data-theme="day"]{${list(1)}}`);
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** The shapes of a symbol, around the point 0, 0. None for a symbol that is not there. */
export const symbol = (/** @type {Drawing} */ { symbols = {} }, /** @type {string | null | undefined} */ name) =>
  (name ? (symbols[name] ?? []) : []).map(shape);

/** Text in the look that a style asks for. */
export function written(/** @type {Look} */ { x, y, size, fill }, /** @type {string} */ text, /** @type {string} */ className) {
  const element = s("text", { class: className, x, y, "font-size": size }, text);
  if (fill) element.style.setProperty("--mark", colour(fill));
  return element;
}

/** Give an element the look of a body, for the style sheet to use: marks of doubt still count more. */
export function dress(/** @type {SVGElement} */ element, /** @type {Look | undefined} */ look, /** @type {number} */ tint = 0) {
  const { fill, edge, width, dash, join } = look ?? {};
  const chosen = Array.isArray(fill) ? fill[tint % fill.length] : fill;
  const set = {
    "--fill": chosen && colour(chosen),
    "--edge": edge && colour(edge),
    "--edge-width": width,
    "--edge-dash": dash,
  };
  for (const [name, value] of Object.entries({ ...set, "--edge-join": join }))
    if (value !== undefined) element.style.setProperty(name, String(value));
  return element;
}

function shape(/** @type {Shape} */ { path, circle, rect, ellipse, body, at, fill, stroke, width, cap, join, opacity }) {
  const look = {
    class: body ? "body" : null,
    fill: fill && colour(fill),
    stroke: stroke && colour(stroke),
    "stroke-width": width,
    "stroke-linecap": cap,
    "stroke-linejoin": join,
    opacity,
    transform: at,
  };
  if (circle) return s("circle", { ...look, cx: circle[0], cy: circle[1], r: circle[2] });
  if (ellipse) return s("ellipse", { ...look, cx: ellipse[0], cy: ellipse[1], rx: ellipse[2], ry: ellipse[3] });
  if (rect) return s("rect", { ...look, x: rect[0], y: rect[1], width: rect[2], height: rect[3], rx: rect[4] });
  return s("path", { ...look, d: path });
}

/** How wide a letter of a zone's name is, on the average (board.css: 8px). */
const ZONE_LETTER = 4.5;

/** A zone's name at its upper edge. One that is too long for its zone is drawn narrower, not over the names beside it. */
export function zoneTitle(/** @type {string} */ name, /** @type {Point[]} */ outline) {
  const room = 2 * Math.max(...outline.map(([x]) => x)) - 4;
  const fit = name.length * ZONE_LETTER > room ? { textLength: room, lengthAdjust: "spacingAndGlyphs" } : {};
  const y = Math.min(...outline.map(([, top]) => top)) + 9;
  return s("text", { class: "zone-name", y, "aria-hidden": "true", ...fit }, name);
}

/** The lines of a text, the last of them where the text stands. */
export const inLines = (/** @type {string[]} */ lines, /** @type {number} */ x) =>
  lines.length < 2
    ? lines
    : lines.map((line, i) => s("tspan", { x, dy: i ? "1.05em" : `${-1.05 * (lines.length - 1)}em` }, line));
