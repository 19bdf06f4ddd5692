// A sound for a new flag: two tones, made here, so that nothing is fetched. Browsers allow it only after a first press, and
// whether it is on is always to be seen.

import { id, tool } from "../dom.js";
import { symbols } from "../symbols.js";
import { t } from "../words.js";

const KEPT = "table-witness.hall-sound";
const TONES = [
  [660, 0],
  [880, 0.22],
];
const LENGTH = 0.2,
  LOUDNESS = 0.35,
  REST = 1500; // milliseconds between two sounds: ten flags at once are one

let on = wished(),
  played = -REST;
let context = /** @type {AudioContext | null} */ (null);

function wished() {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return false;
  }
}

const ready = () => context?.state === "running";

function label() {
  const button = id("sound-button");
  const heard = on && ready();
  tool(
    button,
    heard ? symbols.sound() : symbols.mute(),
    heard ? t("Sound on") : on ? t("Sound: press once to hear flags") : t("Sound off"),
  );
  button.dataset.sound = heard ? "on" : on ? "waiting" : "off";
  button.setAttribute("aria-pressed", heard ? "true" : "false");
}

async function unlock() {
  context ??= new AudioContext();
  context.onstatechange = label;
  if (context.state !== "running") await context.resume().catch(() => {});
  label();
}

export function startSound() {
  if (!document.getElementById("sound-button")) return;
  id("sound-button").addEventListener("click", async () => {
    on = !(on && ready());
    try {
      localStorage.setItem(KEPT, on ? "on" : "off");
    } catch {
      // Holds until the page is closed.
    }
    if (on) {
      await unlock();
      ring();
    } else label();
  });
  // Who had it on last time gets it back with the first press anywhere.
  addEventListener("pointerdown", () => on && !ready() && unlock(), { capture: true });
  addEventListener("keydown", () => on && !ready() && unlock(), { capture: true });
  label();
}

/** Let a new flag be heard; whether it was. */
export function ring() {
  if (!on || !context || !ready() || performance.now() - played < REST) return false;
  played = performance.now();
  for (const [pitch, after] of TONES) {
    const from = context.currentTime + after,
      tone = context.createOscillator(),
      gain = context.createGain();
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(LOUDNESS, from + 0.02);
    gain.gain.linearRampToValueAtTime(0, from + LENGTH);
    tone.connect(gain).connect(context.destination);
    tone.start(from);
    tone.stop(from + LENGTH);
  }
  document.documentElement.dataset.rung = String(Number(document.documentElement.dataset.rung ?? 0) + 1);
  return true;
}
