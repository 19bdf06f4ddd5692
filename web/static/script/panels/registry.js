// Panels of the page by kind of expectation. A panel draws one expectation; what is not registered is not drawn.

/** @typedef {(one: any, snapshot: Snapshot) => Child} Draw */

/** @type {Map<string, { draw: Draw, unless: string[] }>} */
const PANELS = new Map();
/** Nothing of a game is on record: then the table is laid for the start. */
const NOTHING_YET = [{ kind: "arrangement", start: true, reached: "" }];

/** Register the panel of a kind of expectation. It is not drawn where one of the kinds `unless` is expected as well. */
export const panel = (/** @type {string} */ kind, /** @type {Draw} */ draw, /** @type {string[]} */ unless = []) =>
  PANELS.set(kind, { draw, unless });

/** The panels of everything that is expected, in its order. */
export function panels(/** @type {Snapshot} */ snapshot) {
  const all = /** @type {{ kind: string }[]} */ (snapshot.expects?.length ? snapshot.expects : NOTHING_YET),
    kinds = new Set(all.map((one) => one.kind));
  return all.map((one) => {
    const found = PANELS.get(one.kind);
    return found && !found.unless.some((kind) => kinds.has(kind)) ? found.draw(one, snapshot) : null;
  });
}
