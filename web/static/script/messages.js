// What went wrong, and what to do about it, at the foot of the page until it is put away.

import { h, id } from "./dom.js";
import { t } from "./words.js";

const STAYS = 14000;

export function tell(error) {
  show(error.message, error.advice ?? t("Reload the page."), false);
}

export const confirm = (text) => show(text, "", true);

function show(text, advice, fine) {
  const message = h("div", { class: ["message", fine && "fine"] },
    h("div", {}, h("p", {}, text), advice && h("p", {}, advice)),
    h("button", { type: "button", onclick: () => message.remove() }, t("Close")));
  id("messages").append(message);
  while (id("messages").children.length > 3) id("messages").firstElementChild.remove();
  setTimeout(() => message.remove(), fine ? 4000 : STAYS);
}
