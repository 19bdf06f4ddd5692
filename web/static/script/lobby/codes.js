// A link as a code to scan, with the link itself to copy.

import { h, s } from "../dom.js";
import { seatName } from "../role.js";
import { symbols } from "../symbols.js";
import { t } from "../words.js";

/** What to do, as the companion says it, in this page's language. */
export const advice = (/** @type {string} */ note) =>
  [
    t("Start the companion with --host 0.0.0.0 to let other devices in."),
    t("Connect this computer to your network, then start the companion again."),
  ][note.startsWith("Start") ? 0 : 1];

/** Instead of a code that would lead a phone to itself: why there is none, and what to do. */
export const noCode = (/** @type {string} */ note) =>
  h(
    "p",
    { class: "verdict", "data-good": "no", "data-key": "no-code" },
    symbols.warning(),
    h("span", {}, t("Other devices cannot follow this link, so there is no code to scan."), " ", advice(note)),
  );

export function code(/** @type {GivenPass} */ { pass, link, qr, note }, /** @type {string} */ words) {
  return h(
    "div",
    { class: ["code", !qr && "without"] },
    !qr
      ? noCode(note)
      : s(
          "svg",
          {
            class: "qr",
            viewBox: `0 0 ${qr.size} ${qr.size}`,
            role: "img",
            "aria-label": t("Code to scan for {seat}", { seat: seatName(pass.role) }),
            "shape-rendering": "crispEdges",
          },
          s("rect", { width: qr.size, height: qr.size, fill: "#fff" }),
          s("path", { d: qr.path, fill: "#000" }),
        ),
    h(
      "div",
      {},
      qr && h("p", {}, words),
      h(
        "label",
        { class: "field" },
        h("span", {}, t("Link")),
        h("input", {
          readonly: true,
          value: link,
          class: "link",
          "data-key": `link-${pass.id}`,
          onfocus: (/** @type {any} */ event) => event.target.select(),
        }),
      ),
    ),
  );
}
