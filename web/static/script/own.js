// What Jack's own device keeps for Jack: who he is and what opens his seal. It never leaves this device unasked.

import { store } from "./store.js";

const key = () => `table-witness.jack.${store.snapshot?.match ?? ""}`;

export function ownSecret() {
  try {
    return JSON.parse(localStorage.getItem(key()) ?? "null");
  } catch {
    return null;
  }
}

export function keepSecret(/** @type {any} */ secret) {
  try {
    localStorage.setItem(key(), JSON.stringify(secret));
    return true;
  } catch {
    return false;
  }
}
