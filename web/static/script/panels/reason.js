// A word of the arbiter's comes with its reason: usual ones to tap, or one's own.

import { h } from "../dom.js";
import { t } from "../words.js";

/** A field for a reason; `value()` is what was written, or null after showing that something has to be. */
export function reasonField(/** @type {string[]} */ usual = []) {
  const input = h("input", { name: "reason", maxlength: 200, autocomplete: "off", required: true, "data-key": "reason" });
  const wanting = h("p", { class: "wanting", role: "alert" });
  const chips = usual.map((text) =>
    h(
      "button",
      { type: "button", class: "chip-button", onclick: () => ((input.value = text), wanting.replaceChildren()) },
      text,
    ),
  );
  return {
    element: h(
      "div",
      {},
      h("label", { class: "field" }, h("span", {}, t("Reason, for the record")), input),
      chips.length > 0 && h("div", { class: "chip-row", role: "group", "aria-label": t("Usual reasons") }, chips),
      wanting,
    ),
    value: () => {
      const text = input.value.trim();
      wanting.textContent = text ? "" : t("Say why: the reason goes into the record.");
      if (!text) input.focus();
      return text || null;
    },
  };
}
