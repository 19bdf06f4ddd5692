// A modal dialog with a title and a way out. The browser keeps the focus inside and gives it back.

import { h } from "../dom.js";
import { t } from "../words.js";

export function dialog(/** @type {string} */ title, /** @type {Child[]} */ ...content) {
  const element = h("dialog", { "aria-label": title }, h("h2", {}, title), ...content);
  element.addEventListener("close", () => element.remove());
  element.addEventListener("click", (event) => event.target === element && element.close());
  document.body.append(element);
  element.showModal();
  return element;
}

/** Close every dialog that is about the game that is on; one that is `lasting` is about the table. */
export function closeDialogs() {
  for (const box of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog[open]:not(.lasting)")))
    box.close();
}

export const closing = (/** @type {() => HTMLDialogElement} */ element) =>
  h("button", { type: "button", class: "button", "data-key": "cancel", onclick: () => element().close() }, t("Cancel"));
