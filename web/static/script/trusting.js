// What a phone installs before its browser gives the camera: a code to scan and the words to compare.

import { h, s } from "./dom.js";
import { t } from "./words.js";

export const drawing = (/** @type {Qr} */ qr, /** @type {string} */ label) =>
  s(
    "svg",
    { class: "qr", viewBox: `0 0 ${qr.size} ${qr.size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    s("rect", { width: qr.size, height: qr.size, fill: "#fff" }),
    s("path", { d: qr.path, fill: "#000" }),
  );

export const trusting = (/** @type {{ qr: Qr, words: string, link: string }} */ { qr, words, link }) => [
  drawing(qr, t("Code to scan so that a phone trusts the table")),
  h(
    "div",
    { "data-key": "trust" },
    h("p", {}, t("First, once for each phone: scan this code and install the certificate. It shows these words:")),
    h("p", { class: "said" }, words),
    h(
      "label",
      { class: "field" },
      h("span", {}, t("Link")),
      h("input", { readonly: true, value: link, class: "link", onfocus: (/** @type {any} */ event) => event.target.select() }),
    ),
    h("p", {}, t("Then scan the next code.")),
  ),
];
