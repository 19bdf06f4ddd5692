// The archive: dates in the reader's own time, what a check of a record says, and one game found among many.

import { once } from "../act.js";
import { id } from "../dom.js";
import { getJson } from "../wire.js";
import { LANGUAGE, t, whole } from "../words.js";
import { startFrame } from "./frame.js";

const DAY = /** @type {Intl.DateTimeFormatOptions} */ ({ dateStyle: "medium" });
const LONG = 60000; // milliseconds: a game is gone through again play by play

for (const one of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-at]"))) {
  const at = new Date(1000 * Number(one.dataset.at));
  one.dateTime = at.toISOString();
  one.textContent = at.toLocaleString(LANGUAGE, { dateStyle: "medium", timeStyle: "short" });
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-key=verify]")))
  button.addEventListener(
    "click",
    once(async () => {
      const item = /** @type {HTMLElement} */ (button.closest("li")),
        said = /** @type {HTMLElement} */ (item.querySelector("[data-key=verdict]"));
      said.textContent = t("Checking");
      try {
        const { table, match } = item.dataset;
        const told = await getJson(`/api/archive/${table}/${match}`, LONG);
        item.dataset.ok = told.ok ? "yes" : "no";
        said.textContent = told.ok
          ? [
              t("Everything holds: {n} events, and every play and answer as the rules have them.", { n: told.events }),
              told.signer ? t("Signed by {words}.", { words: told.signer }) : t("No signature came with it."),
              ...told.remarks.map(whole),
            ].join(" ")
          : told.findings.map((/** @type {{ text: string }} */ one) => whole(one.text)).join(" ");
      } catch (error) {
        said.textContent = whole(error.message);
      }
    }),
  );

const games = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".archive > li")]),
  find = /** @type {HTMLInputElement | null} */ (document.getElementById("find")),
  more = id("more-games"),
  step = Number(more.dataset.step);
let most = step;

/** Letters as they are looked for: small ones, without accents. */
const plainly = (/** @type {string | null} */ text) =>
  (text ?? "").normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
/** By what each is found: table, game, end and day. */
const about = new Map(
  games.map((one) => {
    const day = new Date(1000 * Number(one.querySelector("time")?.dataset.at)).toLocaleDateString(LANGUAGE, DAY);
    return [one, plainly([...one.querySelectorAll("[data-about]")].map((part) => part.textContent).join(" ") + ` ${day}`)];
  }),
);
/** A number is meant as a whole: table 2 is not table 12. */
const has = (/** @type {HTMLElement} */ one, /** @type {string} */ word) => {
  const text = about.get(one) ?? "";
  return /^\d+$/.test(word) ? text.split(/\D+/).includes(word) : text.includes(word);
};

/** Show the games that have all the words, the newest of them. */
function list() {
  const words = plainly(find?.value ?? "")
      .split(/\s+/)
      .filter(Boolean),
    fit = games.filter((one) => words.every((word) => has(one, word)));
  for (const one of games) one.hidden = true;
  for (const one of fit.slice(0, most)) one.hidden = false;
  const left = Math.min(step, fit.length - most);
  more.hidden = left <= 0;
  more.textContent = t("Show {n} more", { n: left });
  if (find) id("found").textContent = fit.length ? t("Games: {n}", { n: fit.length }) : t("No game fits these words.");
  return fit;
}

find?.addEventListener("input", () => {
  most = step;
  list();
});
more.addEventListener("click", () => {
  const before = most;
  most += step;
  list()[before]?.querySelector("a")?.focus();
});
list();
startFrame();
