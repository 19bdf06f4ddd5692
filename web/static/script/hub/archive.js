// The archive: dates in the reader's own time, and what a check of a record says.

import { once } from "../act.js";
import { getJson } from "../wire.js";
import { LANGUAGE, t, whole } from "../words.js";
import { startFrame } from "./frame.js";

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

startFrame();
