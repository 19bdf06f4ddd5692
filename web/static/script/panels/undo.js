// Taking back the last play: asked first, then sent.

import { act } from "../act.js";
import { pieceName } from "../store.js";
import { sure } from "./sure.js";
import { t } from "../words.js";

export function undo(/** @type {string} */ character) {
  const name = pieceName(character);
  return sure(
    t("Take back {name}?", { name }),
    [
      t("Put its pieces back afterwards; the record keeps that it was taken back."),
      t("What was taken back can be played again in the same way."),
    ],
    t("Take it back"),
    () => act({ kind: "undo" }, t("Taken back.")),
  );
}
