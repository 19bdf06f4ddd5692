// From a position's JSON to "which piece lies where", by the lay-out of each group. No game is known here.

import { present } from "../dom.js";
/** @returns {Map<string, Placement>} by piece id */
export function place(
  /** @type {Board} */ board,
  /** @type {State | null} */ state,
  before = /** @type {Map<string, Placement>} */ (new Map()),
) {
  const found = new Map();
  for (const group of board.groups) {
    const mine = board.pieces.filter((piece) => piece.group === group.key);
    LAYOUTS[group.layout]?.(state?.[group.key], { group, mine, found, before, board });
  }
  return found;
}

/** @type {Record<string, any>} */
const LAYOUTS = {
  "by-piece": (/** @type {any} */ entries, /** @type {any} */ { group, mine, found }) => {
    for (const piece of mine) {
      const entry = entries?.[piece.id];
      if (entry?.hex)
        found.set(piece.id, {
          piece: piece.id,
          place: entry.hex,
          face: entry.side ?? piece.faces[0] ?? null,
          facing: entry.facing ?? null,
          group: group.key,
        });
    }
  },
  "by-place": (/** @type {any} */ entries, /** @type {any} */ context) => spread(Object.entries(entries ?? {}), context),
  places: (/** @type {any} */ entries, /** @type {any} */ context) =>
    spread(
      (entries ?? []).map((/** @type {Spot} */ spot) => [spot, null]),
      context,
    ),
  pairs: (/** @type {any} */ entries, /** @type {any} */ context) =>
    spread(
      (entries ?? []).map((/** @type {Spot[]} */ cells) => [[...cells].sort().join("+"), null]),
      context,
    ),
  lone: (/** @type {any} */ entry, /** @type {any} */ { group, mine, found }) => {
    if (entry?.hex && mine[0])
      found.set(mine[0].id, {
        piece: mine[0].id,
        place: entry.hex,
        face: entry.side ?? mine[0].faces[0] ?? null,
        facing: null,
        group: group.key,
      });
  },
  "by-zone": (/** @type {any} */ zones, /** @type {any} */ context) => cards(zones ?? {}, context),
  value: (/** @type {any} */ value, /** @type {any} */ { group, mine, found, board }) => {
    const spot = board.places.find((/** @type {Place} */ one) => group.on.includes(one.kind) && one.value === value);
    if (spot && mine[0])
      found.set(mine[0].id, { piece: mine[0].id, place: spot.id, face: null, facing: null, group: group.key });
  },
};

/** The cards of each zone in their order. One that shows a side which several share is any of these, the same as before if it
    can be. */
function cards(/** @type {Record<string, string[]>} */ zones, /** @type {any} */ { group, mine, found, before }) {
  const pieces = /** @type {Map<string, Piece>} */ (new Map(mine.map((/** @type {Piece} */ piece) => [piece.id, piece])));
  const free = new Set(pieces.keys());
  for (const card of Object.values(zones).flat()) free.delete(card);
  const standIn = (/** @type {string} */ zone, /** @type {string} */ side) => {
    const fits = [...free].filter((id) => present(pieces.get(id)).faces.includes(side)),
      same = fits.find((id) => before.get(id)?.nameless && before.get(id).place === zone && before.get(id).face === side);
    const chosen = same ?? fits[0];
    if (chosen) free.delete(chosen);
    return chosen;
  };
  for (const [zone, lying] of Object.entries(zones))
    lying.forEach((card, rank) => {
      const named = pieces.get(card),
        piece = named ? card : standIn(zone, card);
      if (!piece) return;
      const own = named?.faces.find((face) => !named.shared?.includes(face)) ?? null;
      found.set(piece, {
        piece,
        place: zone,
        face: named ? own : card,
        facing: null,
        group: group.key,
        rank,
        of: lying.length,
        nameless: !named,
      });
    });
}

/** What shows in each zone, with the cards that lay below the lowest of a stack that shows, and those of zones that cannot be
    read. */
export function uncovered(
  /** @type {Board} */ board,
  /** @type {string} */ key,
  /** @type {Record<string, string[]>} */ accepted,
  /** @type {Record<string, string[]>} */ claimed,
  /** @type {Record<string, string>} */ unknown,
) {
  const group = present(board.groups.find((one) => one.key === key)),
    seen = new Set(Object.values(claimed).flat()),
    named = new Set(board.pieces.map((piece) => piece.id));
  /** @type {Record<string, string[]>} */
  const found = { ...claimed };
  for (const zone of board.zones ?? []) {
    const now = claimed[zone.id] ?? [],
      was = (accepted[zone.id] ?? []).filter((card) => !named.has(card) || !seen.has(card) || now.includes(card));
    if (`${group.singular}:${zone.id}` in unknown) found[zone.id] = [...was, ...now.filter((card) => !was.includes(card))];
    else if (zone.order === "stack" && now.length) {
      const lowest = was.lastIndexOf(now[0]);
      found[zone.id] = [...(lowest < 0 ? was : was.slice(0, lowest)), ...now];
    }
  }
  return found;
}

/** Pieces that look alike keep their places when they can, so that only what moved is seen to move. */
function spread(/** @type {any} */ entries, /** @type {any} */ { group, mine, found, before }) {
  const free = new Set(mine.map((/** @type {Piece} */ piece) => piece.id));
  let open = [...entries];
  const put = (/** @type {Piece} */ piece, /** @type {Spot} */ spot, /** @type {any} */ label) => {
    free.delete(piece.id);
    found.set(piece.id, {
      piece: piece.id,
      place: spot,
      face: piece.faces.length ? label : null,
      facing: null,
      group: group.key,
    });
  };
  const own = (/** @type {Piece} */ piece, /** @type {any} */ label) => label === null || piece.label === label;
  // A tile that was turned over shows a side that is not its name: those that show their own come first.
  const rounds = [
    (/** @type {Piece} */ piece, /** @type {Spot} */ spot, /** @type {any} */ label) =>
      (own(piece, label) || piece.faces.includes(label)) && before.get(piece.id)?.place === spot,
    (/** @type {Piece} */ piece, /** @type {Spot} */ spot, /** @type {any} */ label) => own(piece, label),
    (/** @type {Piece} */ piece, /** @type {Spot} */ spot, /** @type {any} */ label) => piece.faces.includes(label),
  ];
  for (const fits of rounds)
    open = open.filter(([spot, label]) => {
      const piece = mine.find((/** @type {Piece} */ one) => free.has(one.id) && fits(one, spot, label));
      if (piece) put(piece, spot, label);
      return !piece;
    });
}

/** Whether the camera says anything of a group. Nothing where one piece alone would lie says that it is not there. */
export const tells = (/** @type {Pick<Group, "key" | "layout">} */ group, /** @type {State} */ claimed) =>
  claimed[group.key] !== undefined && (claimed[group.key] !== null || group.layout === "lone");

/** What to show: what the camera claims; where it cannot tell, what the record believes, marked as doubtful. */
export function believed(/** @type {Board} */ board, /** @type {BoardState} */ snapshot, /** @type {any} */ before) {
  const claimed = snapshot.table?.state ?? {},
    unknown = snapshot.table?.unknown ?? {};
  const merged = { ...snapshot.position };
  for (const group of board.groups)
    if (tells(group, claimed))
      merged[group.key] =
        group.layout === "by-zone"
          ? uncovered(board, group.key, snapshot.position?.[group.key] ?? {}, claimed[group.key], unknown)
          : claimed[group.key];
  const accepted = place(board, snapshot.position, before);
  const shown = place(board, merged, before);
  for (const group of board.groups) {
    const reported = tells(group, claimed);
    for (const piece of board.pieces.filter((one) => one.group === group.key)) {
      const spot = accepted.get(piece.id);
      const doubted = piece.id in unknown || (spot && `${group.singular}:${spot.place}` in unknown);
      if (doubted && spot && !shown.has(piece.id)) shown.set(piece.id, { ...spot, doubt: "unknown" });
      else if (doubted && shown.has(piece.id)) shown.set(piece.id, { ...present(shown.get(piece.id)), doubt: "unknown" });
      else if (reported && spot && !shown.has(piece.id)) shown.set(piece.id, { ...spot, doubt: "missing" });
      else if (group.layout === "value" && !reported && spot && awaited(snapshot, piece))
        shown.set(piece.id, { ...spot, doubt: "missing" });
    }
  }
  return { accepted, shown };
}

/** Whether hands are asked to put a piece somewhere. A counter that the camera is not shown is nobody's business otherwise. */
const awaited = (/** @type {BoardState} */ snapshot, /** @type {Piece} */ piece) =>
  (snapshot.chores ?? []).some((chore) => chore.subject === piece.id);
