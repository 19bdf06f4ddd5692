// What the board file's section "page" says of the game's own part of snapshots, events and answers. What it does not say is
// drawn plainly.

import { wording } from "./words.js";

/** @type {PageData} */
let known = {};
/** Take over what the board file of the game that is on says. */
export const usePage = (/** @type {PageData | undefined} */ found) => (known = found ?? {});
const data = () => known;

const alike = (/** @type {any} */ a, /** @type {any} */ b) => JSON.stringify(a) === JSON.stringify(b);

/** How an answer looks: the entry of the board file whose answer has the same fields; nothing where there is none. */
export const lookOf = (/** @type {Answer} */ answer) =>
  (data().answers ?? []).find(
    (one) =>
      Object.keys(one.answer).length === Object.keys(answer).length &&
      Object.entries(one.answer).every(([key, value]) => alike(answer[key], value)),
  ) ?? null;

/** How the answer looks that an event, or a part of the snapshot, tells the fields of. */
export const lookTold = (/** @type {Record<string, any>} */ told) =>
  (data().answers ?? []).find((one) =>
    Object.entries(one.answer).every(([key, value]) => key === "kind" || alike(told[key], value)),
  ) ?? null;

/** Every answer that the board file describes. */
export const answerLooks = () => data().answers ?? [];

/** What the last answer came to, as long as the snapshot tells it: its fields, the pieces it names, and how to answer anew. */
export function lastAnswer(/** @type {Snapshot} */ snapshot) {
  const where = data().answered,
    told = where && /** @type {any} */ (snapshot)[where.in];
  if (!where || !told) return null;
  const again = where.again && /** @type {any} */ (snapshot)[where.again.when] ? where.again.answer : null;
  return { told, look: lookTold(told), names: /** @type {string[]} */ (told[where.names ?? ""] ?? []), again };
}

/** What an event of the game's own kinds means: "asks", "answers", "begins", or nothing. */
export const meaning = (/** @type {string} */ kind) => data().events?.[kind] ?? "";

/** Kinds of events that mean this. */
export const kindsThat = (/** @type {string} */ means) =>
  Object.entries(data().events ?? {}).flatMap(([kind, one]) => (one === means ? [kind] : []));

/** What the game says of its people: who is still possible, in which state each is, and why. */
export function peopleOf(/** @type {Board} */ board, /** @type {any} */ snapshot) {
  const where = board.page?.people,
    states = (where && snapshot[where.states]) || {};
  return {
    told: where ? [snapshot[where.left], states] : null,
    left: /** @type {Set<string>} */ (new Set(where ? (snapshot[where.left] ?? []) : [])),
    state: (/** @type {string} */ one) => Object.keys(where?.looks ?? {}).find((state) => states[state]?.includes(one)) ?? null,
    look: (/** @type {string | null} */ state) => (state ? where?.looks?.[state] : null) ?? null,
    reasons: (/** @type {string} */ one) => /** @type {string[]} */ (states.why?.[one] ?? states.because?.[one] ?? []),
  };
}

/**
 * The maps of what is possible that the snapshot has: a key, a name, the spots that are possible and those that are not.
 * @returns {{ key: string, name: string, possible: Spot[], out: Spot[] }[]}
 */
export function mapsOf(/** @type {Board} */ board, /** @type {any} */ snapshot) {
  return (board.page?.maps ?? []).flatMap(({ in: key, of, label }) => {
    if (!Array.isArray(snapshot?.[key])) return [];
    const possible = new Set(snapshot[key].map(String)),
      spots = board.cells.filter((cell) => of.includes(cell.kind)).map((cell) => cell.id);
    return [
      {
        key,
        name: wording(label),
        possible: spots.filter((spot) => possible.has(spot)),
        out: spots.filter((spot) => !possible.has(spot)),
      },
    ];
  });
}

/** Whether the arbiter may set pieces of this group elsewhere, on this spot: where the board file says so of the group, or of
    the zone alone. */
export const maySet = (/** @type {string} */ group, /** @type {Spot} */ spot = "") =>
  data().settable?.some((one) => one === group || one === spot) ?? true;

/** The one secret of a game that has one only: whose it is and the field that holds it; null where secrets are named. */
export const soleSecret = () => data().secret ?? null;
