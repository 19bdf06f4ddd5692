// What a seat's own device keeps for it: the secrets it told and what opens its seals. It never leaves this device unasked.

import { soleSecret } from "./page_data.js";
import { commitment, fromHex } from "./seal.js";
import { store } from "./store.js";

const match = () => store.snapshot?.match ?? "";

function read(/** @type {string} */ key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function write(/** @type {string} */ key, /** @type {any} */ value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

// --- the one secret of a game that has one only ---

const soleKey = () => `table-witness.${soleSecret()?.seat ?? ""}.${match()}`;

/** All that was told from here in this match, the oldest first. Older pages kept the newest alone. @returns {any[]} */
const keptSecrets = () => [read(soleKey()) ?? []].flat();

/** What this device knows of the secret as it is on record: what opens the seal, or what was entrusted last. Null while it is
    not told, and where another device sealed it. */
export function ownSecret() {
  const { secret, commitment: sealed } = store.snapshot,
    kept = keptSecrets(),
    character = soleSecret()?.key ?? "";
  if (secret === "sealed")
    return kept.find(({ nonce, ...one }) => nonce && commitment(match(), one[character], fromHex(nonce)) === sealed) ?? null;
  return secret === "entrusted" ? (kept.findLast(({ nonce }) => !nonce) ?? null) : null;
}

/** Keep what was told, or what opens a seal before that is sent. One whose answer was lost may be on record all the same, so
    none is replaced by the next try. Returns whether it is kept. */
export const keepSecret = (/** @type {any} */ secret) => write(soleKey(), [...keptSecrets(), secret]);

// --- secrets by purpose and number ---

/**
 * One value that this device sealed.
 * @typedef {{ purpose: string, number: number, value: string, nonce: string, commitment: string }} Kept
 */

const rowKey = (/** @type {string} */ seat) => `table-witness.own.${match()}.${seat}`;

/** Everything this device sealed for a seat in this match. @returns {Kept[]} */
export const keptSeals = (/** @type {string} */ seat) => read(rowKey(seat)) ?? [];

/** Keep what opens a seal, before it is sent. One that was refused is kept beside the next try: the record says which counts.
    Returns whether it is kept. */
export const keepSeal = (/** @type {string} */ seat, /** @type {Kept} */ seal) =>
  write(rowKey(seat), [...keptSeals(seat), seal]);

/** What opens the seals of a purpose that are on record, in their order; null where this device lacks one of them. */
export function openingOf(/** @type {string} */ seat, /** @type {string} */ purpose, /** @type {ToldSecret[]} */ told) {
  const kept = keptSeals(seat);
  const seals = told.filter((one) => one.seat === seat && one.purpose === purpose && one.mode === "sealed");
  const found = seals.map((one) => kept.find((mine) => mine.commitment === one.commitment));
  if (!seals.length || found.some((one) => !one)) return null;
  return found.map((one) => ({ number: one?.number, value: one?.value, nonce: one?.nonce }));
}
