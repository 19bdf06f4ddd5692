// The chosen board with its pieces at the start of a game, drawn as the game's own page draws it: to set up by.

import { drawBoard } from "../board/ground.js";
import { Pieces } from "../board/pieces.js";
import { place } from "../board/placing.js";
import { h } from "../dom.js";
import { getJson } from "../wire.js";
import { t } from "../words.js";

const fetched = new Map();

/** The chosen board and its start position, asked for once. */
export function drawn(/** @type {LobbyState} */ state) {
  const key = `${state.game}/${state.edition}`;
  if (!fetched.has(key))
    fetched.set(
      key,
      getJson("/api/lobby?drawing=1").then((full) =>
        full.drawing.board.edition === state.edition ? full.drawing : Promise.reject(new Error("another board by now")),
      ),
    );
  fetched.get(key).catch(() => fetched.delete(key));
  return fetched.get(key);
}

export function startPosition(/** @type {LobbyState} */ state) {
  const figure = h("figure", { class: "start-drawing" });
  drawn(state).then(
    (/** @type {{ board: Board, start: State }} */ drawing) => draw(figure, drawing),
    () => {},
  ); // a picture less is no trouble
  return figure;
}

function draw(/** @type {HTMLElement} */ figure, /** @type {{ board: Board, start: State }} */ { board, start }) {
  const svg = drawBoard(board, t("The start position of this board"));
  new Pieces(board, svg).show(place(board, start));
  svg.setAttribute("role", "img"); // to look at: nothing here can be pressed
  for (const element of svg.querySelectorAll("[role], [tabindex]")) {
    element.removeAttribute("role");
    element.removeAttribute("tabindex");
  }
  figure.replaceChildren(svg);
}
