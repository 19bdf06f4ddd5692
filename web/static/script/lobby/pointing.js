// A ring on the picture, dragged or nudged onto one piece; a press anywhere on the picture brings it there.

import { ARROWS, h } from "../dom.js";
import { t } from "../words.js";

const STEP = { near: 1, far: 10 }; // pixels of the picture: an arrow key, with Shift
export const pointed = { at: [0.5, 0.5] };

export class Pointer {
  constructor(/** @type {HTMLElement} */ frame, /** @type {HTMLImageElement} */ image) {
    this.frame = frame;
    this.image = image;
    this.held = false;
    this.ring = h("button", { type: "button", class: "ring", "data-key": "ring", "aria-label": t("Where the piece lies") });
    this.layer = h("div", { class: "corners pointing", hidden: true }, this.ring);
    frame.append(this.layer);
    this.layer.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.layer.setPointerCapture(event.pointerId);
      this.held = true;
      this.ring.focus();
      this.follow(event);
    });
    this.layer.addEventListener("pointermove", (event) => this.held && this.follow(event));
    for (const kind of ["pointerup", "pointercancel"]) this.layer.addEventListener(kind, () => (this.held = false));
    this.ring.addEventListener("keydown", (event) => this.key(event));
  }

  show(/** @type {boolean} */ wanted) {
    if (this.layer.hidden === !wanted) return;
    this.layer.hidden = !wanted;
    this.move(pointed.at[0], pointed.at[1]);
  }

  follow(/** @type {any} */ event) {
    const box = this.frame.getBoundingClientRect();
    this.move((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }

  key(/** @type {any} */ event) {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    const step = event.shiftKey ? STEP.far : STEP.near,
      [x, y] = pointed.at;
    this.move(x + (way[0] * step) / (this.image.naturalWidth || 1280), y + (way[1] * step) / (this.image.naturalHeight || 720));
  }

  move(/** @type {number} */ x, /** @type {number} */ y) {
    pointed.at = [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
    this.ring.style.left = `${pointed.at[0] * 100}%`;
    this.ring.style.top = `${pointed.at[1] * 100}%`;
  }
}
