// What a phone's camera adjusts by itself is held once it has settled: a camera that hunts for focus or light looks like
// motion, and one that focuses the hands sees the board a little closer. Names and units are those of W3C's MediaStream Image
// Capture; where a browser knows none of them, everything stays with the camera.

/** A mode, and the value that must be known for it to be held as it is now. @type {[string, string][]} */
const CONTROLS = [
  ["focusMode", "focusDistance"],
  ["exposureMode", "exposureTime"],
  ["whiteBalanceMode", "colorTemperature"],
];

/** Hold what can be held, as it is now. Returns the modes that are held. */
export function hold(/** @type {MediaStreamTrack} */ track) {
  const now = /** @type {Record<string, any>} */ (track.getSettings());
  return set(track, (mode, value, can) => {
    if (can[mode]?.includes("manual") && value in now) return { [mode]: "manual", [value]: now[value] };
    return can[mode]?.includes("single-shot") ? { [mode]: "single-shot" } : null;
  });
}

/** Let the camera adjust everything by itself. */
export function release(/** @type {MediaStreamTrack} */ track) {
  return set(track, (mode, _, can) => (can[mode]?.includes("continuous") ? { [mode]: "continuous" } : null));
}

async function set(
  /** @type {MediaStreamTrack} */ track,
  /** @type {(mode: string, value: string, can: Record<string, any>) => Record<string, any> | null} */ wanted,
) {
  const can = /** @type {Record<string, any>} */ (track.getCapabilities?.() ?? {});
  const advanced = CONTROLS.map(([mode, value]) => wanted(mode, value, can)).filter((one) => one !== null);
  // All at once, with those of the size: each call takes the place of the one before. A set that it refuses is left out.
  if (advanced.length) await track.applyConstraints({ ...track.getConstraints(), advanced }).catch(() => {});
  const now = /** @type {Record<string, any>} */ (track.getSettings());
  return CONTROLS.map(([mode]) => mode).filter((mode) => mode in now && now[mode] !== "continuous" && can[mode]);
}
