// The players' clocks: both sides, whose time runs, and why it does not. Counted here between two snapshots.

import { clockSet, clockWord } from "./clock_menu.js";
import { h, keep, present } from "../dom.js";
import { over } from "../expects.js";
import { may, role as seat, sideName } from "../role.js";
import { between, hostTime, lastEvent, store } from "../store.js";
import { symbols } from "../symbols.js";
import { time } from "../times.js";
import { t } from "../words.js";

const TICK = 200,
  SHORT = 30;
let timer = 0,
  stopped = /** @type {number | null} */ (null); // the companion's time when the game that is shown was left

export function drawClocks(/** @type {HTMLElement} */ element, /** @type {Snapshot} */ snapshot) {
  const clock = snapshot.clock;
  stopped = between() ? (stopped ?? hostTime()) : null;
  element.hidden = !clock;
  clearInterval(timer);
  if (!clock) return keep(element, null, () => null);
  const why = runner(clock) ? "" : standing(snapshot);
  const { since: _, ...rest } = clock;
  keep(element, [rest, runner(clock), why, over(snapshot), snapshot.movers], () => [
    h(
      "div",
      { class: "faces" },
      Object.keys(clock.left)
        .sort()
        .map((role, i) => face(role, i, clock)),
    ),
    h("p", { class: "clock-note" }, [why, terms(clock)].filter(Boolean).join(" · ")),
    may("clock") &&
      !over(snapshot) &&
      !between() &&
      (may("rule") || seat === "table" || seat === snapshot.mover) &&
      controls(clock),
  ]);
  tick(element);
  if (runner(clock)) timer = setInterval(() => tick(element), TICK);
}

function face(/** @type {string} */ role, /** @type {number} */ i, /** @type {any} */ clock) {
  const runs = runner(clock) === role,
    name = sideName(role, Object.keys(clock.left));
  return h(
    "div",
    {
      class: ["face", i === 1 && "role-2", "role"],
      "data-role": role,
      "data-runs": runs ? "yes" : "no",
      role: "group",
      "aria-label": t("Clock: {role}", { role: name }),
    },
    h(
      "p",
      { class: "face-role" },
      h("span", { class: "face-sign", "aria-hidden": "true" }, runs ? symbols.running() : symbols.standing()),
      name,
    ),
    h("p", { class: "face-time", role: "timer", "aria-live": "off" }),
    h("p", { class: "face-state" }, runs ? t("runs") : t("stands still")),
  );
}

/** Whose time runs. */
const runner = (/** @type {any} */ clock) => (stopped === null ? clock.running : null);

/** Seconds left for a role at this moment, and what is left of the free time before they count. */
function left(/** @type {any} */ clock, /** @type {string} */ role) {
  const spent = clock.running === role ? Math.max(0, (stopped ?? hostTime()) - clock.since) : 0;
  return [clock.left[role] - Math.max(0, spent - clock.free), Math.max(0, clock.free - spent)];
}

function tick(/** @type {HTMLElement} */ element) {
  const clock = store.snapshot?.clock;
  if (!clock) return;
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(".face"))) {
    const [seconds, free] = left(clock, one.dataset.role ?? ""),
      runs = runner(clock) === one.dataset.role;
    one.dataset.short = seconds <= 0 ? "over" : seconds <= SHORT ? "yes" : "no";
    write(present(one.querySelector(".face-time")), time(seconds));
    write(
      present(one.querySelector(".face-state")),
      seconds <= 0
        ? t("the time is up")
        : !runs
          ? t("stands still")
          : free >= 0.05
            ? t("free for {n} s", { n: Math.ceil(free) })
            : t("runs"),
    );
  }
}

const write = (/** @type {HTMLElement} */ element, /** @type {string} */ text) =>
  element.textContent !== text && (element.textContent = text);

/** Why nobody's time runs, in a few words. */
function standing(/** @type {Snapshot} */ snapshot) {
  if (over(snapshot)) return t("The game is over");
  if (between()) return ""; // said above
  if (snapshot.status.state === "ended") return t("The recording is over");
  if (snapshot.clock?.held) {
    const reason = lastEvent("clock")?.data.reason;
    return reason ? t("Paused: {reason}", { reason }) : t("Paused");
  }
  if (snapshot.adjourned) return t("The game is adjourned");
  if (snapshot.flag || snapshot.restoring) return t("Paused until the table is right");
  if (snapshot.doubt) return t("Paused until it is clear what was played");
  return t("Nobody has to pick");
}

function terms(/** @type {Clock} */ { delay, increment }) {
  return [delay && t("{n} s free for each pick", { n: delay }), increment && t("{n} s more after each pick", { n: increment })]
    .filter(Boolean)
    .join(" · ");
}

function controls(/** @type {any} */ clock) {
  const word = clock.held ? ["go", t("Let the clocks run")] : ["hold", t("Stop the clocks")];
  return h(
    "div",
    { class: "actions" },
    h(
      "button",
      { type: "button", class: "button", "data-key": `clock-${word[0]}`, onclick: () => clockWord(word[0], word[1]) },
      clock.held ? symbols.running() : symbols.standing(),
      word[1],
    ),
    may("rule") &&
      h("button", { type: "button", class: "button", "data-key": "clock-set", onclick: clockSet }, t("Set a clock")),
  );
}
