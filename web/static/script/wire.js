// Talking to the companion. Every failure becomes a Trouble with a sentence and what to do.

import { t } from "./words.js";

const HEADER = document.documentElement.dataset.answerHeader;

export class Trouble extends Error {
  constructor(message, advice, code = "") {
    super(message);
    this.advice = advice;
    this.code = code;
  }
}

async function ask(address, options = {}) {
  let response;
  try {
    response = await fetch(address, { credentials: "same-origin", ...options, headers: { "Accept-Language": document.documentElement.lang, ...options.headers } });
  } catch {
    throw new Trouble(t("The companion cannot be reached."), t("Check that it runs and that this device is on its network."), "unreachable");
  }
  if (response.ok || response.status === 304) return response;
  let error = {};
  try {
    error = (await response.json()).error ?? {};
  } catch {
    // Not from the companion itself, so it has no sentence of its own.
  }
  if (error.code === "no-pass" && location.pathname !== "/join") location.assign("/join");
  throw new Trouble(
    error.message ?? t("The companion answered {status}.", { status: response.status }),
    error.advice ?? t("Reload the page."),
    error.code ?? String(response.status),
  );
}

/** What is at an address, and when the companion's clock said it was, in seconds. */
export async function getDated(address) {
  const response = await ask(address);
  return [await response.json(), Number(response.headers.get("X-Table-Time"))];
}

export const getJson = async (address) => (await ask(address)).json();
export const getBlob = async (address, signal) => (await ask(address, { signal })).blob();

export async function post(address, message) {
  const response = await ask(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", [HEADER]: "1" },
    body: JSON.stringify(message),
  });
  return response.json();
}

export const picture = async (blob, still) => (await ask(`/api/camera/picture?still=${still ? 1 : 0}`, { method: "POST", headers: { "Content-Type": blob.type, [HEADER]: "1" }, body: blob })).json();

/** A recording to the companion's ears, see panels/ears.js. */
export const hear = async (sound) => (await ask("/api/hearing", { method: "POST", headers: { "Content-Type": "application/octet-stream", [HEADER]: "1" }, body: sound })).json();

export const answer = (message) => post("/api/answers", message);
