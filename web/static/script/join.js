// The way in: the link's token is behind the "#", which is never sent; it is taken out of the address before anything else.

import { h, id } from "./dom.js";
import { seatName } from "./role.js";
import { useLabels } from "./words.js";
import { leaveSeat } from "./seat.js";
import { startTheme } from "./theme.js";
import { getJson, post } from "./wire.js";
import { t } from "./words.js";

const overlay = new URLSearchParams(location.search).get("view") === "overlay";
/** In a hall a link may lead to one table. */
const wished = new URLSearchParams(location.search).get("to") ?? "",
  goal = /^\/tables\/[a-z0-9-]+\/(overlay)?$/.test(wished) ? wished : "/";
const LEAVES = () => t("Take the new seat, and every page of this browser leaves the old one; or stay as you are.");
/** Whether this browser shows "table" or "hall" itself. */
const { local } = document.documentElement.dataset;
if (id("theme-button")) startTheme();

/** Of a link that is opened in a tab which stands here already, only the part behind the "#" changes: nothing is loaded
    anew. */
addEventListener("hashchange", arrive);

function arrive() {
  const token = location.hash.slice(1);
  if (token || !id("join").childElementCount) come(token);
}

async function come(/** @type {string} */ token, sure = false) {
  const asked = overlay ? "?view=overlay" : goal === "/" ? "" : `?to=${goal}`;
  history.replaceState(null, "", `/join${asked}`);
  if (!token)
    return say(
      t("This table is open to those who have a link."),
      t("Scan a seat's code with this device, or ask the table for a link."),
    );
  if (local && !sure)
    return ask(
      token,
      local === "hall" ? t("This browser shows the hall itself.") : t("This browser shows the table itself."),
      LEAVES(),
    );
  say(t("One moment."), "");
  try {
    const { role, switch: other } = await post("/api/session", { token, switch: sure });
    if (other) {
      await names();
      return ask(
        token,
        t("This browser is here already, as: {seat}. The link is for: {other}.", {
          seat: seatName(role),
          other: seatName(other),
        }),
        LEAVES(),
      );
    }
    if (sure) leaveSeat();
    location.replace(role === "camera" ? "/camera" : overlay ? "/overlay" : goal);
  } catch (error) {
    say(error.message, error.advice);
  }
}

/** What the game calls its seats; the pass this browser has already lets it ask. */
const names = () =>
  getJson("/api/board")
    .then(({ labels }) => useLabels(labels))
    .catch(() => {}); // then seats go by their plain names

/** A browser has one seat at a table; another one is taken only when that is meant. */
function ask(/** @type {string} */ token, /** @type {string} */ title, /** @type {string} */ text) {
  say(
    title,
    text,
    h(
      "button",
      { type: "button", class: ["button", "main"], "data-key": "switch", onclick: () => come(token, true) },
      t("Take the new seat"),
    ),
    h(
      "button",
      { type: "button", class: "button", "data-key": "stay", onclick: () => location.replace("/") },
      t("Stay as I am"),
    ),
  );
}

const say = (/** @type {string} */ title, /** @type {string} */ text, /** @type {Child[]} */ ...buttons) =>
  id("join").replaceChildren(
    h("h1", {}, title),
    h("p", {}, text),
    ...(buttons.length ? [h("div", { class: "actions" }, ...buttons)] : []),
  );

arrive();
