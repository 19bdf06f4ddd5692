// This device as the table's camera. The next picture is taken when the last one has arrived, so none ever waits in a queue.

import { h, id } from "./dom.js";
import { hold, release, seen, spoilt } from "./hold.js";
import { tell } from "./messages.js";
import { startTheme } from "./theme.js";
import { picture } from "./wire.js";
import { t } from "./words.js";

const LONGEST = 1920; // pixels across: what a webcam would give; more shows no more of the board
const SETTLING = 3000, // ms until focus and light have settled
  OBEYING = 1200; // and until what was asked of them shows
const PAUSE = 100,
  PAUSE_AFTER_TROUBLE = 1500,
  QUALITY = 0.85;

startTheme();

const live = Boolean(navigator.mediaDevices?.getUserMedia);
const video = h("video", { playsinline: true, muted: true, hidden: true, "aria-label": t("What this camera sees") });
const shown = h("img", { alt: t("The picture that was sent"), hidden: true });
const state = h(
  "p",
  { role: "status", id: "state" },
  live
    ? t("Put this device over the board, so that all of it is in sight, then start.")
    : t("This browser gives its camera to pages over HTTPS only. Single pictures work without."),
);
const start = h(
  "button",
  { type: "button", class: ["button", "main"], "data-key": "start", hidden: !live },
  t("Start the camera"),
);
const stop = h("button", { type: "button", class: "button", "data-key": "stop", hidden: true }, t("Stop"));
const again = h("button", { type: "button", class: "button", "data-key": "again", hidden: true }, t("Adjust again"));
const held = h(
  "p",
  { id: "held", hidden: true },
  t("Focus and light are held. If it grows dark or unsharp, adjust them again."),
);
const file = h("input", { type: "file", accept: "image/*", capture: "environment", "data-key": "still" });
const canvas = document.createElement("canvas");
let /** @type {MediaStream | null} */ running = null,
  sent = 0;

video.muted = true; // the attribute alone does not count for elements made by a script

// Where HTTPS is served, the way there stands beside the single pictures.
const { wanted, secure } = id("lens").dataset;
const film =
  live || !secure
    ? ""
    : h(
        "p",
        { class: "actions" },
        h("a", { class: "button", href: "/trust", "data-key": "trust" }, t("Let this device trust the table")),
        h("a", { class: "button", href: secure, "data-key": "secure" }, t("Go to the camera")),
      );

if (wanted === "yes")
  id("lens").append(
    h("h1", {}, t("This device watches the table")),
    state,
    h("figure", { class: "sight" }, video, shown),
    h("div", { class: "actions" }, start, stop, again),
    held,
    film,
    h("label", { class: ["field", "still"] }, h("span", {}, t("Or send a single picture after each play")), file),
  );
else
  id("lens").append(
    h("h1", {}, t("This table is watched by another camera")),
    h("p", {}, t("To use this device, start the companion with: {command}", { command: "companion run phone" })),
  );

start.addEventListener("click", async () => {
  try {
    running = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 } },
    });
  } catch (error) {
    const denied = error.name === "NotAllowedError";
    return tell({
      message: denied ? t("The browser was not allowed to use the camera.") : t("The camera cannot be started."),
      advice: denied
        ? t("Allow the camera for this page in the browser's settings, then start again.")
        : t("Close other apps that use it, then start again."),
    });
  }
  video.srcObject = running;
  show(video);
  await video.play();
  start.hidden = true;
  stop.hidden = false;
  awake();
  for (const track of running.getTracks()) track.addEventListener("ended", () => end(t("The camera stopped. Start it again.")));
  stream(running);
  settle(running);
});

again.addEventListener("click", async () => {
  if (!running) return;
  await release(running.getVideoTracks()[0]);
  settle(running);
});

/** Hold focus and light once they have settled. */
async function settle(/** @type {MediaStream} */ mine) {
  again.hidden = held.hidden = true;
  await rest(SETTLING);
  if (running !== mine) return;
  const track = mine.getVideoTracks()[0],
    before = seen(video),
    modes = await hold(track);
  if (modes.length) await rest(OBEYING);
  if (running !== mine) return;
  const kept = !modes.length || !spoilt(before, seen(video));
  if (!kept) await release(track);
  document.documentElement.dataset.held = kept ? modes.join(" ") : "";
  again.hidden = !modes.length;
  held.hidden = !modes.length || !kept;
}

stop.addEventListener("click", () => end(t("Stopped.")));

function end(/** @type {string} */ text) {
  running?.getTracks().forEach((track) => track.stop());
  running = null;
  start.hidden = false;
  stop.hidden = again.hidden = held.hidden = true;
  state.textContent = text;
}

// A phone that sleeps films nothing; a browser lets the screen sleep again whenever its page was hidden.
const awake = () => navigator.wakeLock?.request("screen").catch(() => {});
document.addEventListener("visibilitychange", () => running && document.visibilityState === "visible" && awake());

file.addEventListener("change", async () => {
  const chosen = file.files?.[0];
  if (!chosen) return;
  try {
    const bitmap = await createImageBitmap(chosen);
    const small = await shrink(bitmap, bitmap.width, bitmap.height);
    await picture(small, true);
    shown.src = URL.createObjectURL(small);
    show(shown);
    state.textContent = t("Sent at {time}. Send another one after the next play.", { time: new Date().toLocaleTimeString() });
  } catch (error) {
    tell(error.advice ? error : { message: t("This picture cannot be read."), advice: t("Choose a photo (JPEG or PNG).") });
  }
  file.value = "";
});

async function stream(/** @type {any} */ mine) {
  while (running === mine) {
    try {
      await picture(await shrink(video, video.videoWidth, video.videoHeight), false);
      if (running !== mine) return; // stopped while it was under way
      sent += 1;
      document.documentElement.dataset.sent = String(sent);
      state.textContent = t("The table is being watched. Leave this page open.");
      await rest(PAUSE);
    } catch (error) {
      if (running !== mine) return;
      state.textContent = `${error.message} ${error.advice ?? ""}`;
      await rest(PAUSE_AFTER_TROUBLE);
    }
  }
}

async function shrink(/** @type {any} */ source, /** @type {number} */ width, /** @type {number} */ height) {
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
  canvas.getContext("2d")?.drawImage(source, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("empty"))), "image/jpeg", QUALITY),
  );
}

const rest = (/** @type {number} */ time) => new Promise((resolve) => setTimeout(resolve, time));
const show = (/** @type {any} */ element) => [video, shown].forEach((one) => (one.hidden = one !== element));
