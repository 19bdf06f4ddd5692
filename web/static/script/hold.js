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

/** How light and how sharp (levels from pixel to pixel, for each level of light) a film is now. */
export function seen(/** @type {HTMLVideoElement} */ film, [width, height] = [320, 180]) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height }),
    context = canvas.getContext("2d");
  context?.drawImage(film, 0, 0, width, height);
  const levels = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray(4);
  let light = 1,
    edges = 0; // green alone: it is most of what is seen
  for (let at = 1; at < levels.length; at += 4) {
    light += levels[at];
    edges += Math.abs(levels[at] - (levels[at + 4] ?? levels[at]));
  }
  return { light: light / (levels.length / 4), sharp: edges / light };
}

/** Whether a film was spoilt: some cameras jump elsewhere when they are told to stay. */
export const spoilt = (/** @type {ReturnType<typeof seen>} */ before, /** @type {ReturnType<typeof seen>} */ now) =>
  now.light < 0.7 * before.light || now.light > 1.4 * before.light || now.sharp < 0.6 * before.sharp;

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
