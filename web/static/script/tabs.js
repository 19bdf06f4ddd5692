// One stream for all pages of a table in one browser: a browser opens six connections to an address, a stream takes one for
// good,
// and with six pages nothing else would come through. One page leads and passes on what it hears; when it leaves or falls
// silent another one takes its place. Locks (navigator.locks) would settle who leads, but browsers have them over HTTPS only,
// and a table at home is served without. If two lead for a moment nothing is lost: each event is taken once, by its number.

import { Link, patience } from "./link.js";

const ANSWER = 150,
  PULSE = 1000,
  MOST = 6;
const me = `${String(Math.round(performance.timeOrigin)).padStart(16, "0")}-${Math.random().toString(36).slice(2)}`;
const wire = (/** @type {string} */ name) =>
  typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`table-witness.${name}`);
const jitter = () => ANSWER * (1 + Math.random()); // so that not all take the lead at once

/** Whether this browser has as many streams open to this address as it opens connections: then nothing comes through. */
export function crowded() {
  const asking = wire("streams"),
    found = new Set();
  if (!asking) return Promise.resolve(false);
  asking.onmessage = ({ data }) => data.here && found.add(data.here);
  asking.postMessage({ ask: true });
  return new Promise((resolve) => setTimeout(() => (asking.close(), resolve(found.size >= MOST)), ANSWER));
}

/**
 * @typedef {object} Following
 * @property {string} key
 * @property {(after: number) => string} address
 * @property {(kind: string, data: any) => void} heard
 * @property {(state: string, why?: any) => void} told
 * @property {(after: number) => [string, any][]} past
 */

/** Follows a stream together with other pages of the same `key`. `heard(kind, data)` and `told(state, why)` as of a Link;
    `past(after)` is what this page can pass on to one that missed something: a list of [kind, data]. */
export class Shared {
  constructor(/** @type {Following} */ { key, address, heard, told, past }) {
    this.heard = heard;
    this.told = told;
    this.past = past;
    this.last = 0;
    this.leader = "";
    this.at = 0;
    this.state = "waiting";
    this.why = /** @type {Told | null} */ (null);
    this.asking = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    this.link = new Link(
      address,
      (/** @type {string} */ kind, /** @type {any} */ data) => this.pass(kind, data),
      (/** @type {string} */ state, /** @type {any} */ why) => this.tell(state, why),
    );
    this.channel = wire(`stream.${key}`);
    this.census = wire("streams");
    this.channel?.addEventListener("message", ({ data }) => this.hear(data));
    this.census?.addEventListener("message", ({ data }) => data.ask && this.leads && this.census?.postMessage({ here: me }));
    if (this.channel) setInterval(() => this.pulse(), PULSE);
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    addEventListener("online", () => this.wake());
    document.addEventListener("visibilitychange", () => !document.hidden && this.wake());
  }

  get leads() {
    return this.leader === me;
  }

  /** Follow the events above `after`: with whoever leads, else on a stream of one's own. */
  open(/** @type {number} */ after) {
    this.last = after;
    if (!this.channel || this.leads) this.lead();
    else this.look();
  }

  /** The page was away, or somebody wishes to know `now`. */
  wake(now = false) {
    if (this.leads) this.link.nudge(now);
    else if (now) this.lead();
    else if (this.channel) this.look();
  }

  // --- who leads -------------------------------------------------------------------------------------------------

  /** Is there a leader? Whoever answers is followed; else this page leads. */
  look() {
    const asked = performance.now();
    this.say("who", { after: this.last });
    clearTimeout(this.asking);
    this.asking = setTimeout(() => this.at < asked && this.lead(), jitter());
  }

  lead() {
    this.leader = me;
    this.link.open(this.last);
    this.here();
  }

  leave() {
    if (this.leads) this.say("bye");
    this.leader = "";
    this.link.close();
    clearTimeout(this.asking);
  }

  pulse() {
    if (this.leads) return this.here();
    if (!this.leader || performance.now() - this.at < patience()) return;
    this.tell("bad");
    this.lead();
  }

  /** Two lead: the one that is looked at goes on, else the older one. */
  yields(/** @type {string} */ from, /** @type {boolean} */ hidden) {
    return hidden === document.hidden ? from < me : document.hidden;
  }

  // --- the channel -----------------------------------------------------------------------------------------------

  say(/** @type {string} */ kind, more = {}) {
    this.channel?.postMessage({ from: me, kind, hidden: document.hidden, ...more });
  }

  here(to = null) {
    this.say("here", { to, state: this.state, why: this.why });
  }

  hear(/** @type {any} */ { from, to, kind, hidden, state, why, data, after }) {
    if (to && to !== me) return;
    if (kind === "who") {
      if (!this.leads) return;
      this.say("past", { to: from, data: this.past(after) });
      return this.here(from);
    }
    if (kind === "bye") {
      if (from === this.leader) this.look();
      return;
    }
    if (this.leads) {
      if (kind !== "here" || !this.yields(from, hidden)) return;
      this.link.close();
    }
    this.leader = from;
    this.at = performance.now();
    if (kind === "here") {
      [this.state, this.why] = [state, why];
      this.told(state, why);
      if (hidden && !document.hidden) this.lead(); // pages that nobody looks at may be put to sleep
    }
    if (kind === "news") this.take(data.kind, data.data);
    if (kind === "past") for (const [one, item] of data) this.take(one, item, true);
  }

  /** What the leader heard. Whoever missed something asks for it. */
  take(/** @type {string} */ kind, /** @type {any} */ data, whole = false) {
    if (kind === "event") {
      if (data.number <= this.last) return;
      if (!whole && data.number > this.last + 1) return this.say("who", { after: this.last });
      this.last = data.number;
    }
    this.heard(kind, data);
  }

  pass(/** @type {string} */ kind, /** @type {any} */ data) {
    if (kind === "event") this.last = Math.max(this.last, data.number);
    this.say("news", { data: { kind, data } });
    this.heard(kind, data);
  }

  tell(/** @type {string} */ state, why = /** @type {Told | null} */ (null)) {
    if (this.state !== state || why) {
      [this.state, this.why] = [state, why && { message: why.message, advice: why.advice, code: why.code }];
      if (this.leads) this.here();
    }
    this.told(state, why);
  }
}
