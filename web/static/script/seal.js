// A commitment as the record checks it: SHA-256 over a domain word, the match, 32 random bytes and the secret, each
// preceded by its length. Browsers offer their own SHA-256 over HTTPS only; a game at home has none.

const DOMAIN = "table-witness/secret/1",
  ROW_DOMAIN = "table-witness/secret-row/1";
const /** @type {any} */ ROUND = [],
  /** @type {any} */ START = [];

// The constants are the first bits of the fractions of roots of primes (FIPS 180-4, 4.2.2 and 5.3.3).
for (let n = 2, found = 0; found < 64; n++) {
  let prime = true;
  for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
  if (!prime) continue;
  const fraction = (/** @type {number} */ root) => ((root - Math.floor(root)) * 2 ** 32) >>> 0;
  if (found < 8) START.push(fraction(Math.sqrt(n)));
  ROUND.push(fraction(Math.cbrt(n)));
  found++;
}

const encode = (/** @type {string} */ text) => new TextEncoder().encode(text);
/** @param {Uint8Array[]} parts */
const bound = (parts) => hex(sha256(parts.flatMap((part) => [0, 0, part.length >> 8, part.length & 255, ...part])));

export const commitment = (/** @type {string} */ match, /** @type {string} */ secret, /** @type {Uint8Array} */ nonce) =>
  bound([encode(DOMAIN), encode(match), nonce, encode(secret)]);

/** The commitment to one value of a seat's row: it also covers the one before it (`before`, hexadecimal; "" for the first), so
    that none can be left out or put elsewhere. */
export const rowCommitment = (
  /** @type {string} */ match,
  /** @type {{ seat: string, purpose: string, number: number, before: string, value: string }} */ one,
  /** @type {Uint8Array} */ nonce,
) =>
  bound([...[ROW_DOMAIN, match, one.seat, one.purpose, String(one.number), one.before].map(encode), nonce, encode(one.value)]);

export const freshNonce = () => crypto.getRandomValues(new Uint8Array(32));
export const fromHex = (/** @type {string} */ digits) =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const hex = (/** @type {Uint8Array} */ bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function sha256(/** @type {any} */ message) {
  const padded = [...message, 0x80];
  while (padded.length % 64 !== 56) padded.push(0);
  const view = new DataView(new ArrayBuffer(padded.length + 8));
  padded.forEach((byte, i) => view.setUint8(i, byte));
  view.setUint32(padded.length + 4, message.length * 8);
  const hash = Uint32Array.from(START),
    w = new Uint32Array(64);
  const turn = (/** @type {number} */ x, /** @type {number} */ n) => (x >>> n) | (x << (32 - n));
  for (let block = 0; block < view.byteLength; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15],
        b = w[i - 2];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (hash[i] += value));
  }
  const bytes = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => bytes.setUint32(4 * i, word));
  return new Uint8Array(bytes.buffer);
}
