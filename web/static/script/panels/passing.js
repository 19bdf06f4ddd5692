// Dialogs about what may pass while they are open: a play that can be taken back, a question. Once that has passed they close.

import { onChange } from "../store.js";

const open = /** @type {Map<HTMLDialogElement, () => boolean>} */ (new Map());

/** Close a dialog as soon as what it is about has `passed`. */
export function closesOnce(/** @type {HTMLDialogElement} */ box, /** @type {() => boolean} */ passed) {
  open.set(box, passed);
  box.addEventListener("close", () => open.delete(box));
}

onChange(() => {
  for (const [box, passed] of open) if (passed()) box.close();
});
