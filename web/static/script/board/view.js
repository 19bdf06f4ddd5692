// The board on the page: printed ground, pieces, marks and spoken labels, brought in line with each snapshot.

import { id, present } from "../dom.js";
import { allowances } from "./faults.js";
import { cellsOf, inUnits, shownOn } from "./geometry.js";
import { drawBoard } from "./ground.js";
import { Marks } from "./marks.js";
import { Pieces } from "./pieces.js";
import { believed } from "./placing.js";
import { walk } from "./walking.js";
import { playing } from "../expects.js";
import { peopleOf } from "../page_data.js";
import { Zoom } from "./zoom.js";
import { kindName, placeName, sideName } from "../store.js";
import { capital, t, wording, zoneName } from "../words.js";

export class BoardView {
  /** `host` is where it is drawn: the page's board, or a copy in a dialog. */
  constructor(/** @type {Board} */ plain, /** @type {(spot: Spot) => void} */ choose, host = id("board")) {
    const board = inUnits(plain);
    this.board = board;
    this.svg = drawBoard(board, t("The board as the companion believes it"));
    host.replaceChildren(this.svg);
    // Where many small sites lie close, the board is larger than its frame, so that a finger still finds each of them.
    host.classList.toggle("roomy", board.surface === "graph");
    this.host = host;
    /** How large a board with room to spare is drawn; null where it always fits its frame. */
    this.zoom = board.surface === "graph" ? new Zoom(host, this.svg, board.size) : null;
    this.pieces = new Pieces(board, this.svg);
    this.marks = new Marks(board, this.svg);
    /** @type {Map<string, Placement>} */
    this.shown = new Map();
    this.spots = new Map(
      [...this.svg.querySelectorAll("[data-spot-id]")].map((element) => [element.dataset.spotId ?? "", element]),
    );
    this.key = "";
    /** What this seat alone sees on the board, and may choose there. @type {Lit} */
    this.lit = { choose: [], chosen: [], trail: [] };
    /** What a map says of the board, and which spots a question is about. @type {ShownMap} */
    this.map = { possible: [], out: [], way: [], marked: [] };
    /** @type {{ spot: Spot, number: number }[]} */
    this.asked = [];
    /** @type {Set<Spot>} */
    this.wrong = new Set();
    /** @type {{ reach: Spot[], lay: Spot[] }} */
    this.allowed = { reach: [], lay: [] };
    this.stand = walk(board, this.svg, choose);
  }

  /** What a screen reader calls the whole board. */
  name(/** @type {string} */ label) {
    if (this.svg.getAttribute("aria-label") !== label) this.svg.setAttribute("aria-label", label);
  }

  /** Mark what a seat alone sees and may choose; drawn with the next update. */
  light(/** @type {Lit} */ lit) {
    this.lit = lit;
  }

  /** What a map says, and the spots that a question is about with their numbers; drawn with the next update. */
  overlay(/** @type {ShownMap} */ map, /** @type {{ spot: Spot, number: number }[]} */ asked) {
    this.map = map;
    this.asked = asked;
  }

  /** Bring spots into sight in the board's own frame. */
  frame(/** @type {Spot[]} */ spots) {
    const at = new Map([...this.board.cells, ...this.board.places].map((spot) => [spot.id, spot.at]));
    this.zoom?.frame(spots.flatMap((spot) => (at.has(spot) ? [present(at.get(spot))] : [])));
  }

  /** What lies on one spot now, as placements. */
  on(/** @type {Spot} */ spot) {
    return [...this.shown.values()].filter(
      (placement) => cellsOf(placement.place).includes(spot) && placement.doubt !== "missing",
    );
  }

  update(/** @type {BoardState} */ snapshot, /** @type {any} */ lastPlay) {
    const key = JSON.stringify([
      snapshot.position,
      snapshot.table,
      snapshot.flag,
      snapshot.unfinished,
      snapshot.chores,
      snapshot.expects,
      peopleOf(this.board, snapshot).told,
      this.lit,
      this.map,
      this.asked,
      lastPlay?.number,
    ]);
    if (key === this.key) return;
    this.key = key;
    const { shown } = believed(this.board, snapshot, this.shown);
    /** @type {{ piece: string, path: Spot[] }[]} */
    const moves = (lastPlay?.data.moves ?? []).map((/** @type {Move} */ move) => ({
      piece: this.#moved(move, shown),
      path: move.path && move.path.length > 1 ? move.path : [move.from, move.to],
    }));
    this.pieces.show(
      shown,
      new Map(
        moves.filter(({ piece, path }) => shown.get(piece)?.place === path.at(-1)).map(({ piece, path }) => [piece, path]),
      ),
    );
    this.shown = shown;
    const chores = snapshot.flag?.chores ?? snapshot.chores ?? [],
      faults = (snapshot.flag ?? snapshot.unfinished)?.faults ?? [];
    const home = snapshot.flag ? chores.flatMap((chore) => (chore.to ? cellsOf(chore.to) : [])) : [];
    this.wrong = new Set(snapshot.flag ? faults.flatMap((fault) => fault.cells).filter((cell) => !home.includes(cell)) : []);
    this.allowed = allowances(this.board, snapshot, faults);
    this.marks.show({
      wrong: [...this.wrong],
      hidden: [...this.wrong].filter(this.#hidden),
      home,
      ...this.allowed,
      covered: this.allowed.lay.filter(this.#hidden),
      back: chores.flatMap(({ place, to }) => (place && to && place !== to ? [[place, to]] : [])),
      hints: chores.flatMap(({ place, to }) => (place && !to ? [place] : [])),
      ...this.lit,
      possible: this.map.possible,
      out: this.map.out,
      trail: [...this.lit.trail, ...this.map.way],
      chosen: [...this.lit.chosen, ...this.map.marked],
      asked: this.asked,
      trails: playing(snapshot) && !snapshot.flag ? moves.filter((move) => move.path.every(Boolean)).map(this.#ending) : [],
    });
    if (home.length || this.wrong.size) this.#bring([...this.wrong, ...home]);
    for (const place of this.board.places)
      if (place.value !== null)
        // Of a track whose places show something else than they count none is the turn.
        present(this.spots.get(place.id)).dataset.now =
          place.value === snapshot.turn && shownOn(place) === String(snapshot.turn) ? "yes" : "no";
    this.#label(snapshot);
  }

  /** Scroll a board that is larger than its frame so that some spots are in sight, and nothing else. */
  #bring(/** @type {Spot[]} */ spots) {
    const boxes = spots.flatMap((spot) => this.spots.get(spot)?.getBoundingClientRect() ?? []),
      frame = this.host.getBoundingClientRect();
    if (!boxes.length || this.host.scrollWidth <= this.host.clientWidth + 1) return;
    const middle = (/** @type {(box: DOMRect) => number} */ of) => boxes.reduce((sum, box) => sum + of(box), 0) / boxes.length;
    this.host.scrollBy(
      middle((box) => box.left + box.width / 2) - frame.left - frame.width / 2,
      middle((box) => box.top + box.height / 2) - frame.top - frame.height / 2,
    );
  }

  /** Tiles that look alike from above go by their kind and the side that is up: what is on the back nobody needs to know. */
  #name(/** @type {Piece} */ piece) {
    const group = present(this.board.groups.find((one) => one.key === piece.group));
    return group.layout === "by-place" && piece.faces.length ? capital(t(group.singular)) : piece.name;
  }

  /** What a screen reader calls an empty spot. */
  #spot(/** @type {string} */ spot, /** @type {Map<string, Place>} */ places) {
    const cell = this.board.cells.find((one) => one.id === spot),
      place = places.get(spot);
    if (place) return placeName(place);
    return cell ? `${cell.name ?? spot}: ${t(cell.decor ?? cell.kind)}` : capital(zoneName(spot));
  }

  /** A card comes to lie at its place in the zone, not in the middle of it. */
  #ending = (/** @type {{ piece: string, path: Spot[] }} */ move) => ({
    ...move,
    end: this.board.zones?.some((zone) => zone.id === move.path.at(-1)) ? this.pieces.drawnAt(move.piece) : undefined,
  });

  /** Whether what is marked on a spot would not be seen. */
  #hidden = (/** @type {Spot} */ spot) => this.on(spot).some((placement) => this.#fills(placement));

  /** Whether a piece hides the whole cell or zone it lies on, and with it what is marked there. */
  #fills(/** @type {Placement} */ placement) {
    return ["hexagon", "card"].includes(this.board.groups.find((group) => group.key === placement.group)?.shape ?? "");
  }

  /** A move names a piece, or a kind and the place it left. */
  #moved(/** @type {Move} */ move, /** @type {Map<string, Placement>} */ shown) {
    if (this.board.pieces.some((piece) => piece.id === move.piece)) return move.piece;
    const word = move.piece.split(":")[0],
      group = this.board.groups.find((one) => one.singular === word);
    return (
      [...shown.values()].find((placement) => placement.place === move.to && placement.group === group?.key)?.piece ??
      move.piece
    );
  }

  #label(/** @type {BoardState} */ snapshot) {
    const names = new Map(this.board.pieces.map((piece) => [piece.id, piece]));
    const people = peopleOf(this.board, snapshot);
    const reach = new Set(snapshot.flag ? this.allowed.reach : []),
      lay = new Set(snapshot.flag ? this.allowed.lay.flatMap(cellsOf) : []);
    const places = new Map(this.board.places.map((place) => [place.id, place]));
    const [possible, out] = [new Set(this.map.possible), new Set(this.map.out)],
      asked = new Map(this.asked.map((one) => [one.spot, one.number]));
    const here = new Map();
    for (const placement of this.shown.values())
      for (const cell of cellsOf(placement.place)) here.set(cell, [...(here.get(cell) ?? []), placement]);
    for (const [spot, element] of this.spots) {
      const words = [this.#spot(spot, places)];
      for (const { piece, face, facing, doubt, nameless } of here.get(spot) ?? []) {
        const parts = [];
        if (face && !nameless) parts.push(t(face));
        if (facing) parts.push(t("facing {direction}", { direction: t(facing) }));
        const state = people.state(piece);
        if (state) parts.push(wording(`state-${state}`));
        if (doubt === "unknown") parts.push(t("not sure"));
        if (doubt === "missing") parts.push(t("belongs here, is missing"));
        const kind = present(names.get(piece)),
          group = present(this.board.groups.find((one) => one.key === kind.group)),
          name = nameless ? (face ? sideName(group, face) : capital(kindName(group))) : this.#name(kind);
        words.push(parts.length ? `${name} (${parts.join(", ")})` : name);
      }
      if (!here.has(spot) && !places.has(spot)) words.push(t("empty"));
      if (this.wrong.has(spot)) words.push(t("not allowed here"));
      if (reach.has(spot)) words.push(t("within reach"));
      if (lay.has(spot)) words.push(t("may lie here"));
      if (this.lit.trail.includes(spot)) words.push(t("on your way"));
      if (this.lit.choose.includes(spot)) words.push(t("can be chosen"));
      if (this.lit.chosen.includes(spot)) words.push(t("chosen"));
      if (asked.has(spot)) words.push(t("asked about, number {n}", { n: asked.get(spot) }));
      if (this.map.way.includes(spot)) words.push(t("on the way that was secret"));
      if (possible.has(spot)) words.push(t("possible"));
      if (out.has(spot)) words.push(t("ruled out"));
      element.dataset.covered = here.has(spot) ? "yes" : "no";
      element.setAttribute("aria-label", words.join(", "));
    }
  }
}
