// Who has a screen of their own: a code to scan for each seat.

import { once } from "../act.js";
import { h } from "../dom.js";
import { tell } from "../messages.js";
import { seatName } from "../role.js";
import { post } from "../wire.js";
import { t, wording } from "../words.js";
import { code } from "./codes.js";
import { redraw } from "./state.js";

const AROUND = ["table", "arbiter", "spectator"];
const given = new Map();
let shown = "",
  wanted = ""; // what was pressed last: an answer that comes later than the next press is not shown in its place

export const seats = {
  name: () => t("Seats"),
  title: () => t("Who has a screen of their own?"),
  depends: (/** @type {LobbyState} */ state) => [shown, given.get(shown)?.link, state.seats],
  body: (/** @type {LobbyState} */ state) => [
    h(
      "p",
      { class: "quiet-note" },
      wording("seats-note") ||
        t("Nobody needs one: the game can be played on this screen alone. Whoever scans a code sits on that seat."),
    ),
    h(
      "div",
      { class: "seat-buttons" },
      [...state.seats, ...AROUND].map((role) =>
        h(
          "button",
          {
            type: "button",
            class: "button",
            "data-key": `seat-${role}`,
            "aria-pressed": shown === role ? "true" : "false",
            onclick: once(() => show(role)),
          },
          seatName(role),
        ),
      ),
    ),
    h(
      "div",
      { "aria-live": "polite" },
      given.has(shown) && code(given.get(shown), t("{seat}: scan with a phone, or open the link.", { seat: seatName(shown) })),
    ),
  ],
};

async function show(/** @type {string} */ role) {
  wanted = role;
  try {
    if (!given.has(role)) given.set(role, await post("/api/passes", { role }));
    if (wanted !== role) return;
    shown = role;
    redraw();
  } catch (error) {
    tell(error);
  }
}
