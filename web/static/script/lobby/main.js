// The lobby: one step after the other beside the live picture, each open to be done again.

import "../focus.js";
import { once } from "../act.js";
import { h, id, keep } from "../dom.js";
import { startTheme } from "../theme.js";
import { watchSeat } from "../seat.js";
import { LANGUAGE, LANGUAGES, t } from "../words.js";
import { symbols } from "../symbols.js";
import { board } from "./board.js";
import { camera } from "./camera.js";
import { game } from "./game.js";
import { pieces } from "./pieces.js";
import { rules } from "./rules.js";
import { seats } from "./seats.js";
import { sound } from "./sound.js";
import { begin, start } from "./start.js";
import { follow, lobby, onState, wish } from "./state.js";
import { told } from "./trouble.js";
import { showView } from "./view.js";

// Each step: its short name, its question, whether the picture helps, whether it has a place of its own for what went wrong
// (else that stands on top), and how its body is drawn.
/** @type {Record<string, any>} */
const STEPS = { game, camera, board, pieces, rules, sound, seats, start };
const names = () => Object.keys(STEPS);

startTheme();
watchSeat();
const language = /** @type {HTMLSelectElement} */ (id("language"));
language.append(
  ...Object.entries(LANGUAGES).map(([tag, name]) => h("option", { value: tag, lang: tag, selected: tag === LANGUAGE }, name)),
);
language.addEventListener("change", () => (location.search = `?lang=${language.value}`));

let shown = "";

onState((/** @type {LobbyState} */ state) => {
  const step = STEPS[state.at];
  drawSteps(state);
  id("simulated").hidden = !state.camera?.simulated;
  id("lobby").dataset.step = state.at;
  id("step-count").textContent = t("Step {n} of {all}", { n: names().indexOf(state.at) + 1, all: names().length });
  id("step-title").textContent = step.title(state);
  id("step-title").hidden = false;
  id("lobby").removeAttribute("aria-busy"); // the first answer may take as long as pictures are compared
  keep(id("step-body"), [state.at, step.depends(state), lobby.busy, lobby.trouble?.message], () => [
    !step.tells?.(state) && told(),
    step.body(state),
  ]);
  step.after?.(state);
  showView(state, step);
  drawOnward(state);
  if (shown && shown !== state.at) {
    id("step").focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }
  shown = state.at;
});

function drawSteps(/** @type {LobbyState} */ state) {
  const done = new Map(state.steps.map((one) => [one.id, one.done]));
  keep(id("steps"), [state.at, [...done]], () =>
    names().map((name, index) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "step-link",
            "data-key": `step-${name}`,
            "data-done": done.get(name) ? "yes" : "no",
            "aria-current": name === state.at ? "step" : null,
            onclick: () => wish("go", { step: name }),
          },
          h("span", { class: "step-sign" }, done.get(name) ? symbols.tick() : index + 1),
          h("span", { class: "step-name" }, STEPS[name].name()),
          h("span", { class: "spoken-only" }, done.get(name) ? t("done") : t("open")),
        ),
      ),
    ),
  );
}

function drawOnward(/** @type {LobbyState} */ state) {
  const at = names().indexOf(state.at),
    before = names()[at - 1],
    after = names()[at + 1];
  const blocked = ["camera", "board", "pieces"].includes(state.at) && !state.steps[at].done;
  keep(
    id("onward"),
    [state.at, blocked, Boolean(state.resume), state.playing, state.changed, state.missing.length, lobby.busy],
    () => [
      before &&
        h(
          "button",
          { type: "button", class: "button", "data-key": "before", onclick: () => wish("go", { step: before }) },
          t("Back"),
        ),
      state.playing &&
        (state.at !== "start" || state.changed) &&
        h("button", { type: "button", class: "button", "data-key": "to-game", onclick: toGame }, t("Back to the game")),
      h("p", { class: "busy", role: "status" }, lobby.busy),
      state.at === "start" &&
        h(
          "button",
          {
            type: "button",
            class: ["button", "main", "begin"],
            "data-key": "begin",
            "aria-disabled": state.missing.length ? "true" : null,
            onclick: once(() => begin(lobby.state ?? state)),
          },
          state.playing ? t("Go on with the game") : t("Start the game"),
        ),
      after &&
        h(
          "button",
          {
            type: "button",
            class: ["button", !blocked && !(state.resume?.camera && at === 0) && "main"],
            "data-key": "after",
            onclick: () => wish("go", { step: after }),
          },
          blocked ? t("Later") : t("Next"),
        ),
    ],
  );
}

async function toGame() {
  if (await wish("back")) location.assign("/");
}

follow();
