// The words of house rules' choices.

import { t, wording } from "./words.js";

/** @type {Record<string, () => string>} */
const WORDS = {
  yes: () => t("yes"),
  no: () => t("no"),
  any: () => t("any number"),
  never: () => t("never"),
  free: () => t("free of choice"),
  both: () => t("both"),
  either: () => t("one of them"),
  "spend-all": () => t("all of them"),
  "none-needed": () => t("none needed"),
  "one-step": () => t("one step"),
  "must-change": () => t("must change"),
  "when-picked": () => t("as when picked"),
  "all-along": () => t("all along"),
};
/** How a point is settled, in words: the game's own, then general ones. A number is its own word. */
export const choiceWord = (/** @type {string} */ choice) => wording(`choice-${choice}`) || WORDS[choice]?.() || choice;
