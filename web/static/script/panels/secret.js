// Jack's own card: entrust or seal who he is, and look at it again while pressing. Nothing of it comes from the companion.

import { entrust, seal } from "./entrust.js";
import { h, keep } from "../dom.js";
import { dialog } from "./dialog.js";
import { discOf } from "./disc.js";
import { keepSecret, ownSecret } from "../own.js";
import { commitment, freshNonce, hex } from "../seal.js";
import { may, role, wished } from "../role.js";
import { wording, pieceName, store } from "../store.js";
import { getJson } from "../wire.js";
import { symbols } from "../symbols.js";
import { t } from "../words.js";

const AFTER_LOBBY = "#jack";

export function drawSecret(/** @type {HTMLElement | null} */ element, /** @type {Snapshot} */ snapshot) {
  if (!element) return;
  const own = ownSecret();
  keep(element, [snapshot.secret, snapshot.match, own, snapshot.witness?.seen, snapshot.phase], () => [
    h("p", { class: "quiet-note" }, snapshot.phase === "over" ? t("The game is over") : (STATES[snapshot.secret]?.() ?? "")),
    own && peek(own, snapshot),
    snapshot.secret === "asked" &&
      snapshot.phase !== "over" &&
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { type: "button", class: ["button", wished !== "sealed" && "main"], "data-key": "entrust-own", onclick: entrustOwn },
          t("Entrust who you are"),
        ),
        h(
          "button",
          {
            type: "button",
            class: ["button", wished === "sealed" && "main"],
            "data-key": "seal",
            onclick: () => sealOwn(snapshot),
          },
          t("Keep it and seal it"),
        ),
      ),
  ]);
}

/** @type {Record<string, () => string>} */
const STATES = {
  asked: () => t("Nobody knows who you are. You answer each call yourself, or entrust it, or seal it."),
  entrusted: () => t("You have entrusted who you are; the companion makes the calls."),
  sealed: () =>
    t("You have sealed who you are. You answer each call; at the end the seal is opened and everything is checked."),
};

/** On the screen that all share: Jack seals here when he has none of his own. */
export const sealHere = (/** @type {Snapshot} */ snapshot) =>
  seal((/** @type {string} */ character) => sealed(character, null, snapshot));

/** Whether Jack was given a link, so that he has a screen of his own; asked anew each time, as links come and go. */
async function hasOwnScreen() {
  if (role !== "table") return false;
  try {
    return (await getJson("/api/passes")).passes.some((/** @type {Pass} */ one) => one.role === "jack");
  } catch {
    return false; // then he is asked here, as without links
  }
}

/** On the screen that all share: Jack's own is better. What is to be done is done here only where he has none, or says so. */
export async function onSharedScreen(/** @type {() => void} */ ask) {
  if (!(await hasOwnScreen())) return ask();
  const box = dialog(
    wording("secret-own-screen"),
    h("p", {}, t("He says there who he is, and nobody has to look away. His screen asks him.")),
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        { type: "button", class: ["button", "main"], "data-key": "own-screen", onclick: () => box.close() },
        wording("secret-there"),
      ),
      h(
        "button",
        { type: "button", class: "button", "data-key": "here-all-the-same", onclick: () => (box.close(), ask()) },
        t("Do it here all the same"),
      ),
    ),
  );
}

/** What was chosen in the lobby for the secret, asked as soon as the game begins: of Jack on his own screen, else on the one
    that the lobby was on. */
export async function askAfterLobby() {
  const { snapshot } = store,
    after = location.hash === AFTER_LOBBY;
  if (after) history.replaceState(null, "", location.pathname);
  if (!may("entrust") || snapshot.secret !== "asked" || snapshot.phase === "over") return;
  if (role === "jack") return wished === "sealed" ? sealOwn(snapshot) : wished === "entrusted" ? entrustOwn() : undefined;
  if (role !== "table" || !after || (await hasOwnScreen())) return;
  if (wished === "entrusted") entrust();
  if (wished === "sealed") sealHere(snapshot);
}

const card = () => document.getElementById("secret");
const entrustOwn = () => entrust((/** @type {string} */ character) => remember({ character }, card()));
const sealOwn = (/** @type {Snapshot} */ snapshot) =>
  seal((/** @type {string} */ character) => sealed(character, card(), snapshot));

/** The opening is kept before the seal is sent: a seal that nobody can open would be worse than none. */
function sealed(/** @type {string} */ character, /** @type {HTMLElement | null} */ element, /** @type {Snapshot} */ snapshot) {
  const nonce = freshNonce();
  remember({ character, nonce: hex(nonce) }, element);
  return { kind: "seal", commitment: commitment(snapshot.match, character, nonce) };
}

/** The card is drawn as the game stands now: what the answer led to may have arrived before the answer itself. */
function remember(/** @type {any} */ secret, /** @type {HTMLElement | null} */ element) {
  keepSecret(secret);
  drawSecret(element, store.snapshot);
}

function peek(/** @type {any} */ own, /** @type {Snapshot} */ snapshot) {
  const seen = snapshot.witness?.seen?.includes(own.character),
    unseen = snapshot.witness?.unseen?.includes(own.character);
  const inside = h(
    "div",
    { class: "peek-inside" },
    discOf(own.character),
    h("b", {}, pieceName(own.character)),
    (seen || unseen) && h("span", {}, seen ? wording("person-now-seen") : wording("person-now-unseen")),
    own.nonce && h("code", { class: "nonce" }, own.nonce),
  );
  const cover = h("span", { class: "cover" }, symbols.hand(), h("span", {}, t("Press and hold to see who you are")));
  const veil = h(
    "div",
    {
      class: ["veil", "peek"],
      role: "button",
      tabindex: 0,
      "data-open": "no",
      "data-key": "peek",
      "aria-label": t("Who you are, shown while pressed"),
    },
    cover,
  );
  // What is not shown is not in the page: no screen reader, no search and no glance at the source finds it.
  const open = (/** @type {boolean} */ yes) => {
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
