// The words of house rules' choices.

import { t } from "./words.js";

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
  "onto-suspect": () => t("onto a suspect"),
  "one-step": () => t("one step"),
  "must-change": () => t("must change"),
  "when-picked": () => t("as when picked"),
  "all-along": () => t("all along"),
  subway: () => t("a subway may"),
};
/** How a point is settled, in words. What is not listed is shown as the rule has it. */
export const choiceWord = (/** @type {string} */ choice) => WORDS[choice]?.() ?? choice.replaceAll("-", " ");
