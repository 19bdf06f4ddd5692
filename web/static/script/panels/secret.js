// The card of the one secret of a game that has one only: entrust or seal it, look at it again while pressing. Nothing of it
// comes from the companion.

import { once } from "../act.js";
import { entrust, seal } from "./entrust.js";
import { h, id, keep } from "../dom.js";
import { dialog } from "./dialog.js";
import { discOf } from "./disc.js";
import { veil } from "./veil.js";
import { opening, over } from "../expects.js";
import { keepSecret, ownSecret } from "../own.js";
import { peopleOf, soleSecret } from "../page_data.js";
import { commitment, freshNonce, hex } from "../seal.js";
import { keepsNothing } from "../telling.js";
import { may, role, wished } from "../role.js";
import { wording, pieceName, store } from "../store.js";
import { getJson } from "../wire.js";
import { symbols } from "../symbols.js";
import { t } from "../words.js";

const AFTER_LOBBY = "#secret";

/** Whether the secret may still be told here: not once the game is over, nor while it is to be opened for all. */
export const toTell = (/** @type {Snapshot} */ snapshot) =>
  Boolean(soleSecret()) && may("entrust") && snapshot.secret === "asked" && !over(snapshot) && !opening(snapshot);

export function drawSecret(/** @type {HTMLElement | null} */ element, /** @type {Snapshot} */ snapshot) {
  if (!element || !soleSecret() || !may("entrust")) return;
  const own = ownSecret(),
    asked = opening(snapshot) && !over(snapshot); // what is asked for then stands above, in words of its own
  id("own-card").hidden = asked && !own;
  const said = over(snapshot) ? t("The game is over") : asked ? "" : wording(`own-${snapshot.secret}`);
  keep(element, [snapshot.secret, snapshot.match, own, peopleOf(store.board, snapshot).told, said], () => [
    said && h("p", { class: "quiet-note" }, said),
    own && peek(own, snapshot),
    toTell(snapshot) &&
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { type: "button", class: ["button", wished !== "sealed" && "main"], "data-key": "entrust-own", onclick: entrustOwn },
          wording("own-entrust"),
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

/** On the screen that all share: sealed here by whoever has no screen of his own. */
export const sealHere = (/** @type {Snapshot} */ snapshot) =>
  seal((/** @type {string} */ character) => sealed(character, snapshot));

/** Whether the seat that keeps the secret was given a link, and so has a screen of its own; asked anew each time, as links
    come and go. */
async function hasOwnScreen() {
  if (role !== "table") return false;
  try {
    return (await getJson("/api/passes")).passes.some((/** @type {Pass} */ one) => one.role === soleSecret()?.seat);
  } catch {
    return false; // then he is asked here, as without links
  }
}

/** On the screen that all share: the seat's own is better. It is done here only where it has none, or says so. */
export async function onSharedScreen(/** @type {() => void} */ ask) {
  if (!(await hasOwnScreen())) return ask();
  const box = dialog(
    wording("secret-own-screen"),
    h("p", {}, wording("secret-there-note")),
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

/** What was chosen in the lobby for the secret, asked as soon as the game begins: on the screen of the seat that keeps it,
    else on the one that the lobby was on. */
export async function askAfterLobby() {
  const { snapshot } = store,
    after = location.hash === AFTER_LOBBY;
  if (after) history.replaceState(null, "", location.pathname);
  if (!toTell(snapshot)) return;
  if (role === soleSecret()?.seat)
    return wished === "sealed" ? sealOwn(snapshot) : wished === "entrusted" ? entrustOwn() : undefined;
  if (role !== "table" || !after || (await hasOwnScreen())) return;
  if (wished === "entrusted") entrust();
  if (wished === "sealed") sealHere(snapshot);
}

const card = () => document.getElementById("secret");
const redraw = () => drawSecret(card(), store.snapshot);
const entrustOwn = () =>
  entrust((/** @type {string} */ character) => (keepSecret({ [soleSecret()?.key ?? ""]: character }), redraw()));
const sealOwn = (/** @type {Snapshot} */ snapshot) =>
  seal((/** @type {string} */ character) => sealed(character, snapshot), redraw);

/** The opening is kept before the seal is sent: a seal that nobody can open would be worse than none. Null where it cannot be
    kept. */
function sealed(/** @type {string} */ character, /** @type {Snapshot} */ snapshot) {
  const nonce = freshNonce();
  if (!keepSecret({ [soleSecret()?.key ?? ""]: character, nonce: hex(nonce) })) return keepsNothing();
  return { kind: "seal", commitment: commitment(snapshot.match, character, nonce) };
}

function peek(/** @type {any} */ own, /** @type {Snapshot} */ snapshot) {
  const one = own[soleSecret()?.key ?? ""],
    state = peopleOf(store.board, snapshot).state(one);
  const inside = h(
    "div",
    { class: "peek-inside" },
    discOf(one),
    h("b", {}, pieceName(one)),
    state && h("span", {}, wording(`state-${state}-now`)),
    own.nonce && h("code", { class: "nonce" }, own.nonce),
  );
  const cover = h("span", { class: "cover" }, symbols.hand(), h("span", {}, wording("own-peek")));
  return veil(cover, wording("own-peek-name"), () => inside);
}

/** On every screen that may: to tell the secret before the first turn; what was told already is said instead. */
export function secretButton(/** @type {Snapshot} */ snapshot) {
  if (!soleSecret()) return null;
  if (snapshot.secret === "entrusted") return h("p", { class: "quiet-note" }, wording("secret-entrusted"));
  if (snapshot.secret === "sealed") return h("p", { class: "quiet-note" }, wording("secret-sealed"));
  if (!may("entrust")) return null;
  const seals = wished === "sealed";
  return h(
    "button",
    {
      type: "button",
      class: ["button", (seals || wished === "entrusted") && "main"],
      "data-key": seals ? "seal" : "entrust",
      onclick: once(() => onSharedScreen(seals ? () => sealHere(snapshot) : entrust)),
    },
    seals ? wording("secret-seal") : wording("secret-entrust"),
  );
}
