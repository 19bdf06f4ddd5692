// Durations as clocks show them.

const TENTHS = 10;

/** "12:05", "1:02:07"; the last seconds with tenths; beyond nought with a minus. */
export function time(/** @type {number} */ seconds) {
  if (seconds > 0 && seconds < TENTHS) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = seconds > 0 ? Math.ceil(seconds) : Math.floor(-seconds),
    two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600),
    minutes = Math.floor(whole / 60) % 60;
  return `${seconds <= -1 ? "\u2212" : ""}${hours ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}
