// The arbiter's word that moves no piece: adjourn, go on, a penalty. The reason goes into the record with it.

import { act, once } from "../act.js";
import { closing, dialog } from "./dialog.js";
import { h } from "../dom.js";
import { store } from "../store.js";
import { roleName, t } from "../words.js";

export function rule() {
  const { snapshot } = store;
  const choices = [
    snapshot.adjourned ? ["resume", t("Go on with the game")] : ["adjourn", t("Adjourn the game")],
    ...[...new Set(snapshot.movers ?? [])].sort().map((one) => [`penalty:${one}`, t("Penalty: {role}", { role: roleName(one) })]),
  ];
  const what = h("fieldset", { class: "options" }, h("legend", { class: "unseen" }, t("Ruling")), choices.map(([value, label], i) =>
    h("label", {}, h("input", { type: "radio", name: "ruling", value, checked: i === 0 }), h("span", {}, label))));
  const reason = h("input", { name: "reason", maxlength: 200, autocomplete: "off" });
  const send = h("button", { type: "button", class: ["button", "main"], "data-key": "send" }, t("This is the ruling"));
  const box = dialog(t("Give a ruling"), what, h("label", { class: "field" }, h("span", {}, t("Reason, for the record")), reason), h("div", { class: "actions" }, send, closing(() => box)));
  send.addEventListener("click", once(async () => {
    const [action, against] = what.querySelector("input:checked").value.split(":");
    if (await act({ kind: "rule", action, reason: reason.value, ...(against ? { against } : {}) }, t("Ruled."))) box.close();
  }));
}
