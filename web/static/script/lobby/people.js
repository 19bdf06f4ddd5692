// Who plays which seats, where several of them may be one person's: how many people, their names, their order around the table.

import { h } from "../dom.js";
import { seatName } from "../role.js";
import { t } from "../words.js";

const WHO = Symbol("who");

/** `WHO` tells a person from the others, whatever name, seats and place they are given; it is not sent.
    @typedef {{ name: string, seats: string[], [WHO]?: number }} Person */
/** @typedef {(change: (people: Person[], state: LobbyState) => Person[]) => unknown} Send */

/** What a person is called: the name that was given, else the place around the table. */
export const personName = (/** @type {Person} */ one, /** @type {number} */ i) => one.name || t("Player {n}", { n: i + 1 });

/** Who the people of the last list were, in its order. @type {(number | undefined)[]} */
let order = [];
/** The list that was made last, until the lobby says it. @type {Person[] | null} */
let made = null;

/** The people of the lobby's list, told from one another. The lobby knows them by their places alone, and a wish may be made of
    a list that was drawn before the wish before it was done: by then somebody may have another place, or other seats. */
function known(/** @type {Person[]} */ people) {
  if (made && JSON.stringify(made) === JSON.stringify(people)) {
    order = made.map((one) => one[WHO]);
    made = null;
  }
  return people.map((one, i) => ({ ...one, [WHO]: order[i] ?? i }));
}

export function whoPlays(
  /** @type {LobbyState} */ state,
  /** @type {(change: (state: LobbyState) => Person[]) => unknown} */ choose,
) {
  const how = state.seating;
  if (!how) return null;
  const people = known(state.choices.seating);
  /** @type {Send} */
  const send = (change) => choose((now) => (made = change(known(now.choices.seating), now)));
  const counts = Array.from({ length: how.most - how.least + 1 }, (_, i) => how.least + i);
  return h(
    "fieldset",
    { class: "who-plays" },
    h("legend", {}, t("Who plays?")),
    h(
      "label",
      { class: "field" },
      h("span", {}, t("People at the table")),
      h(
        "select",
        {
          name: "people",
          disabled: state.fixed,
          "data-key": "people",
          onchange: (/** @type {any} */ { target: { value } }) => send((_, now) => shared(now, Number(value))),
        },
        h("option", { value: 0, selected: !people.length }, t("not told")),
        counts.map((n) => h("option", { value: n, selected: n === people.length }, n)),
      ),
    ),
    people.length > 0 && [
      h("p", { class: "quiet-note" }, t("In their order clockwise around the table.")),
      h(
        "ol",
        { class: "people-list" },
        people.map((_, i) => row(people, i, state.fixed, send)),
      ),
      h(
        "div",
        { class: "seat-choices" },
        state.seats.map((seat) => chooser(state, people, seat, send)),
      ),
    ],
  );
}

/** One person: the name, and a button to sit one place earlier. */
const row = (/** @type {Person[]} */ people, /** @type {number} */ i, /** @type {boolean} */ off, /** @type {Send} */ send) => {
  const [seat] = people[i].seats,
    is = (/** @type {Person} */ one) => one[WHO] === people[i][WHO];
  return h(
    "li",
    {},
    h("input", {
      value: people[i].name,
      maxlength: 24,
      autocomplete: "off",
      disabled: off,
      placeholder: t("Player {n}", { n: i + 1 }),
      "aria-label": t("Name of player {n}", { n: i + 1 }),
      "data-key": `person-${seat}`,
      onchange: (/** @type {any} */ { target: { value } }) =>
        send((now) => now.map((one) => (is(one) ? { ...one, name: value.trim() } : one))),
    }),
    h(
      "button",
      {
        type: "button",
        class: "button",
        disabled: off || i === 0,
        "data-key": `earlier-${seat}`,
        "aria-label": t("{name} sits one place earlier", { name: personName(people[i], i) }),
        onclick: () => send((now) => earlier(now, now.findIndex(is))),
      },
      "↑",
    ),
  );
};

/** The people once the one at a place sits one place earlier; the first stays. */
const earlier = (/** @type {Person[]} */ people, /** @type {number} */ at) =>
  people.map((one, k) => (at > 0 && k === at - 1 ? people[at] : at > 0 && k === at ? people[at - 1] : one));

/** Whose a seat is. */
const chooser = (
  /** @type {LobbyState} */ state,
  /** @type {Person[]} */ people,
  /** @type {string} */ seat,
  /** @type {Send} */ send,
) =>
  h(
    "label",
    { class: "field" },
    h("span", {}, seatName(seat)),
    h(
      "select",
      {
        name: `seat-${seat}`,
        disabled: state.fixed,
        "data-key": `whose-${seat}`,
        onchange: (/** @type {any} */ { target: { value } }) => send((now, at) => given(now, at, seat, people[Number(value)])),
      },
      people.map((one, i) => h("option", { value: i, selected: one.seats.includes(seat) }, personName(one, i))),
    ),
  );

/** The seats shared out among so many people: those that are played alone first, the others evenly and in their order. */
function shared(/** @type {LobbyState} */ { seats, seating, choices }, /** @type {number} */ count) {
  const alone = seating?.alone ?? [],
    rest = seats.filter((seat) => !alone.includes(seat)),
    others = count - alone.length;
  return Array.from({ length: count }, (_, i) => ({
    name: choices.seating[i]?.name ?? "",
    seats:
      i < alone.length ? [alone[i]] : rest.filter((_seat, k) => Math.floor((k * others) / rest.length) === i - alone.length),
  }));
}

/** The seats once one was given to somebody. Two people change all their seats where one would have none left, or where one of
    their seats is played alone. */
function given(
  /** @type {Person[]} */ people,
  /** @type {LobbyState} */ state,
  /** @type {string} */ seat,
  /** @type {Person} */ whom,
) {
  const alone = state.seating?.alone ?? [],
    from = people.findIndex((one) => one.seats.includes(seat)),
    to = people.findIndex((one) => one[WHO] === whom[WHO]);
  if (from === to || from < 0) return people;
  const both = [...people[from].seats, ...people[to].seats];
  if (people[from].seats.length === 1 || both.some((one) => alone.includes(one)))
    return people.map((one, k) => ({
      ...one,
      seats: k === from ? people[to].seats : k === to ? people[from].seats : one.seats,
    }));
  const now = (/** @type {number} */ k) =>
    state.seats.filter((one) => (one === seat ? k === to : people[k].seats.includes(one)));
  return people.map((one, k) => ({ ...one, seats: now(k) }));
}
