// Talking to the companion. Every failure becomes a Trouble with a sentence and what to do; none waits for ever, for a network
// that vanished answers nothing at all.

import { at, seen } from "./base.js";
import { t } from "./words.js";

const HEADER = document.documentElement.dataset.answerHeader ?? "";
/** Milliseconds within which an answer has to come. A wish of the lobby may open a camera or compare pictures. */
const SOON = 8000,
  WISHED = 60000;
const SAME = 30000; // for so long what was sent in vain and is sent again counts as the same

export class Trouble extends Error {
  constructor(
    /** @type {any} */ message,
    /** @type {string} */ advice,
    code = "",
    fingerprint = "",
    /** @type {string[]} */ faults = [],
  ) {
    super(message);
    Object.assign(this, { advice, code, fingerprint, faults });
  }
}

/** What `read` makes of an answer; the time-out holds until all of it has come. */
async function ask(
  /** @type {string} */ address,
  /** @type {any} */ { wait = SOON, read = (/** @type {Response} */ response) => response.json(), ...options } = {},
) {
  let response;
  try {
    response = await fetch(address, {
      credentials: "same-origin",
      signal: AbortSignal.timeout(wait),
      ...options,
      headers: { "Accept-Language": document.documentElement.lang, ...options.headers },
    });
    if (response.ok) return await read(response);
  } catch (error) {
    throw unanswered(error, options.method === "POST");
  }
  /** @type {any} */
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
    error.fingerprint,
    error.faults,
  );
}

function unanswered(/** @type {any} */ error, /** @type {boolean} */ sent) {
  if (error.name !== "TimeoutError")
    return new Trouble(
      t("The companion cannot be reached."),
      t("Check that it runs and that this device is on its network."),
      "unreachable",
    );
  const advice = sent
    ? t("It is not certain that this arrived. Try again: it counts once.")
    : t("Check that it runs and that this device is on its network.");
  return Object.assign(new Trouble(t("The companion does not answer."), advice, "unreachable"), { late: true });
}

/** What is at an address, and when the companion's clock said it was, in seconds. */
export const getDated = (/** @type {string} */ address) =>
  ask(address, {
    read: async (/** @type {Response} */ response) => [await response.json(), Number(response.headers.get("X-Table-Time"))],
  });

/** @type {(address: string, wait?: number) => Promise<any>} */
export const getJson = (address, wait) => ask(address, { wait });
/** @type {(address: string, wait?: number) => Promise<Blob>} */
export const getBlob = (address, wait) => ask(address, { wait, read: (/** @type {Response} */ response) => response.blob() });
/** A picture and how old it is in seconds; nothing where there is none. */
export const getPicture = (/** @type {string} */ address) =>
  ask(address, {
    read: async (/** @type {Response} */ response) =>
      response.status === 200 ? { picture: await response.blob(), age: Number(response.headers.get("X-Picture-Age")) } : null,
  });

/** Why a stream was refused; nothing when it is not. */
export async function refusal(/** @type {string} */ address) {
  try {
    await ask(address, { read: (/** @type {Response} */ response) => response.body?.cancel() });
  } catch (error) {
    return error;
  }
}

const vain = new Map(); // what was sent and not answered: its name and when

/** Send something that changes the table. It has a name by which the companion knows it again: sent once more because no
    answer came, it is not done twice. */
export async function post(
  /** @type {string} */ address,
  /** @type {unknown} */ message,
  wait = address === "/api/lobby" ? WISHED : SOON,
) {
  const body = JSON.stringify(message),
    same = `${address.split("?")[0]} ${body}`, // the same answer, whatever was seen since
    before = vain.get(same);
  const name = before && performance.now() - before.at < SAME ? before.name : fresh();
  try {
    const answer = await ask(address, {
      method: "POST",
      wait,
      body,
      headers: { "Content-Type": "application/json", "Idempotency-Key": name, [HEADER]: "1" },
    });
    vain.delete(same);
    return answer;
  } catch (error) {
    if (undecided(error)) vain.set(same, { name, at: performance.now() });
    else vain.delete(same);
    throw error;
  }
}

/** Whether it is not known what became of something that was sent: sent again, it has to keep its name. */
export const undecided = (/** @type {any} */ error) => error.code === "unreachable" || error.code === "in-progress";

/** The same for what may take longer than a request waits: it is sent again, under its name, for as long as the companion says
    that it is still being done. Two that nothing answers at all are a lost connection. */
export async function postLong(/** @type {string} */ address, /** @type {unknown} */ message) {
  let silent = false;
  for (;;) {
    try {
      return await post(address, message);
    } catch (error) {
      if (error.code !== "in-progress" && (!error.late || silent)) throw error;
      silent = Boolean(error.late);
    }
  }
}

const fresh = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const send = (/** @type {string} */ address, /** @type {string} */ type, /** @type {any} */ body) =>
  ask(address, { method: "POST", wait: 2 * SOON, headers: { "Content-Type": type, [HEADER]: "1" }, body });
export const picture = (/** @type {Blob} */ blob, /** @type {boolean} */ still) =>
  send(`/api/camera/picture?still=${still ? 1 : 0}`, blob.type, blob);
/** A recording to the companion's ears, see panels/ears.js. */
export const hear = (/** @type {any} */ sound) => send("/api/hearing", "application/octet-stream", sound);

/** An answer to the table. It says what was seen when it was given (`about`, the number of an event; a dialog's: when it was
    opened): of two who say the same at once one is heard. */
export const answer = (/** @type {any} */ message, about = seen.number) =>
  post(`${at("/api/answers")}?about=${about}`, message);
