// What hands are asked to do, with a sign for each and a tick when it was seen done.

import { h } from "../dom.js";
import { tidying } from "../expects.js";
import { kindsThat } from "../page_data.js";
import { lastEvent, spotName, store } from "../store.js";
import { choreSymbol, symbols } from "../symbols.js";
import { capital, sentence, t } from "../words.js";

/** What was asked for in a phase; of that what is asked for otherwise since: a marker that was to be laid lies elsewhere. */
const done = { of: "", chores: /** @type {Chore[]} */ ([]), otherwise: /** @type {Chore[]} */ ([]) };

export function chore(/** @type {ShownChore} */ one) {
  return h(
    "li",
    { class: "chore", "data-done": one.done ? "yes" : "no", "data-subject": one.subject },
    h(
      "span",
      { class: "box", role: "img", "aria-label": one.done ? t("done") : t("to do") },
      one.done ? symbols.tick() : choreSymbol(one.code),
    ),
    h("span", { class: "chore-text" }, sentence(one)),
  );
}

const STEPS_SHOWN = 4;

/** What hands have to do, the next steps only where there are many. */
export function wayBack(/** @type {Chore[]} */ chores) {
  const left = chores.length - STEPS_SHOWN;
  return (
    chores.length > 0 && [
      h("h3", {}, t("The way back")),
      h(
        "ul",
        { class: "chores" },
        (left > 1 ? chores.slice(0, STEPS_SHOWN) : chores).map((one) => chore({ ...one, done: false })),
      ),
      left > 1 && h("p", { class: "quiet-note" }, t("and {n} more", { n: left })),
    ]
  );
}

/** Chores of this phase with those that were done since: what the companion stops asking for has been seen done. */
export function ticked(/** @type {Snapshot} */ snapshot) {
  const of = JSON.stringify([snapshot.match, snapshot.phase, snapshot.turn, snapshot.position]),
    same = (/** @type {any} */ a) => (/** @type {any} */ b) =>
      a.code === b.code && a.subject === b.subject && a.place === b.place;
  if (done.of !== of) Object.assign(done, { of, chores: [], otherwise: [] });
  const now = snapshot.chores ?? [];
  const earlier = tidying(snapshot) ? (lastEvent(...kindsThat("answers"))?.data.chores ?? []) : [];
  const fresh = now.filter((one) => !done.chores.some(same(one))),
    kind = (/** @type {Chore} */ one) => one.subject.split(":")[0];
  const instead = (/** @type {Chore} */ one) => (/** @type {Chore} */ other) =>
    kind(one) === kind(other) && ((one.to && one.to === other.to) || (one.place && one.place === other.place));
  for (const one of [...earlier, ...now]) if (!done.chores.some(same(one))) done.chores.push(one);
  const left = done.chores.filter((one) => !now.some(same(one)));
  done.otherwise = [...done.otherwise, ...left.filter((one) => fresh.some(instead(one)))].filter((one) => !now.some(same(one)));
  done.chores = done.chores.filter((one) => !done.otherwise.some(same(one)));
  return done.chores.map((one) => ({ ...one, done: !now.some(same(one)) }));
}

/** What can be said at either end where a piece lies that is to be moved: it was read at one place, and lies at the other. */
export function misread(/** @type {Group} */ group, /** @type {Spot} */ spot, /** @type {string} */ word) {
  const { chores = [], flag } = store.snapshot,
    what = capital(word),
    /** @type {Map<string, { value: string, subject: string, to: Spot, said: string }>} */ found = new Map();
  for (const { subject, place, to } of [...chores, ...(flag?.chores ?? [])]) {
    if (!place || !to || subject !== `${group.singular}:${place}` || ![place, to].includes(spot)) continue;
    const said =
      to === spot
        ? t("{what} here, not on {place}", { what, place: spotName(place) })
        : t("{what} on {place}, not here", { what, place: spotName(to) });
    found.set(`${place}>${to}`, { value: `${place}>${to}`, subject, to, said });
  }
  return [...found.values()];
}
