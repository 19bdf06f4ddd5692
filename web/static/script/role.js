// Which seat this page is, and what it may say. The companion decides it anyway; here it only saves useless buttons.

import { present } from "./dom.js";
import { capital, roleName, t, wording } from "./words.js";

const data = document.documentElement.dataset;

export const role = data.role ?? "table";
export const handsOut = data.seats === "yes";
/** Whether the report of the game may be saved from this seat. */
export const saves = data.saves === "yes";
export const setsUp = data.lobby === "yes";
/** Started with its camera named: there is no lobby to go back to. */
export const noLobby = data.lobby === "none";
/** What was chosen before the game for secrets: asked, entrusted, sealed, or nothing. */
export const wished = data.secret ?? "";

const answers = new Set((data.may ?? "").split(" "));
export const may = (/** @type {string} */ kind) => answers.has(kind);

/** @type {Record<string, () => string>} */
const NAMES = {
  table: () => t("Table"),
  arbiter: () => t("Arbiter"),
  spectator: () => t("Spectator"),
  camera: () => t("Camera"),
};
export const seatName = (/** @type {string} */ name) => NAMES[name]?.() ?? (wording(`seat-${name}`) || capital(name));
/** What a seat is called among others: by its side, or by its own name where others are of that side too. */
export const sideName = (/** @type {string} */ one, /** @type {string[]} */ among) =>
  among.some((other) => other !== one && roleName(other) === roleName(one)) ? seatName(one) : roleName(one);
/** Whether this page belongs to a seat of the game, not to the shared screen, the arbiter or somebody who watches. */
export const plays = !(role in NAMES) && role !== "owner";

/** "Spectator, 60 seconds behind"; a seat's own name where it has one. */
export function seatLine() {
  const { seat, delay } = present(document.getElementById("seat")).dataset;
  const name = seat && seat !== role ? `${seatName(role)} · ${seat}` : seatName(role);
  return Number(delay) ? t("{seat}, {seconds} seconds behind", { seat: name, seconds: delay }) : name;
}
