// What happened, newest first, in sentences.

import { h, id } from "../dom.js";
import { t } from "../words.js";

const LENGTH = 300;

export function logEvent(event) {
  if (!event.text) return;
  const list = id("log");
  list.querySelector(".quiet-note")?.remove();
  const when = new Date(event.at * 1000);
  list.prepend(h("li", { "data-kind": event.kind, "data-urgency": event.urgency, "data-number": event.number },
    h("time", { datetime: when.toISOString() }, when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })), event.text));
  while (list.children.length > LENGTH) list.lastElementChild.remove();
}

export function emptyLog(anew = false) {
  if (anew) id("log").replaceChildren();
  if (!id("log").children.length) id("log").append(h("li", { class: "quiet-note" }, t("Nothing has happened yet.")));
}
