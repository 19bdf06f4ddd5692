// "What lies in this zone?": each card in its order, one more, or one less; and a zone of a position put together by hand.

import { h } from "../dom.js";
import { kindName, sideName } from "../store.js";
import { capital, t } from "../words.js";

/** Asks for every card of a zone, of a stack for those that show (`claimed`; null: for all). What is changed goes by the names
    of cards, so that it holds while others come; a side that several cards share names none, so then all of it is told, with
    what was laid upon it meanwhile. */
export function cardsOf(
  /** @type {Board} */ board,
  /** @type {Group} */ group,
  /** @type {Spot} */ zone,
  /** @type {Placement[]} */ here,
  /** @type {(() => string[]) | null} */ claimed,
) {
  const then = claimed?.();
  const pieces = board.pieces.filter((piece) => piece.group === group.key),
    alone = pieces.filter((piece) => !piece.faces.length || piece.faces.some((face) => !piece.shared?.includes(face))),
    named = new Set(alone.map((piece) => piece.id));
  const shows = (/** @type {Placement} */ one) => (one.nameless ? (one.face ?? "") : one.piece);
  const lying = [...here].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).map(shows),
    stack = board.zones?.find((one) => one.id === zone)?.order === "stack";
  const before = stack && then ? lying.slice(lying.length - Math.min(then.length, lying.length)) : lying;
  // As it is looked at: the upmost card of a stack is the one that was misread, and others would have to be scrolled past.
  const inOrder = (/** @type {any[]} */ all) => (stack ? all.reverse() : all);
  const word = kindName(group),
    names = (/** @type {string} */ side) =>
      new Set(pieces.filter((one) => one.faces.includes(side)).map((one) => one.name)).size,
    // Backs, which cards of every name have, come last. No position is put together with cards that nobody knows.
    sides = [...new Set(pieces.flatMap((piece) => piece.shared ?? []))]
      .filter((side) => names(side) === 1 || claimed || before.includes(side))
      .sort((a, b) => Number(names(a) > 1) - Number(names(b) > 1));
  const choices = [
    ["", t("no {what}", { what: word })],
    ...alone.map((piece) => [piece.id, piece.name]),
    ...sides.map((side) => [side, sideName(group, side)]),
  ];
  const select = (/** @type {string} */ now, /** @type {number} */ rank) =>
    h(
      "label",
      { class: "field" },
      h("span", {}, t("{what} {label}", { what: capital(word), label: rank + 1 })),
      h(
        "select",
        { name: `card-${rank}`, "data-key": `card-${rank}` },
        choices.map(([value, label]) => h("option", { value, selected: value === now }, label)),
      ),
    );
  const element = h(
    "div",
    { class: "cards-of-zone" },
    stack && before.length > 0 && h("p", { class: "quiet-note" }, t("The uppermost card comes first.")),
    inOrder([...before, ""].map(select)),
  );
  return {
    element,
    answers: () => {
      const told = inOrder([...element.querySelectorAll("select")].map((one) => one.value)),
        after = told.filter(Boolean);
      if (here.every((one) => !one.doubt) && after.join() === before.join()) return [];
      if ([...before, ...after].some((card) => !named.has(card)) || told.length - after.length > 2) {
        const now = claimed?.() ?? [],
          grown = then?.every((card, rank) => now[rank] === card),
          cards = grown ? [...after, ...now.slice(then?.length)] : after;
        return [{ subject: `${group.singular}:${zone}`, place: zone, cards }];
      }
      return [
        ...after.flatMap((card, rank) => (before[rank] === card ? [] : [{ subject: card, place: zone, rank }])),
        ...before.filter((card) => !after.includes(card)).map((card) => ({ subject: card, place: null })),
      ];
    },
  };
}

/** The zones of a group after one such answer. */
export function withCards(
  /** @type {Record<string, string[]>} */ zones,
  /** @type {any} */ { subject, place, rank = Infinity, cards: all = [] },
) {
  const zone = subject.split(":")[1],
    moved = new Set(zone ? all : [subject]);
  const found = Object.fromEntries(
    Object.entries(zones).map(([name, lying]) => [name, lying.filter((card) => !moved.has(card))]),
  );
  if (zone) found[zone] = place ? [...all] : [];
  else if (place) (found[place] ??= []).splice(rank, 0, subject);
  return Object.fromEntries(Object.entries(found).filter(([, lying]) => lying.length));
}
