// Jack's own card: entrust or seal who he is, and look at it again while pressing. Nothing of it comes from the companion.

import { entrust, seal } from "./entrust.js";
import { h, keep } from "../dom.js";
import { discOf } from "./disc.js";
import { keepSecret, ownSecret } from "../own.js";
import { commitment, freshNonce, hex } from "../seal.js";
import { may, role, wished } from "../role.js";
import { pieceName, store } from "../store.js";
import { symbols } from "../symbols.js";
import { t } from "../words.js";

const AFTER_LOBBY = "#jack";

export function drawSecret(element, snapshot) {
  if (!element) return;
  const own = ownSecret();
  keep(element, [snapshot.secret, snapshot.match, own, snapshot.witness?.seen, snapshot.phase], () => [
    h("p", { class: "quiet-note" }, STATES[snapshot.secret]?.() ?? ""),
    own && peek(own, snapshot),
    snapshot.secret === "asked" && snapshot.phase !== "over" && h("div", { class: "actions" },
      h("button", { type: "button", class: ["button", wished !== "sealed" && "main"], "data-key": "entrust-own", onclick: () => entrust((character) => remember({ character }, element)) }, t("Entrust who you are")),
      h("button", { type: "button", class: ["button", wished === "sealed" && "main"], "data-key": "seal", onclick: () => seal((character) => sealed(character, element, snapshot)) }, t("Keep it and seal it"))),
  ]);
}

const STATES = {
  asked: () => t("Nobody knows who you are. You answer each call yourself, or entrust it, or seal it."),
  entrusted: () => t("You have entrusted who you are; the companion makes the calls."),
  sealed: () => t("You have sealed who you are. You answer each call; at the end the seal is opened and everything is checked."),
};

/** On the screen that all share: Jack seals here when he has none of his own. */
export const sealHere = (snapshot) => seal((character) => sealed(character, null, snapshot));

/** What was chosen in the lobby for the secret, asked as soon as the game begins there: it comes with the way to the game. */
export function askAfterLobby() {
  if (location.hash !== AFTER_LOBBY) return;
  history.replaceState(null, "", location.pathname);
  const { snapshot } = store;
  if (role !== "table" || !may("entrust") || snapshot.secret !== "asked") return;
  if (wished === "entrusted") entrust();
  if (wished === "sealed") sealHere(snapshot);
}

/** The opening is kept before the seal is sent: a seal that nobody can open would be worse than none. */
function sealed(character, element, snapshot) {
  const nonce = freshNonce();
  remember({ character, nonce: hex(nonce) }, element);
  return { kind: "seal", commitment: commitment(snapshot.match, character, nonce) };
}

/** The card is drawn as the game stands now: what the answer led to may have arrived before the answer itself. */
function remember(secret, element) {
  keepSecret(secret);
  drawSecret(element, store.snapshot);
}

function peek(own, snapshot) {
  const seen = snapshot.witness?.seen?.includes(own.character), unseen = snapshot.witness?.unseen?.includes(own.character);
  const inside = h("div", { class: "peek-inside" }, discOf(own.character), h("b", {}, pieceName(own.character)),
    (seen || unseen) && h("span", {}, seen ? t("now you are seen") : t("now you are unseen")),
    own.nonce && h("code", { class: "nonce" }, own.nonce));
  const cover = h("span", { class: "cover" }, symbols.hand(), h("span", {}, t("Press and hold to see who you are")));
  const veil = h("div", { class: ["veil", "peek"], role: "button", tabindex: 0, "data-open": "no", "data-key": "peek", "aria-label": t("Who you are, shown while pressed") }, cover);
  // What is not shown is not in the page: no screen reader, no search and no glance at the source finds it.
  const open = (yes) => {
    veil.dataset.open = yes ? "yes" : "no";
    veil.replaceChildren(yes ? inside : cover);
  };
  veil.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    veil.focus();
    veil.setPointerCapture(event.pointerId);
    open(true);
  });
  for (const name of ["pointerup", "pointercancel", "blur"]) veil.addEventListener(name, () => open(false));
  veil.addEventListener("contextmenu", (event) => event.preventDefault());
  veil.addEventListener("keydown", (event) => event.key === " " && (event.preventDefault(), event.repeat || open(true)));
  veil.addEventListener("keyup", (event) => event.key === " " && (event.preventDefault(), open(false)));
  return veil;
}
