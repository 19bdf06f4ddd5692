// What happens now: whose play it is, the panels of what is expected, a flag with the way back, a doubt, the end.

import { h, keep } from "../dom.js";
import { over, playing, settingUp } from "../expects.js";
import { alarm, doubt, openPlay, problems } from "./flags.js";
import { lastAnswer } from "../page_data.js";
import { lastSaid, said } from "./said.js";
import { between, lastEvent, roles, store } from "../store.js";
import { recordingOver, setUpAnew, trouble } from "./troubles.js";
import { plays as hasSeat, role as ownSeat, seatName } from "../role.js";
import { capital, playsNow, sentence, t, turnName, wording } from "../words.js";
import { ticked } from "./chores.js";
import { panels } from "./registry.js";
import "./arrangement.js";
import "./change.js";
import "./draw.js";
import "./ending.js";
import "./opening.js";
import { placedQuestion, pointedAt, stepOf } from "./question.js";

export function drawNow(/** @type {HTMLElement} */ element, /** @type {Snapshot} */ snapshot) {
  const asked = placedQuestion(snapshot);
  const value = [
    between() && sentence(store.why),
    snapshot.expects,
    snapshot.secrets,
    snapshot.phase,
    snapshot.turn,
    snapshot.pick,
    snapshot.mover,
    snapshot.movers,
    snapshot.available,
    snapshot.played,
    snapshot.flag,
    snapshot.doubt,
    snapshot.outcome,
    snapshot.opened,
    snapshot.secret,
    ticked(snapshot),
    lastAnswer(snapshot),
    lastEvent("play", "correction")?.number,
    snapshot.unfinished,
    snapshot.troubles,
    snapshot.undo,
    snapshot.undo_refused,
    lastSaid()?.number,
    Boolean(snapshot.chores?.length),
    snapshot.table?.problems,
    snapshot.table?.unknown,
    snapshot.blind,
    snapshot.source?.state,
    snapshot.counts,
    snapshot.seating,
    snapshot.seats,
    asked && stepOf(asked),
    asked && pointedAt(asked),
  ];
  if (between()) return keep(element, value, () => [setUpAnew(), over(snapshot) && panels(snapshot)]);
  keep(element, value, () => [
    !over(snapshot) && unplayed(snapshot),
    (snapshot.troubles ?? []).map(trouble),
    !over(snapshot) && snapshot.source?.state === "over" && recordingOver(),
    !over(snapshot) && headline(snapshot),
    panels(snapshot),
    over(snapshot) && snapshot.source?.state === "over" && recordingOver(), // who won comes first
    snapshot.flag && alarm(snapshot.flag),
    snapshot.doubt && doubt(snapshot.doubt),
    !snapshot.flag && snapshot.unfinished && openPlay(snapshot.unfinished),
    problems(snapshot),
  ]);
}

/** Whose link is for a seat that this match has not, since fewer play than were chosen when it was given, waits for nothing. */
const unplayed = (/** @type {Snapshot} */ { seats }) =>
  hasSeat &&
  seats !== undefined &&
  !seats.includes(ownSeat) &&
  h(
    "p",
    { class: "card", "data-key": "unplayed" },
    t("{seat} does not play in this game. Ask the table for a link to another seat.", { seat: seatName(ownSeat) }),
  );

/** As many first letters of a seat's name as tell it from the others. */
function initial(/** @type {string} */ seat, /** @type {string[]} */ seats) {
  const name = t(capital(seat)),
    others = [...new Set(seats)].filter((one) => one !== seat).map((one) => t(capital(one)));
  const length = [1, 2, 3].find((count) => others.every((one) => one.slice(0, count) !== name.slice(0, count)));
  return name.slice(0, length ?? 1);
}

/** The turn and whose play it is, above the panels. */
function headline(/** @type {Snapshot} */ snapshot) {
  const start = settingUp(snapshot),
    plays = !start && playing(snapshot),
    role = plays ? snapshot.mover : null,
    picks = plays && (role || !wording(`now-${snapshot.phase}`)) && !snapshot.ring?.length ? (snapshot.movers ?? []) : [],
    rounds = { k: Math.min((snapshot.pick ?? 0) + 1, picks.length), n: picks.length },
    pick = snapshot.pick ?? 0;
  const line = start ? t("Before the first turn") : turnName(snapshot.turn);
  const person = role ? (snapshot.seating ?? []).find((one) => one.seats.includes(role))?.name : "";
  const who = start ? t("Set up the table") : plays && playsNow(snapshot, role ? seatName(role) : "");
  return h(
    "div",
    { class: "headline" },
    h(
      "p",
      { class: "turn" },
      h("span", {}, line),
      picks.length > 1 && h("span", {}, wording("pick", rounds) || t("Pick {k} of {n}", rounds)),
      picks.length > 1 &&
        h(
          "span",
          { class: "picks", "aria-hidden": "true" },
          picks.map((one, i) =>
            h(
              "span",
              { class: "pip", "data-done": i < pick ? "yes" : "no", "data-now": i === pick ? "yes" : "no" },
              initial(one, picks),
            ),
          ),
        ),
    ),
    who && person && h("p", { class: "person" }, person),
    who && h("p", { class: ["who", role && "role", role && roles().indexOf(role) === 1 && "role-2"] }, who),
    (snapshot.counts ?? []).map((one) => h("p", { class: "counts" }, sentence(one))),
    said(snapshot),
  );
}
