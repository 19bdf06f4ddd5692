// How large a board is drawn that is larger than its frame: by buttons, by keys, with the wheel, and by itself so that some
// spots are in sight.

import { h } from "../dom.js";
import { t } from "../words.js";

/** Pixels for a unit of the drawing, at most, and what a step multiplies it by. */
const MOST = 2.4,
  STEP = 1.35;
/** Pixels for a unit as it begins: what is written on the board grows with the letters of the page. */
const usual = () => (0.8 * parseFloat(getComputedStyle(document.documentElement).fontSize)) / 16;
/** Units around spots that are brought into sight, and pixels for a unit while they are. */
const MARGIN = 70,
  CLOSE = 1.5;

export class Zoom {
  /** `host` is the frame that scrolls, `size` the drawing's in units. */
  constructor(/** @type {HTMLElement} */ host, /** @type {SVGSVGElement} */ svg, /** @type {Point} */ size) {
    this.host = host;
    this.svg = svg;
    this.size = size;
    this.scale = usual();
    /** The scale at which a framing showed more of the board than usual, for as long as that was needed. */
    this.lent = 0;
    this.whole = false;
    this.#draw();
    addEventListener("resize", () => this.#draw());
  }

  /** The scale at which all of the board is in the frame. */
  get least() {
    return Math.max(0.05, this.host.clientWidth / this.size[0] || usual());
  }

  /** Pixels for a unit now; never less than fills the frame. */
  get now() {
    return this.whole ? this.least : Math.max(this.scale, this.least);
  }

  /** Draw it so large, keeping the middle of what is in sight, or bringing a point (units) there. */
  set(/** @type {number} */ scale, /** @type {Point | null} */ middle = null) {
    const before = this.now,
      { host } = this;
    const at = middle ?? [(host.scrollLeft + host.clientWidth / 2) / before, (host.scrollTop + host.clientHeight / 2) / before];
    this.whole = scale <= this.least * 1.001;
    this.scale = Math.min(MOST, Math.max(scale, this.least));
    this.#draw();
    host.scrollTo(at[0] * this.now - host.clientWidth / 2, at[1] * this.now - host.clientHeight / 2);
  }

  in = () => this.set(this.now * STEP);
  out = () => this.set(this.now / STEP);
  all = () => this.set(this.least);

  /** Bring spots into sight, all of them if they fit: as large as a finger likes, no larger than needed. */
  frame(/** @type {Point[]} */ points) {
    if (!points.length) return;
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const { clientWidth, clientHeight } = this.host;
    const fits = Math.min(clientWidth / (right - left + 2 * MARGIN), clientHeight / (bottom - top + 2 * MARGIN));
    const middle = /** @type {Point} */ ([(left + right) / 2, (top + bottom) / 2]);
    const scale = this.now;
    const seen = points.every(
      ([x, y]) =>
        Math.abs(x * scale - this.host.scrollLeft - clientWidth / 2) < clientWidth / 2 - 12 &&
        Math.abs(y * scale - this.host.scrollTop - clientHeight / 2) < clientHeight / 2 - 12,
    );
    if (seen && scale >= usual() / 2 && scale !== this.lent) return;
    this.set(Math.min(Math.max(CLOSE, usual()), fits, Math.max(scale, usual())), middle);
    this.lent = this.now < usual() ? this.now : 0;
  }

  #draw() {
    this.svg.style.width = this.whole ? "100%" : `${Math.round(this.size[0] * this.now)}px`;
    this.svg.style.minWidth = "100%";
  }
}

/** The buttons of a board that is larger than its frame; the keys + - 0 while it has the focus and the wheel with Ctrl do the
    same. */
export function zoomButtons(/** @type {Zoom} */ zoom) {
  const button = (
    /** @type {string} */ key,
    /** @type {string} */ sign,
    /** @type {string} */ name,
    /** @type {() => void} */ press,
  ) =>
    h(
      "button",
      { type: "button", class: "step-button", "data-key": key, "aria-label": name, title: name, onclick: press },
      h("span", { "aria-hidden": "true" }, sign),
    );
  /** @type {Record<string, () => void>} */
  const keys = { "+": zoom.in, "=": zoom.in, "-": zoom.out, 0: zoom.all };
  zoom.svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  zoom.host.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      (event.deltaY < 0 ? zoom.in : zoom.out)();
    },
    { passive: false },
  );
  return h(
    "div",
    { class: "board-zoom", role: "group", "aria-label": t("Size of the board") },
    button("zoom-out", "−", t("Smaller"), zoom.out),
    button("zoom-in", "+", t("Larger"), zoom.in),
    button("zoom-all", "⤢", t("The whole board"), zoom.all),
  );
}
