// Saying things: with the browser's voice when it is switched on, and always as text for those who listen another way.

import { id } from "./dom.js";

const KEPT = "table-witness.voice";
const KINDS = { call: "calls", "call-asked": "calls", outcome: "calls", accusation: "calls", flag: "flags", "flag-cleared": "flags", doubt: "flags", "cannot-see": "flags", "sight-restored": "flags", notice: "flags" };
const DEFAULTS = { on: true, calls: true, flags: true, plays: false, volume: 1, rate: 1 };
const WAITING = 3; // sentences behind which news would be stale

class Voice {
  constructor() {
    this.settings = { ...DEFAULTS, ...kept() };
    this.unlocked = false;
    this.turn = 0;
    this.pending = 0;
  }

  get available() {
    return typeof speechSynthesis !== "undefined" && (speechSynthesis.getVoices().length === 0 || speechSynthesis.getVoices().some((one) => one.lang.startsWith(document.documentElement.lang)));
  }

  set(name, value) {
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

  announce(event) {
    if (!event.text) return;
    this.write(event.text, event.urgency);
    this.say(event.text, KINDS[event.kind] ?? "plays");
  }

  /** A repeated sentence differs by an invisible mark, or it would not be read out again. */
  write(text, urgency) {
    this.turn = 1 - this.turn;
    id(urgency === "assertive" ? "assertive" : "polite").textContent = text + (this.turn ? "\u200b" : "");
  }

  say(text, kind, always = false) {
    const { on, volume, rate } = this.settings;
    if (typeof speechSynthesis === "undefined" || !this.unlocked || (!always && (!on || !this.settings[kind]))) return;
    if (kind === "calls" || this.pending >= WAITING) {
      speechSynthesis.cancel();
      this.pending = 0;
    }
    const utterance = new SpeechSynthesisUtterance(text);
    Object.assign(utterance, { lang: document.documentElement.lang, volume, rate });
    this.pending += 1;
    utterance.onend = utterance.onerror = () => (this.pending = Math.max(0, this.pending - 1));
    speechSynthesis.speak(utterance);
  }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

export const voice = new Voice();
