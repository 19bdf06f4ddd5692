// What went wrong with the last wish, shown in the step that wished it.

import { h } from "../dom.js";
import { symbols } from "../symbols.js";
import { whole } from "../words.js";
import { lobby } from "./state.js";

/** What happened and what to do about it, or nothing. */
export const told = () =>
  lobby.trouble &&
  h(
    "p",
    { class: "verdict", "data-good": "no", role: "alert", "data-key": "trouble" },
    symbols.warning(),
    h("span", {}, [whole(lobby.trouble.message), lobby.trouble.advice].join(" ")),
  );
