// Night or day: as the system says until somebody chooses.

import { id, tool } from "./dom.js";
import { symbols } from "./symbols.js";
import { t } from "./words.js";

const KEPT = "table-witness.theme";
/** A page that shows one seat's secrets is dark, whatever the system likes: it is held below the edge of a table. */
const hidden = document.documentElement.dataset.private === "yes";
const day = matchMedia("(prefers-color-scheme: light)");

const chosen = () => {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
};

function apply(/** @type {string} */ theme) {
  document.documentElement.dataset.theme = theme;
  tool(id("theme-button"), theme === "day" ? symbols.moon() : symbols.sun(), theme === "day" ? t("Night") : t("Day"));
}

export function startTheme() {
  const current = () => chosen() ?? (day.matches && !hidden ? "day" : "night");
  apply(current());
  day.addEventListener("change", () => apply(current()));
  id("theme-button").addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "day" ? "night" : "day";
    try {
      localStorage.setItem(KEPT, next);
    } catch {
      // Kept until the page is closed.
    }
    apply(next);
  });
}
