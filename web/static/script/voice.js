// Saying things: with the browser's voice when it is switched on, and always as text for those who listen another way.

import { id } from "./dom.js";
import { meaning } from "./page_data.js";
import { LANGUAGE } from "./words.js";

const KEPT = "table-witness.voice";
// What is said, by what it is about; each can be switched off by itself. What is not listed is a play.
/** @type {Record<string, any>} */
const KINDS = {
  outcome: "calls",
  opening: "calls",
  flag: "flags",
  "flag-cleared": "flags",
  doubt: "flags",
  ruling: "rulings",
  correction: "rulings",
  undo: "rulings",
  clock: "clocks",
  "time-over": "clocks",
  "cannot-see": "trouble",
  "sight-restored": "trouble",
  notice: "trouble",
};
const ASKED = new Set(["asks", "answers"]); // what the game's own events mean
const DEFAULTS = {
  on: true,
  calls: true,
  flags: true,
  plays: false,
  rulings: true,
  clocks: true,
  trouble: true,
  volume: 1,
  rate: 1,
};
// Tags of voices, best first. A Cantonese voice (zh-HK, yue) would read both kinds of Chinese in another language.
/** @type {Record<string, any>} */
const SPOKEN = { "zh-Hans": ["zh-CN", "zh-Hans", "cmn", "zh-SG", "zh-TW"], "zh-Hant": ["zh-TW", "zh-Hant", "cmn", "zh-CN"] };
const WAITING = 3; // sentences behind which news would be stale
const PASSING = new Set(["notice", "cannot-see", "unfinished", "chores"]); // kinds of which only the newest matters
const AGAIN = 10000; // ms within which the very same trouble is not said once more
const FILLED = 3000; // ms after which a list of voices that is still empty stays empty

class Voice {
  constructor() {
    this.settings = { ...DEFAULTS, ...kept() };
    this.unlocked = false;
    this.turn = 0;
    this.pending = 0;
    this.last = { text: "", at: -Infinity };
    if (typeof speechSynthesis === "undefined") return;
    const changed = () => document.dispatchEvent(new Event("voice"));
    speechSynthesis.addEventListener?.("voiceschanged", changed);
    setTimeout(changed, FILLED);
  }

  /** Whether this browser can speak the page's language. A list of voices that is still empty may yet be filled. */
  get available() {
    if (typeof speechSynthesis === "undefined") return false;
    return speechSynthesis.getVoices().length === 0 ? performance.now() < FILLED : own() !== null;
  }

  set(/** @type {string} */ name, /** @type {any} */ value) {
    this.settings[name] = value;
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.settings));
    } catch {
      // A private window keeps nothing; the setting holds until the page is closed.
    }
    if (name === "on" && !value && typeof speechSynthesis !== "undefined") speechSynthesis.cancel();
    document.dispatchEvent(new Event("voice"));
  }

  /** Browsers allow sound only after somebody pressed something. */
  unlock() {
    this.unlocked = true;
    if (typeof speechSynthesis === "undefined") return;
    const silence = new SpeechSynthesisUtterance(" ");
    silence.volume = 0;
    speechSynthesis.speak(silence);
  }

  announce(/** @type {RecordEvent} */ event) {
    const text = event.aloud ?? event.text;
    if (!text || (PASSING.has(event.kind) && text === this.last.text && performance.now() - this.last.at < AGAIN)) return;
    this.last = { text, at: performance.now() };
    this.write(text, event.urgency);
    this.say(text, KINDS[event.kind] ?? (ASKED.has(meaning(event.kind)) ? "calls" : "plays"));
  }

  /** A repeated sentence differs by an invisible mark, or it would not be read out again. */
  write(/** @type {string} */ text, /** @type {string} */ urgency) {
    this.turn = 1 - this.turn;
    id(urgency === "assertive" ? "assertive" : "polite").textContent = text + (this.turn ? "\u200b" : "");
  }

  /** `asked`: somebody pressed for it here, which is what browsers wait for, and says more than any setting. */
  say(/** @type {string} */ text, /** @type {string} */ kind, asked = false) {
    const { on, volume, rate } = this.settings;
    if (!this.available || (!asked && (!this.unlocked || !on || !this.settings[kind]))) return;
    if (kind === "calls" || this.pending >= WAITING) {
      speechSynthesis.cancel();
      this.pending = 0;
    }
    const utterance = new SpeechSynthesisUtterance(text);
    const one = own();
    if (one instanceof Object && typeof SpeechSynthesisVoice !== "undefined" && one instanceof SpeechSynthesisVoice)
      utterance.voice = one;
    Object.assign(utterance, { lang: one?.lang ?? SPOKEN[LANGUAGE]?.[0] ?? LANGUAGE, volume, rate });
    this.pending += 1;
    utterance.onend = utterance.onerror = () => (this.pending = Math.max(0, this.pending - 1));
    speechSynthesis.speak(utterance);
  }
}

/** The voice for the page's language, null when there is none: another language's voice would read it wrongly. */
function own() {
  const voices = speechSynthesis.getVoices();
  for (const tag of SPOKEN[LANGUAGE] ?? [LANGUAGE]) {
    const found = voices.find((one) => one.lang.replace("_", "-").toLowerCase().startsWith(tag.toLowerCase()));
    if (found) return found;
  }
  return null;
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

export const voice = new Voice();
