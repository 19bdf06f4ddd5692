// In a hall: what the table's camera showed last, where the table lets this visitor see it, and how old that is.

import { at } from "../base.js";
import { id } from "../dom.js";
import { store } from "../store.js";
import { getPicture } from "../wire.js";
import { LANGUAGE } from "../words.js";

const EVERY = 5000, // milliseconds between two looks, as often as tables send one
  TICK = 1000,
  MINUTE = 60; // seconds

export function startHallPicture() {
  if (!document.getElementById("hall-picture-card")) return;
  const card = id("hall-picture-card"),
    image = /** @type {HTMLImageElement} */ (id("hall-picture")),
    note = id("hall-picture-note");
  const address = `/api/hall/pictures/${at("").split("/").pop()}`,
    words = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "always" });
  let /** @type {string | null} */ shown = null,
    made = 0; // when it came to the hub, by this device's own clock

  async function look() {
    if (document.hidden) return;
    const found = store.snapshot?.picture_for ? await getPicture(address).catch(() => null) : null;
    const next = found && URL.createObjectURL(found.picture);
    if (next) {
      image.src = next;
      await image.decode().catch(() => {});
      made = performance.now() - 1000 * found.age;
    }
    card.hidden = !next;
    if (shown) URL.revokeObjectURL(shown);
    shown = next;
    age();
  }

  function age() {
    if (!shown) return;
    const seconds = Math.max(0, Math.round((performance.now() - made) / 1000));
    note.textContent =
      seconds < 2 * MINUTE ? words.format(-seconds, "second") : words.format(-Math.floor(seconds / MINUTE), "minute");
  }

  const rest = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));
  const turn = async () => {
    for (;;) {
      await look();
      await rest(EVERY);
    }
  };
  setInterval(age, TICK);
  turn();
}
