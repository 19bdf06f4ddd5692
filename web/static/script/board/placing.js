// From a position's JSON to "which piece lies where", by the lay-out of each group. No game is known here.

/** @returns {Map<string, {piece, place, face, facing, group, doubt}>} by piece id */
export function place(board, state, before = new Map()) {
  const found = new Map();
  for (const group of board.groups) {
    const mine = board.pieces.filter((piece) => piece.group === group.key);
    LAYOUTS[group.layout]?.(state?.[group.key], { group, mine, found, before, board });
  }
  return found;
}

const LAYOUTS = {
  "by-piece": (entries, { group, mine, found }) => {
    for (const piece of mine) {
      const entry = entries?.[piece.id];
      if (entry?.hex) found.set(piece.id, { piece: piece.id, place: entry.hex, face: entry.side ?? piece.faces[0] ?? null, facing: entry.facing ?? null, group: group.key });
    }
  },
  "by-place": (entries, context) => spread(Object.entries(entries ?? {}), context),
  places: (entries, context) => spread((entries ?? []).map((spot) => [spot, null]), context),
  pairs: (entries, context) => spread((entries ?? []).map((cells) => [[...cells].sort().join("+"), null]), context),
  lone: (entry, { group, mine, found }) => {
    if (entry?.hex && mine[0]) found.set(mine[0].id, { piece: mine[0].id, place: entry.hex, face: entry.side ?? mine[0].faces[0] ?? null, facing: null, group: group.key });
  },
  value: (value, { group, mine, found, board }) => {
    const spot = board.places.find((one) => group.on.includes(one.kind) && one.value === value);
    if (spot && mine[0]) found.set(mine[0].id, { piece: mine[0].id, place: spot.id, face: null, facing: null, group: group.key });
  },
};

/** Pieces that look alike keep their places when they can, so that only what moved is seen to move. */
function spread(entries, { group, mine, found, before }) {
  const free = new Set(mine.map((piece) => piece.id));
  let open = [...entries];
  const put = (piece, spot, label) => {
    free.delete(piece.id);
    found.set(piece.id, { piece: piece.id, place: spot, face: piece.faces.length ? label : null, facing: null, group: group.key });
  };
  const own = (piece, label) => label === null || piece.label === label;
  // A tile that was turned over shows a side that is not its name: those that show their own come first.
  const rounds = [
    (piece, spot, label) => (own(piece, label) || piece.faces.includes(label)) && before.get(piece.id)?.place === spot,
    (piece, spot, label) => own(piece, label),
    (piece, spot, label) => piece.faces.includes(label),
  ];
  for (const fits of rounds)
    open = open.filter(([spot, label]) => {
      const piece = mine.find((one) => free.has(one.id) && fits(one, spot, label));
      if (piece) put(piece, spot, label);
      return !piece;
    });
}

/** Whether the camera says anything of a group. Nothing where one piece alone would lie says that it is not there. */
export const tells = (group, claimed) => claimed[group.key] !== undefined && (claimed[group.key] !== null || group.layout === "lone");

/** What to show: what the camera claims; where it cannot tell, what the record believes, marked as doubtful. */
export function believed(board, snapshot, before) {
  const claimed = snapshot.table?.state ?? {}, unknown = snapshot.table?.unknown ?? {};
  const merged = { ...snapshot.position };
  for (const group of board.groups) if (tells(group, claimed)) merged[group.key] = claimed[group.key];
  const accepted = place(board, snapshot.position, before);
  const shown = place(board, merged, before);
  for (const group of board.groups) {
    const reported = tells(group, claimed);
    for (const piece of board.pieces.filter((one) => one.group === group.key)) {
      const spot = accepted.get(piece.id);
      const doubted = piece.id in unknown || (spot && `${group.singular}:${spot.place}` in unknown);
      if (doubted && spot && !shown.has(piece.id)) shown.set(piece.id, { ...spot, doubt: "unknown" });
      else if (doubted && shown.has(piece.id)) shown.set(piece.id, { ...shown.get(piece.id), doubt: "unknown" });
      else if (reported && spot && !shown.has(piece.id)) shown.set(piece.id, { ...spot, doubt: "missing" });
      else if (group.layout === "value" && !reported && spot && awaited(snapshot, piece)) shown.set(piece.id, { ...spot, doubt: "missing" });
    }
  }
  return { accepted, shown };
}

/** Whether hands are asked to put a piece somewhere. A counter that the camera is not shown is nobody's business otherwise. */
const awaited = (snapshot, piece) => (snapshot.chores ?? []).some((chore) => chore.subject === piece.id);
