// The live picture: one request at a time, the next only when the last has arrived, none while nobody looks.

import { at } from "../base.js";
import { id, present } from "../dom.js";
import { getBlob } from "../wire.js";
import { t } from "../words.js";

const PAUSE = 350,
  PAUSE_AFTER_TROUBLE = 2500;

export function showPicture() {
  const image = /** @type {HTMLImageElement} */ (id("picture")),
    note = id("picture-note"),
    overlay = /** @type {HTMLInputElement} */ (id("overlay"));
  let /** @type {string | null} */ shown = null,
    inSight = true,
    wake = () => {};
  new IntersectionObserver(([entry]) => {
    inSight = entry.isIntersecting;
    wake();
  }).observe(present(image.parentElement));
  document.addEventListener("visibilitychange", () => wake());
  overlay.addEventListener("change", () => wake());

  const rest = (/** @type {number} */ time) =>
    new Promise((/** @type {(done?: unknown) => void} */ resolve) => {
      const timer = setTimeout(resolve, time);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run() {
    for (;;) {
      if (document.hidden || !inSight) {
        await rest(60000);
        continue;
      }
      try {
        const next = URL.createObjectURL(await getBlob(`${at("/api/picture.jpg")}?overlay=${overlay.checked ? 1 : 0}`));
        image.src = next;
        await image.decode().catch(() => {});
        if (shown) URL.revokeObjectURL(shown);
        shown = next;
        image.hidden = false;
        note.textContent = "";
        await rest(PAUSE);
      } catch (error) {
        note.textContent =
          error.code === "no-picture"
            ? t("No picture yet: {advice}", { advice: error.advice })
            : t("The picture does not come through; trying again.");
        await rest(PAUSE_AFTER_TROUBLE);
      }
    }
  }
  run();
}
