// What a fault is about: a character who walks, or a piece that is laid.

import { believed } from "./placing.js";
import { cellsOf } from "./geometry.js";

/** Splits the places that faults allow: `reach`, where a character may go, and `lay`, where a piece may lie. */
export function allowances(/** @type {Board} */ board, /** @type {BoardState} */ snapshot, /** @type {Fault[]} */ faults) {
  /** @type {{ reach: Spot[], lay: Spot[] }} */
  const found = { reach: [], lay: [] };
  if (!faults.some((fault) => fault.allowed.length)) return found;
  const { shown } = believed(board, snapshot, new Map());
  for (const fault of faults) found[ofLaidPiece(board, shown, fault) ? "lay" : "reach"].push(...fault.allowed);
  return found;
}

const walks = (/** @type {Group} */ group) => ["by-piece", "lone"].includes(group.layout);

/** Told by the fault's code, which begins with the kind of piece; by places where nobody can walk; or by a tile that lies where
    the fault is, while the character it names stands elsewhere. */
function ofLaidPiece(
  /** @type {Board} */ board,
  /** @type {Map<string, Placement>} */ shown,
  /** @type {any} */ { code = "", character, cells, allowed },
) {
  const group = board.groups.find((one) => one.singular === code.split("-")[0]);
  if (group) return !walks(group);
  const ground = new Set(board.groups.filter(walks).flatMap((one) => one.on));
  const kinds = new Map([...board.cells, ...board.places].map((cell) => [cell.id, cell.kind]));
  if (allowed.length && allowed.every((/** @type {Spot} */ cell) => !ground.has(kinds.get(cell) ?? ""))) return true;
  const tile = [...shown.values()].some(
    (one) => cellsOf(one.place).includes(cells[0]) && board.groups.find((each) => each.key === one.group)?.shape === "hexagon",
  );
  return tile && Boolean(character) && !cells.includes(shown.get(character)?.place);
}
