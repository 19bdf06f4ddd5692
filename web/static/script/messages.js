// What went wrong, and what to do about it: in the dialog that was refused, else at the foot of the page until it is put away.

import { h, id, present } from "./dom.js";
import { t, whole } from "./words.js";

const STAYS = 14000;

/** `from` is what asked; what it is told now takes the place of what it was told before. `again` is offered as a button. */
export function tell(/** @type {any} */ error, from = error.code ?? "", /** @type {(() => unknown) | null} */ again = null) {
  const asking = [...document.querySelectorAll("dialog[open]")].pop();
  if (asking) refuse(asking, error);
  else show(whole(error.message), error.advice ?? t("Reload the page."), { from, offer: again && [t("Try again"), again] });
}

/** It was done; `offer` is a word and what it does, to take it back. */
export const confirm = (/** @type {string} */ text, /** @type {[string, () => unknown] | null} */ offer = null, from = "") =>
  show(text, "", { from, fine: true, offer });

/** With the buttons of the dialog, which stay in sight however long it is; behind it nobody would see it. */
function refuse(/** @type {Element | null} */ asking, /** @type {any} */ { message, advice }) {
  forgive(asking);
  const line = h("p", { class: ["wanting", "refused"], role: "alert" }, [whole(message), advice].filter(Boolean).join(" "));
  const buttons = [...present(asking).querySelectorAll(".actions")].pop();
  (buttons ?? present(asking)).prepend(line);
  line.scrollIntoView({ block: "nearest" });
}

/** Another try: what was said about the last one is over. */
export const forgive = (/** @type {Element | null} */ asking) => asking?.querySelector(".refused")?.remove();

function show(
  /** @type {string} */ text,
  /** @type {string} */ advice,
  /** @type {{ from?: string, fine?: boolean, offer?: [string, () => unknown] | null }} */ {
    from = "",
    fine = false,
    offer = null,
  },
) {
  /** @type {HTMLElement} */
  const message = h(
    "div",
    { class: ["message", fine && "fine"], "data-from": from },
    h("div", {}, h("p", {}, text), advice && h("p", {}, advice)),
    offer && h("button", { type: "button", "data-key": "offer", onclick: () => (message.remove(), offer[1]()) }, offer[0]),
    h("button", { type: "button", onclick: () => message.remove() }, t("Close")),
  );
  if (from)
    id("messages")
      .querySelector(`[data-from="${CSS.escape(from)}"]`)
      ?.remove();
  id("messages").append(message);
  while (id("messages").children.length > 3) id("messages").firstElementChild?.remove();
  setTimeout(() => message.remove(), fine && !offer ? 4000 : STAYS);
}
