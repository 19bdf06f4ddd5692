// What the lobby says, asked for again and again, and wishes sent to it. A wish answers with the new state at once.

import { id, present } from "../dom.js";
import { tell } from "../messages.js";
import { getJson, post, postLong } from "../wire.js";
import { useLabels } from "../words.js";

const EVERY = 1200,
  AFTER_TROUBLE = 3000;

export const lobby = {
  /** @type {LobbyState | null} */
  state: null,
  busy: "",
  doing: "",
  /** @type {Told | null} */
  trouble: null,
  /** Whether that was while the camera was lost. */
  lost: false,
};
/** @type {Set<(state: LobbyState) => void>} */
const readers = new Set();
let under = Promise.resolve(true); // the wish under way
/** Wishes that take long and are not done yet. @type {Map<string, Promise<boolean>>} */
const long = new Map();

export const onState = (/** @type {(state: LobbyState) => void} */ reader) => readers.add(reader);
export const redraw = () => {
  if (lobby.state) for (const reader of readers) reader(lobby.state);
};

function take(/** @type {LobbyState} */ state) {
  useLabels(state.labels);
  if (lobby.lost && state.camera && !state.camera.trouble_line) Object.assign(lobby, { trouble: null, lost: false });
  lobby.state = state;
  redraw();
}

/** @typedef {Record<string, any>} Fields */

/** Wish for something; wishes are done in the order in which they were made. `fields` may be a function of the lobby's state at
    the time when the wish goes out. `busy` is said while it is under way, and the same wish is not made a second
    time until then: its button is drawn anew meanwhile, and a second press on it means no second picture. What went wrong is
    kept in `lobby.trouble` for the step to show. Returns whether it was done. */
export function wish(
  /** @type {string} */ what,
  /** @type {Fields | ((state: LobbyState) => Fields)} */ fields = {},
  /** @type {{ busy?: string }} */ how = {},
) {
  const same = how.busy ? JSON.stringify([what, fields]) : "",
    before = long.get(same);
  if (before) return before;
  const next = () => send(what, fields, how);
  under = under.then(next, next);
  if (same) {
    long.set(same, under);
    under.finally(() => long.delete(same));
  }
  return under;
}

/** Change what is chosen for the evening. What is sent is made of the choices as they are when the wishes before it are done:
    of those that were drawn, a name given just before would be taken back. */
export const choose = (/** @type {(choices: Choices, state: LobbyState) => Partial<Choices>} */ changed) =>
  wish("choices", (state) => ({ choices: { ...state.choices, ...changed(state.choices, state) } }));

async function send(/** @type {string} */ what, /** @type {Fields | ((state: LobbyState) => Fields)} */ given, { busy = "" }) {
  const fields = typeof given === "function" ? given(present(lobby.state)) : given;
  lobby.trouble = null;
  if (busy) {
    Object.assign(lobby, { busy, doing: [what, ...Object.values(fields)].join(" ") });
    redraw();
  }
  try {
    const state = await (busy ? postLong : post)("/api/lobby", { do: what, ...fields });
    Object.assign(lobby, { busy: "", doing: "" });
    lobby.trouble = null;
    id("messages").replaceChildren(); // what was wrong before is not any more
    take(state);
    return true;
  } catch (error) {
    Object.assign(lobby, { busy: "", doing: "" });
    lobby.trouble = error;
    lobby.lost = Boolean(lobby.state?.camera?.trouble_line);
    redraw();
    document.querySelector("#step-body [data-key=trouble]")?.scrollIntoView({ block: "nearest" });
    return false;
  }
}

export async function follow() {
  for (;;) {
    let pause = EVERY;
    if (!document.hidden && !lobby.busy) {
      const before = lobby.state;
      try {
        const state = await getJson("/api/lobby");
        if (lobby.state === before && !lobby.busy) take(state); // a wish that came in between knows better
      } catch (error) {
        tell(error);
        pause = AFTER_TROUBLE;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
