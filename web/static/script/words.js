// Every word on the page goes through t(). The English sentence is the key; a catalogue may replace it.

export const LANGUAGES = {
  en: "English",
  es: "Español",
  it: "Italiano",
  ja: "日本語",
  "zh-Hans": "简体中文",
  "zh-Hant": "繁體中文",
};
export const LANGUAGE = document.documentElement.lang || "en";
const catalogue = LANGUAGE === "en" ? {} : await texts();

/** The page's texts in its language. Without them it speaks English: it must work before it is translated. */
async function texts() {
  try {
    return await (
      await fetch(`/api/words?lang=${LANGUAGE}`, { credentials: "same-origin", signal: AbortSignal.timeout(8000) })
    ).json();
  } catch {
    return {};
  }
}

/** @param {string} text @param {Record<string, any>} [words] @returns {string} */
export function t(text, words = {}) {
  return (catalogue[text] ?? text).replace(/\{(\w+)\}/g, (/** @type {string} */ whole, /** @type {string} */ name) =>
    name in words ? String(words[name]) : whole,
  );
}

/** A list as people say it: "a, b and c". @param {string[]} items @returns {string} */
export function list(items) {
  try {
    return new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(items);
  } catch {
    return items.join(", ");
  }
}

/** @type {Record<string, string>} */
let labels = {};
/** Take over what the game calls its things on the page: the labels of its board file. */
export const useLabels = (/** @type {Record<string, string> | undefined} */ found) => (labels = found ?? {});
/** What the game calls a thing, in English; nothing where it has no word for it. */
export const label = (/** @type {string} */ key) => labels[key] ?? "";
/** What the game calls a thing on the page, in the page's language; nothing where it has no word for it. */
export const wording = (/** @type {string} */ key, /** @type {Record<string, any>} */ words = {}) =>
  labels[key] ? t(labels[key], words) : "";

/** What an area of cards is called: as the game calls it on the page, else by its id. @param {string} id */
export const zoneName = (id) => wording(`zone-${id}`) || t(id);

/** Whoever plays on a seat, as sentences name them. @param {string} role */
export const roleName = (role) => wording(`side-${role}`) || capital(role);
/** What the game calls a turn, with its number. @param {number | string} n */
export const turnName = (n) => wording("turn", { n }) || t("Turn {n}", { n });
/** Who has won, as a whole sentence. @param {string} winner */
export const wins = (winner) => wording(`wins-${winner}`) || t("{role} wins", { role: roleName(winner) });
/** Whose play it is, where nothing is asked or flagged: as the game has it for this step, else who picks.
    @param {Snapshot} snapshot @param {string} seat how whoever plays is named */
export function playsNow({ phase, mover }, seat) {
  const own = wording(`now-${phase}`, { seat });
  if (own || !mover) return own || t("Play goes on");
  const role = roleName(mover);
  return wording("picks", { role }) || t("{role} picks", { role });
}
/** @param {string} text */
export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");

/** A line that came without its full stop, as a sentence. One that begins with an address or a path keeps it as it is. */
export const whole = (/** @type {string} */ line) => {
  const ended = /[.!?。！？]$/.test(line) ? line : `${line}.`;
  return /^\w*:?\//.test(line) ? ended : capital(ended);
};

/** A sentence of the referee, which comes in this page's language. */
/** @type {(item: Said) => string} */
export const sentence = (item) => item.message ?? item.text ?? "";

/** What a place beside the cells is called, with what kind of place it is. */
export const placeName = (/** @type {Place} */ { id, kind, name, value }) =>
  kind === "turn"
    ? t("Turn {n} on the track", { n: value })
    : t("{kind} {name}", { kind: t(kind), name: name && name !== id ? t(name) : t(String(value ?? id)) });
