// Sending an answer from a button: once, with its result told, and a way to send it again when none came.

import { inHall, seen } from "./base.js";
import { confirm, forgive, tell } from "./messages.js";
import { answer, undecided } from "./wire.js";
import { t } from "./words.js";

const SLOW = 600; // milliseconds after which a button says that it waits

/** Give an answer; `about` is what was seen by whoever gives it, the number of an event. Returns whether it was taken. */
export async function act(/** @type {any} */ message, done = "", about = seen.number) {
  try {
    await answer(message, about);
    if (inHall)
      confirm(
        seen.away
          ? t("The table gets it as soon as it is heard of again. Whether it was taken over is said here.")
          : t("Sent to the table. Whether it was taken over is said here."),
      );
    else if (done) confirm(done);
    return true;
  } catch (error) {
    tell(error, message.kind, undecided(error) ? () => act(message, done, about) : null);
    return false;
  }
}

/** A click handler that cannot send twice while the first is under way, and shows when that takes long. */
export const once = (/** @type {(event: any) => unknown} */ work) => async (/** @type {any} */ event) => {
  const button = event.currentTarget;
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  const slow = setTimeout(() => button.setAttribute("aria-busy", "true"), SLOW);
  forgive(button.closest("dialog"));
  try {
    await work(event);
  } finally {
    clearTimeout(slow);
    button.removeAttribute("aria-disabled");
    button.removeAttribute("aria-busy");
  }
};
