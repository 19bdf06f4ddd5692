// Every word on the page goes through t(). The English sentence is the key; a catalogue may replace it.

let catalogue = {};

export function useCatalogue(words) {
  catalogue = words;
}

export function t(text, words = {}) {
  return (catalogue[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => (name in words ? String(words[name]) : whole));
}

/** A list as people say it: "a, b and c". */
export function list(items) {
  try {
    return new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(items);
  } catch {
    return items.join(", ");
  }
}

const ROLES = { detective: () => t("The detective"), jack: () => t("Jack") };

export const roleName = (role) => (ROLES[role] ? ROLES[role]() : capital(role));
export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");

/** A sentence of the referee: its template and words in this language, or what it says itself. */
export function sentence(item) {
  if (!item.text) return item.message ?? "";
  const words = Object.fromEntries(Object.entries(item.params ?? {}).map(([name, value]) => [name, typeof value === "string" ? t(value) : value]));
  return t(item.text, words);
}
