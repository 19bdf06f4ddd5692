// What is only in the page while somebody presses: no screen reader, no search and no glance at the source finds it before.

import { h } from "../dom.js";

/**
 * A field that shows what `inside` makes while it is pressed, or while the space bar is held on it. `name` is what screen
 * readers call it; `told` hears whether it is open.
 */
export function veil(
  /** @type {Child} */ cover,
  /** @type {string} */ name,
  /** @type {() => Child} */ inside,
  told = (/** @type {boolean} */ _open) => {},
) {
  const element = h(
    "div",
    { class: ["veil", "peek"], role: "button", tabindex: 0, "data-open": "no", "data-key": "peek", "aria-label": name },
    cover,
  );
  const covered = [...element.childNodes];
  const open = (/** @type {boolean} */ yes) => {
    if ((element.dataset.open === "yes") === yes) return;
    element.dataset.open = yes ? "yes" : "no";
    element.replaceChildren(...(yes ? h("div", {}, inside()).childNodes : covered));
    told(yes);
  };
  element.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    element.focus();
    element.setPointerCapture(event.pointerId);
    open(true);
  });
  for (const end of ["pointerup", "pointercancel", "blur"]) element.addEventListener(end, () => open(false));
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("keydown", (event) => event.key === " " && (event.preventDefault(), event.repeat || open(true)));
  element.addEventListener("keyup", (event) => event.key === " " && (event.preventDefault(), open(false)));
  return element;
}
