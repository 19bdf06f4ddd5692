// Four handles on the picture, one for each corner of the printed frame line: dragged with a finger or a mouse, nudged with
// the arrow keys, and a magnifier above whichever is held. The lobby snaps them to the line.

import { ARROWS, h, present, s } from "../dom.js";
import { t } from "../words.js";
import { lobby, wish } from "./state.js";

const NAMES = [
  () => t("Top left corner"),
  () => t("Top right corner"),
  () => t("Bottom right corner"),
  () => t("Bottom left corner"),
];
const GUESS = [
  [0.2, 0.15],
  [0.8, 0.15],
  [0.85, 0.85],
  [0.15, 0.85],
];
const STEP = { near: 1, far: 10, fine: 0.25 }; // pixels of the picture: an arrow key, with Shift, with Alt
const LENS = 132,
  POWER = 4,
  REST = 700;

export class Corners {
  constructor(/** @type {HTMLElement} */ frame, /** @type {HTMLImageElement} */ image) {
    this.frame = frame;
    this.image = image;
    this.at = GUESS.map((one) => [...one]);
    /** @type {Set<number>} */
    this.touched = new Set();
    this.held = /** @type {number | null} */ (null);
    this.timer = /** @type {ReturnType<typeof setTimeout> | 0} */ (0);
    this.said = "";
    this.grip = [0, 0];
    this.lines = s(
      "svg",
      { class: "corner-lines", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("polygon", { points: "" }),
    );
    this.handles = NAMES.map((name, index) => this.handle(name(), index));
    this.glass = h("canvas", { class: "magnifier", width: LENS * 2, height: LENS * 2, hidden: true, "aria-hidden": "true" });
    this.layer = h(
      "div",
      { class: "corners", role: "group", "aria-label": t("Corners of the board"), hidden: true },
      this.lines,
      this.handles,
      this.glass,
    );
    frame.append(this.layer);
    new ResizeObserver(() => this.place()).observe(frame);
  }

  /** The handles for a state, or none. What the lobby found moves them, unless somebody holds one. */
  show(/** @type {LobbyState | null} */ state) {
    if (state && this.layer.hidden) {
      this.layer.hidden = false;
      this.place();
    }
    this.layer.hidden = !state;
    const found = state?.board.corners;
    if (!found || this.held !== null || this.timer || lobby.busy) return;
    const key = JSON.stringify(found);
    if (key === this.said) return;
    this.said = key;
    this.at = found.map((one) => [...one]);
    this.touched = new Set([0, 1, 2, 3]);
    this.place();
  }

  /** Half a turn: the board was photographed from its far side. */
  turn() {
    this.at = [...this.at.slice(2), ...this.at.slice(0, 2)];
    this.touched = new Set([0, 1, 2, 3]);
    this.place();
    this.send();
  }

  handle(/** @type {string} */ name, /** @type {number} */ index) {
    const handle = h(
      "button",
      { type: "button", class: "corner", "data-key": `corner-${index}`, "aria-label": name, "aria-describedby": "corner-help" },
      h("span", {}, index + 1),
    );
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      this.held = index;
      const box = handle.getBoundingClientRect();
      this.grip = [event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2];
    });
    handle.addEventListener("pointermove", (event) => {
      if (this.held !== index) return;
      const box = this.frame.getBoundingClientRect();
      this.move(
        index,
        (event.clientX - this.grip[0] - box.left) / box.width,
        (event.clientY - this.grip[1] - box.top) / box.height,
      );
    });
    for (const kind of ["pointerup", "pointercancel"]) handle.addEventListener(kind, () => this.drop());
    handle.addEventListener("keydown", (event) => this.key(event, index));
    handle.addEventListener("blur", () => this.held === null && (this.glass.hidden = true));
    return handle;
  }

  key(/** @type {any} */ event, /** @type {number} */ index) {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    const step = event.shiftKey ? STEP.far : event.altKey ? STEP.fine : STEP.near;
    const [x, y] = this.at[index];
    this.move(
      index,
      x + (way[0] * step) / (this.image.naturalWidth || 1280),
      y + (way[1] * step) / (this.image.naturalHeight || 720),
    );
    this.later();
  }

  move(/** @type {number} */ index, /** @type {number} */ x, /** @type {number} */ y) {
    this.at[index] = [Math.min(1.2, Math.max(-0.2, x)), Math.min(1.2, Math.max(-0.2, y))];
    this.touched.add(index);
    this.place();
    this.magnify(index);
  }

  drop() {
    if (this.held === null) return;
    this.held = null;
    this.glass.hidden = true;
    this.later(50);
  }

  later(rest = REST) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = 0;
      if (this.held !== null) return; // another one is on its way; its drop sends all four
      if (lobby.busy) this.later();
      else if (this.touched.size === 4) this.send();
    }, rest);
  }

  send() {
    wish("corners", { corners: this.at }, { busy: t("Looking for the printed lines…") });
  }

  place() {
    if (this.layer.hidden) return;
    this.handles.forEach((handle, index) => {
      handle.style.left = `${this.at[index][0] * 100}%`;
      handle.style.top = `${this.at[index][1] * 100}%`;
      handle.dataset.set = this.touched.has(index) ? "yes" : "no";
    });
    this.lines.firstElementChild?.setAttribute("points", this.at.map(([x, y]) => `${x * 100},${y * 100}`).join(" "));
  }

  magnify(/** @type {number} */ index) {
    const { naturalWidth: width, naturalHeight: height } = this.image,
      pen = present(this.glass.getContext("2d")),
      [x, y] = this.at[index];
    if (!width) return;
    const side = (LENS * 2) / POWER;
    pen.fillStyle = "#05070a";
    pen.fillRect(0, 0, LENS * 2, LENS * 2);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.image, x * width - side / 2, y * height - side / 2, side, side, 0, 0, LENS * 2, LENS * 2);
    pen.strokeStyle = "#ffc857";
    pen.lineWidth = 2;
    pen.beginPath();
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]) {
      pen.moveTo(LENS + dx * 14, LENS + dy * 14);
      pen.lineTo(LENS + dx * LENS, LENS + dy * LENS);
    }
    pen.stroke();
    this.glass.style.left = x < 0.5 ? "auto" : "0.4rem"; // on the far side, so that no finger hides it
    this.glass.style.right = x < 0.5 ? "0.4rem" : "auto";
    this.glass.hidden = false;
  }
}
