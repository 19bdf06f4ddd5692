// One browser has one seat at a table, and all its pages share it. A page is told when another one takes another seat.

import { h } from "./dom.js";
import { t } from "./words.js";

const NAME = "table-witness.seat";

/** Say to this browser's other pages that they are not what they show any more. */
export const leaveSeat = () => globalThis.BroadcastChannel && new BroadcastChannel(NAME).postMessage("left");

/** Cover this page when its seat was left elsewhere: it must not turn into somebody else's before all eyes. */
export function watchSeat() {
  if (!globalThis.BroadcastChannel) return;
  new BroadcastChannel(NAME).onmessage = () => {
    if (document.querySelector("[data-key=left]")) return;
    const again = h(
      "button",
      { type: "button", class: ["button", "main"], onclick: () => location.reload() },
      t("Go on with the new seat"),
    );
    const dialog = h(
      "dialog",
      { "data-key": "left", "aria-label": t("Another seat was taken") },
      h("h2", {}, t("Another seat was taken")),
      h("p", {}, t("Another page of this browser took another seat at this table, so this page's seat is left.")),
      h("div", { class: "actions" }, again),
    );
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    document.body.append(dialog);
    dialog.showModal();
  };
}
