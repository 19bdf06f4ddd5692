// The live picture beside the step: the next is asked for when the last has arrived, none while nobody looks.

import { h, id } from "../dom.js";
import { getBlob } from "../wire.js";
import { t, sentence } from "../words.js";
import { Corners } from "./corners.js";
import { Pointer } from "./pointing.js";
import { onTurn } from "./board.js";
import { cameraWords } from "./camera.js";
import { wish } from "./state.js";

const PAUSE = 300,
  PAUSE_AFTER_TROUBLE = 1500;
let /** @type {any} */ parts = null;

/** Show or hide the picture; `step.lines` has the board drawn in, `step.corners` the handles, `step.point` a ring for one
    piece; while `step.keeps` it stays in sight above what is pressed. */
export function showView(/** @type {LobbyState} */ state, /** @type {any} */ step) {
  const camera = step.picture ? state.camera : null,
    wanted = camera !== null;
  id("view").hidden = !wanted;
  id("lobby").dataset.view = wanted ? "yes" : "no";
  const pointing = Boolean(wanted && step.point?.(state));
  id("lobby").dataset.kept = pointing || (wanted && step.keeps?.(state)) ? "yes" : "no";
  if (!camera) {
    if (parts) parts.running = false;
    return;
  }
  parts ??= make();
  parts.lines = step.lines ? 1 : 0;
  parts.onward.hidden = !camera.recorded || Boolean(step.still);
  parts.ready = Boolean(camera.size);
  parts.state.textContent = line(camera);
  parts.state.dataset.state = camera.state;
  parts.corners.show(step.corners?.(state) ? state : null);
  parts.pointer.show(pointing);
  if (!parts.running) run(parts);
}

function line(/** @type {LobbyCamera} */ camera) {
  const { size, trouble_line: trouble } = camera;
  const name = ["demo", "phone"].includes(camera.kind) ? cameraWords(camera) : camera.name;
  if (trouble) return sentence(trouble);
  return size
    ? t("{name}, {width} × {height} pixels", { name, width: size[0], height: size[1] })
    : t("Waiting for the first picture.");
}

function make() {
  const image = h("img", { id: "live", alt: t("Live picture of the table"), hidden: true });
  const frame = h("div", { class: "sight live" }, image);
  const state = h("p", { class: "view-state", id: "view-state" });
  const onward = h(
    "button",
    { type: "button", class: "button", "data-key": "onward", hidden: true, onclick: () => wish("onward") },
    t("Next picture of the recording"),
  );
  id("view").append(frame, h("div", { class: "view-foot" }, state, onward));
  const corners = new Corners(frame, image);
  onTurn(() => corners.turn());
  return { image, frame, state, onward, corners, pointer: new Pointer(frame, image), running: false, ready: false, lines: 0 };
}

async function run(/** @type {any} */ view) {
  view.running = true;
  let shown = null;
  while (view.running) {
    let pause = PAUSE;
    if (!document.hidden && view.ready) {
      try {
        const next = URL.createObjectURL(await getBlob(`/api/lobby/picture.jpg?lines=${view.lines}`));
        view.image.src = next;
        await view.image.decode().catch(() => {});
        if (shown) URL.revokeObjectURL(shown);
        shown = next;
        view.image.hidden = false;
        if (view.image.naturalWidth) view.frame.style.aspectRatio = `${view.image.naturalWidth} / ${view.image.naturalHeight}`;
        view.corners.place();
      } catch {
        pause = PAUSE_AFTER_TROUBLE; // the line below the picture says what the lobby knows
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
