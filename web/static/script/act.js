// Sending an answer from a button: once, with its result told.

import { confirm, forgive, tell } from "./messages.js";
import { answer } from "./wire.js";

export async function act(message, done = "") {
  try {
    await answer(message);
    if (done) confirm(done);
    return true;
  } catch (error) {
    tell(error, message.kind);
    return false;
  }
}

/** A click handler that cannot send twice while the first is under way. */
export const once = (work) => async (event) => {
  const button = event.currentTarget;
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  forgive(button.closest("dialog"));
  try {
    await work(event);
  } finally {
    button.removeAttribute("aria-disabled");
  }
};
