// Before something is lost: what it is, and whether it can be had back. The way out has the focus, so that a key that is
// pressed
// too soon does nothing.

import { once } from "../act.js";
import { dialog } from "./dialog.js";
import { h } from "../dom.js";
import { t } from "../words.js";

/** Ask whether `verb` shall be done, and do `work`; the dialog stays, with what was refused, until that is done. Resolves to
    true only then. */
export function sure(
  /** @type {string} */ title,
  /** @type {Child} */ lines,
  /** @type {string} */ verb,
  work = /** @type {() => unknown} */ (() => true),
) {
  return new Promise((resolve) => {
    let done = false;
    const no = h(
      "button",
      { type: "button", class: "button", "data-key": "no", autofocus: true, onclick: () => box.close() },
      t("Cancel"),
    );
    const yes = h(
      "button",
      {
        type: "button",
        class: ["button", "grave"],
        "data-key": "sure",
        onclick: once(async () => ((done = Boolean(await work())), done && box.close())),
      },
      verb,
    );
    const box = dialog(
      title,
      [lines]
        .flat()
        .filter(Boolean)
        .map((line) => h("p", {}, line)),
      h("div", { class: "actions" }, yes, no),
    );
    box.addEventListener("close", () => resolve(Boolean(done)));
  });
}
