// Telling a secret of a game with several: entrusted to the companion, or sealed by a commitment that this device can open.

import { act } from "./act.js";
import { confirm, tell as complain } from "./messages.js";
import { keepSeal } from "./own.js";
import { freshNonce, hex, rowCommitment } from "./seal.js";
import { t } from "./words.js";

/** Send what a seat entrusts; whether it was taken. */
export async function entrustFor(/** @type {string} */ seat, /** @type {string} */ purpose, /** @type {string} */ value) {
  if (!(await act({ kind: "entrust", seat, purpose, value }))) return false;
  confirm(t("Entrusted. Nobody is shown it again."));
  return true;
}

/** Nothing can be sealed from here, and why. */
export function keepsNothing() {
  complain({ message: t("This browser keeps nothing, so a seal could not be opened."), advice: t("Entrust it instead.") });
  return null;
}

/** Send a commitment to what a seat keeps; whether it was taken. The value and its nonce are kept before the commitment is
    sent: a seal that nobody can open would be worse than none. */
export async function sealFor(
  /** @type {string} */ seat,
  /** @type {string} */ purpose,
  /** @type {string} */ value,
  /** @type {Snapshot} */ { match, secrets = [] },
) {
  const before = secrets.filter((one) => one.seat === seat && one.purpose === purpose),
    nonce = freshNonce();
  const one = { seat, purpose, number: before.length + 1, before: before.at(-1)?.commitment ?? "", value };
  const commitment = rowCommitment(match, one, nonce);
  if (!keepSeal(seat, { purpose, number: one.number, value, nonce: hex(nonce), commitment })) return Boolean(keepsNothing());
  if (!(await act({ kind: "seal", seat, purpose, commitment }))) return false;
  confirm(t("Sealed. Keep this device until the game is over."));
  return true;
}
