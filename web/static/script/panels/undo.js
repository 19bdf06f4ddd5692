// Taking back the last play: asked first, then sent.

import { act } from "../act.js";
import { seen } from "../base.js";
import { playerName, store } from "../store.js";
import { closesOnce } from "./passing.js";
import { sure } from "./sure.js";
import { t } from "../words.js";

/** What taking a play back is called. */
export function takeBack(/** @type {string} */ character) {
  const name = playerName(character);
  return name ? t("Take back {name}", { name }) : t("Take back the last play");
}

/** The last play that still counts: one that was made, told anew or let stand by the arbiter, and not taken back since. */
export function lastPlayed() {
  /** @type {RecordEvent[]} */
  let plays = [];
  for (const one of store.events) {
    const { kind, data } = one;
    if (kind === "play" || (kind === "correction" && data.moves) || (kind === "ruling" && data.action === "allow"))
      plays = [...plays, one];
    else if (kind === "undo") plays = plays.filter((play) => play.number < data.undone);
    else if (kind === "ruling" && data.action === "take-back") plays = plays.filter((play) => play.number <= data.to);
    else if (kind === "match-opened") plays = [];
  }
  return plays.at(-1);
}

/** Whether pieces were moved with the last play: one that stayed where it was leaves nothing to be put back. Of one that the
    arbiter let stand it is not on record. */
export const moved = () => lastPlayed()?.data.moves?.length !== 0;

/** Asked about the play that was the last one when event `about` was: another one that is made meanwhile is not taken back in
    its place. */
export function undo(/** @type {string} */ character, about = seen.number) {
  const name = playerName(character);
  const answered = sure(
    name ? t("Take back {name}?", { name }) : takeBack(character),
    [backWords(), t("What was taken back can be played again in the same way.")],
    t("Take it back"),
    () => act({ kind: "undo" }, t("Taken back."), about),
  );
  closesWithPlay([...document.querySelectorAll("dialog")].at(-1));
  return answered;
}

/** What becomes of a play that is taken back. */
export const backWords = () =>
  moved()
    ? t("Put its pieces back afterwards; the record keeps that it was taken back.")
    : t("The record keeps that it was taken back.");

/** What there is to take back, and by whom. */
const lastPlay = (/** @type {Snapshot} */ { undo: character, undo_refused: refused }) =>
  JSON.stringify([character, refused, lastPlayed()?.number]);

/** A dialog about the last play closes once that is another one, or was taken back. */
export function closesWithPlay(/** @type {HTMLDialogElement | undefined} */ box) {
  const then = lastPlay(store.snapshot);
  if (box) closesOnce(box, () => lastPlay(store.snapshot) !== then);
}
