// The ring of seats: whose turn it is, what each holds, has lost and may do now; the hour, and a row of cards as it grows.
// A game gives all of it in its snapshot (`ring`, `clock_face`, `row`); one without a ring shows nothing here.

import { h, id, keep } from "../dom.js";
import { role, seatName } from "../role.js";
import { list, sentence, t } from "../words.js";

export function drawRing(/** @type {HTMLElement} */ element, /** @type {Snapshot} */ snapshot) {
  const { ring = [], row = null, clock_face: clock = null } = snapshot;
  id("ring-card").hidden = !ring.length;
  if (!ring.length) return;
  keep(element, [ring, row, clock], () => [
    h("ol", { class: "ring", "data-count": ring.length }, ring.map(seat), clock && hour(clock)),
    row && cards(row),
  ]);
}

function seat(/** @type {RingSeat} */ one) {
  const said = [t("Cards: {count}", { count: one.hand }), ...one.notes.map(sentence)];
  return h(
    "li",
    { "data-seat": one.seat, "data-out": one.out, "data-mine": one.seat === role, "aria-current": one.turn ? "true" : null },
    h("p", { class: "name" }, seatName(one.seat)),
    h("p", { class: "why" }, said.join(" · ")),
    one.may && h("p", { class: "may" }, sentence(one.may)),
  );
}

const hour = (/** @type {{ at: number, of: number }} */ clock) =>
  h("li", { class: "hour", "aria-label": t("{at} of {of}", clock) }, h("strong", {}, String(clock.at)), `/ ${clock.of}`);

const cards = (/** @type {CardRow} */ row) =>
  h(
    "div",
    { class: "card-row" },
    h(
      "ol",
      {},
      row.cards.map((one) => h("li", {}, h("strong", {}, sentence(one)), h("span", {}, seatName(one.seat)))),
    ),
    row.may.length > 0 && h("p", { class: "may" }, t("May answer: {who}", { who: list(row.may.map(seatName)) })),
  );
