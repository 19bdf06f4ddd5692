// Another game at the same table: it is served at the same address, a moment after the one before ended.

import { getJson } from "./wire.js";

const TRIES = 60,
  PAUSE = 500; // milliseconds between two tries

/** Wait until the lobby of the next game answers; gives up after half a minute. */
export async function nextGame() {
  for (let tries = 0; tries < TRIES; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const state = await getJson("/api/lobby").catch(() => null);
    if (state && !state.playing) return;
  }
}
