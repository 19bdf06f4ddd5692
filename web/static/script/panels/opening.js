// A secret that is to be opened: asked of whoever kept it to himself; what was entrusted opens itself.

import { act, once } from "../act.js";
import { h } from "../dom.js";
import { openingOf } from "../own.js";
import { soleSecret } from "../page_data.js";
import { may, plays, role, seatName } from "../role.js";
import { wording } from "../store.js";
import { t } from "../words.js";
import { reveal } from "./entrust.js";
import { panel } from "./registry.js";

/** The card of an opening, or of a question that is answered by opening a secret; a game may have words for one question. */
export function openingCard(
  /** @type {{ seat: string, purpose?: string | null, id?: string }} */ asked,
  /** @type {Snapshot} */ snapshot,
  /** @type {string} */ title = "",
) {
  const mine = !plays || role === asked.seat;
  return h(
    "div",
    { class: ["call", "ask"], "data-opening": asked.purpose ?? "" },
    title && h("h2", {}, title),
    h(
      title ? "p" : "h2",
      { class: title && "quiet-note" },
      wording(`reveal-asked-${asked.id}`) ||
        wording("reveal-asked") ||
        t("{seat} shows what was kept secret.", { seat: seatName(asked.seat) }),
    ),
    mine && may("reveal") && h("div", { class: "actions" }, opener(asked, snapshot)),
  );
}

/** The button that opens: of the one secret by a dialog, of sealed values by what this device keeps. */
function opener(/** @type {{ seat: string, purpose?: string | null }} */ { seat, purpose }, /** @type {Snapshot} */ snapshot) {
  if (soleSecret())
    return h(
      "button",
      { type: "button", class: ["button", "main"], "data-key": "reveal", onclick: () => reveal() },
      wording("reveal") || t("Reveal"),
    );
  return purpose ? openSeals(seat, purpose, snapshot) : null;
}

/** What the game calls the secrets of a purpose; nothing where it has no word for them. */
export function sealedWords(/** @type {string} */ purpose) {
  const [, kind, n] = /^(.*?)(?:-(\d+))?$/.exec(purpose) ?? [];
  return wording(`seals-${kind}`, { n });
}

/** The button that opens what a seat sealed for a purpose; a word about it where this device cannot. */
export function openSeals(/** @type {string} */ seat, /** @type {string} */ purpose, /** @type {Snapshot} */ snapshot) {
  const told = (snapshot.secrets ?? []).filter((one) => one.seat === seat && one.purpose === purpose);
  if (!told.some((one) => one.mode === "sealed")) return null;
  const opened = openingOf(seat, purpose, told),
    what = sealedWords(purpose);
  return opened
    ? h(
        "button",
        {
          type: "button",
          class: ["button", "main"],
          "data-key": `reveal-${purpose}`,
          onclick: once(() => act({ kind: "reveal", seat, purpose, opened })),
        },
        what ? t("Open {what}", { what }) : t("Open what was sealed"),
      )
    : h("p", { class: "quiet-note" }, t("What opens this seal is kept on another device."));
}

panel("opening", (/** @type {ExpectedOpening} */ asked, /** @type {Snapshot} */ snapshot) => openingCard(asked, snapshot));
