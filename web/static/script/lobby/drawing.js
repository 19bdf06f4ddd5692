// The chosen board with its pieces at the start of a game, or laid out to be learnt, drawn as the game's own page draws it: to
// set up by.

import { drawBoard } from "../board/ground.js";
import { Pieces } from "../board/pieces.js";
import { place } from "../board/placing.js";
import { h, present } from "../dom.js";
import { getJson } from "../wire.js";
import { placeName, t } from "../words.js";

const TRIES = 5,
  PAUSE = 1500; // milliseconds between two of them
const fetched = new Map();

/** The chosen board and its start position, asked for once. */
export function drawn(/** @type {LobbyState} */ state) {
  const key = `${state.game}/${state.edition}`;
  if (!fetched.has(key)) fetched.set(key, asked(state));
  fetched.get(key).catch(() => fetched.delete(key));
  return fetched.get(key);
}

/** The same, tried for some time: a companion that compares pictures may answer late. */
async function asked(/** @type {LobbyState} */ state) {
  for (let left = TRIES; ; left -= 1) {
    const full = await getJson("/api/lobby?drawing=1").catch((error) => (left > 1 ? null : Promise.reject(error)));
    if (full && full.drawing.board.edition !== state.edition) throw new Error("another board by now");
    if (full) return full.drawing;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** @typedef {{ board: Board, start: State, lessons: State[] }} Drawing */

export const startPosition = (/** @type {LobbyState} */ state) =>
  figureOf(state, (drawing) => drawing.start, t("The start position of this board"));

/** What is laid for a picture by which the pieces are learnt, drawn, and in words for whoever cannot make it out. */
export function laidOut(/** @type {LobbyState} */ state, /** @type {number} */ number) {
  const title = t("The pieces as they are to be laid"),
    list = h("ul", { "data-key": `laid-${number}` });
  drawn(state).then(
    (/** @type {Drawing} */ { board, lessons }) => list.replaceChildren(...inWords(board, lessons[number])),
    () => {},
  );
  return [
    figureOf(state, (drawing) => drawing.lessons[number], title),
    h("details", { "data-key": `fold-laid-${number}` }, h("summary", {}, title), list),
  ];
}

/** One line for each piece: what it is, with the side that is up, and where it lies. */
function inWords(/** @type {Board} */ board, /** @type {State} */ lesson) {
  const spots = new Map([...board.cells, ...board.places].map((one) => [one.id, one])),
    pieces = new Map(board.pieces.map((one) => [one.id, one]));
  return [...place(board, lesson).values()].map((one) => {
    const { name, faces } = present(pieces.get(one.piece)),
      spot = present(spots.get(one.place)),
      what = one.face && faces.length > 1 ? `${name} (${t(one.face)})` : name;
    const where = "value" in spot ? placeName(spot) : spot.name ? t(spot.name) : spot.id;
    return h("li", {}, t("{what} on {place}", { what, place: where }));
  });
}

function figureOf(
  /** @type {LobbyState} */ state,
  /** @type {(drawing: Drawing) => State} */ shown,
  /** @type {string} */ title,
) {
  const figure = h("figure", { class: "start-drawing" });
  drawn(state).then(
    (/** @type {Drawing} */ drawing) => draw(figure, drawing.board, shown(drawing), title),
    () => {},
  ); // a picture less is no trouble
  return figure;
}

function draw(
  /** @type {HTMLElement} */ figure,
  /** @type {Board} */ board,
  /** @type {State} */ position,
  /** @type {string} */ title,
) {
  const svg = drawBoard(board, title);
  new Pieces(board, svg).show(place(board, position));
  svg.setAttribute("role", "img"); // to look at: nothing here can be pressed
  for (const element of svg.querySelectorAll("[role], [tabindex]")) {
    element.removeAttribute("role");
    element.removeAttribute("tabindex");
  }
  figure.replaceChildren(svg);
}
