// The ring of seats: whose turn it is, what each holds, has lost and may do now; the hour, and a row of cards as it grows.
// A game gives all of it in its snapshot (`ring`, `clock_face`, `row`); one without a ring shows nothing here.

import { act, once } from "../act.js";
import { h, id, keep, s } from "../dom.js";
import { may, plays, role, seatName } from "../role.js";
import { pieceName } from "../store.js";
import { list, sentence, t } from "../words.js";

export function drawRing(/** @type {HTMLElement} */ element, /** @type {Snapshot} */ snapshot) {
  const { ring = [], row = null, clock_face: clock = null, deduced = null } = snapshot;
  id("ring-card").hidden = !ring.length;
  if (!ring.length) return;
  keep(element, [ring, row, clock, deduced], () => [
    h(
      "ol",
      { class: "ring", "data-count": ring.length },
      ring.map((one) => seat(one, deduced?.roles[one.seat] ?? [])),
      clock && hour(clock),
    ),
    row && cards(row),
  ]);
}

function seat(/** @type {RingSeat} */ one, /** @type {string[]} */ roles) {
  const said = [t("Cards: {count}", { count: one.hand }), ...one.notes.map(sentence)];
  return h(
    "li",
    { "data-seat": one.seat, "data-out": one.out, "data-mine": one.seat === role, "aria-current": one.turn ? "true" : null },
    h("p", { class: "name" }, seatName(one.seat)),
    h("p", { class: "why" }, said.join(" · ")),
    one.may && h("p", { class: "may" }, sentence(one.may)),
    roles.length > 1 && h("p", { class: "why" }, t("May be: {who}", { who: list(roles.map((name) => t(pieceName(name)))) })),
    deedsHere(one).map((deed) =>
      h(
        "button",
        {
          type: "button",
          class: ["button", "small"],
          "data-key": `deed-${one.seat}`,
          "aria-label": `${seatName(one.seat)}: ${sentence(deed)}`, // several seats have the same
          onclick: once(() => act(deed.answer)),
        },
        sentence(deed),
      ),
    ),
  );
}

/** What a seat may say although nobody asks, on the screen that all share; its own page has it beside its secrets. */
const deedsHere = (/** @type {RingSeat} */ one) => (plays ? [] : (one.deeds ?? []).filter((deed) => may(deed.answer.kind)));

/** The hour as a dial: a sector for every hour that has begun. */
function hour(/** @type {{ at: number, of: number }} */ clock) {
  const turn = (/** @type {number} */ n) => (2 * Math.PI * n) / clock.of - Math.PI / 2,
    at = (/** @type {number} */ n, /** @type {number} */ r) => `${r * Math.cos(turn(n))} ${r * Math.sin(turn(n))}`;
  const sector = (/** @type {number} */ n) =>
    s("path", {
      d: `M${at(n + 0.06, 22)} A22 22 0 0 1 ${at(n + 0.94, 22)} L${at(n + 0.92, 15)} A15 15 0 0 0 ${at(n + 0.08, 15)} Z`,
      "data-past": n < clock.at ? "yes" : "no",
    });
  return h(
    "li",
    { class: "hour", "aria-label": t("{at} of {of}", clock) },
    s(
      "svg",
      { viewBox: "-24 -24 48 48", "aria-hidden": "true" },
      Array.from({ length: clock.of }, (_, n) => sector(n)),
      s("text", { y: 1 }, String(clock.at)),
    ),
  );
}

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
