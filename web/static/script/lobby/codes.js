// A link as a code to scan, with the link itself to copy.

import { h, s } from "../dom.js";
import { seatName } from "../role.js";
import { t } from "../words.js";

export function code({ pass, link, qr, note }, words) {
  return h("div", { class: "code" },
    s("svg", { class: "qr", viewBox: `0 0 ${qr.size} ${qr.size}`, role: "img", "aria-label": t("Code to scan for {seat}", { seat: seatName(pass.role) }), "shape-rendering": "crispEdges" },
      s("rect", { width: qr.size, height: qr.size, fill: "#fff" }), s("path", { d: qr.path, fill: "#000" })),
    h("div", {}, h("p", {}, words), h("label", { class: "field" }, h("span", {}, t("Link")), h("input", { readonly: true, value: link, class: "link", "data-key": `link-${pass.id}`, onfocus: (event) => event.target.select() })),
      note && h("p", { class: "quiet-note" }, t("These links work on this computer only."), " ", t("Start the companion with --host 0.0.0.0 to let other devices in."))));
}
