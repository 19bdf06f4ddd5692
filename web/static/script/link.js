// One stream of events with a watchdog over it. A network that vanishes closes nothing, so silence is what tells: the companion
// lets a beat be heard every few seconds, and whoever hears nothing for two of them calls the link lost and tries anew.

import { refusal } from "./wire.js";

const CHECK = 500,
  SPARE = 1000,
  FIRST_WAIT = 1000,
  LONGEST_WAIT = 8000,
  SET_UP_WAIT = 2000, // before a game begins: its first plays should not be missed
  NEXT_GAME = 10000; // how long the next game may take to be there, once it was announced

let every = 3000; // until the first beat says it

/** Milliseconds of silence after which a stream counts as lost. */
export const patience = () => 2 * every + SPARE;

export class Link {
  /** `address(after)` is where the events above a number are; `heard(kind, data)` gets each message's object, of kind
      `snapshot`,
      `event` or `beat`; `told(state, why)` the link's state: `good`, or `bad` with a refusal's Trouble where there is one. */
  constructor(
    /** @type {(after: number) => string} */ address,
    /** @type {(kind: string, data: any) => void} */ heard,
    /** @type {(state: string, why?: any) => void} */ told,
  ) {
    this.address = address;
    this.heard = heard;
    this.told = told;
    this.source = /** @type {EventSource | null} */ (null);
    this.last = 0;
    this.at = 0;
    this.wait = FIRST_WAIT;
    this.parting = /** @type {any} */ (null); // what the companion said before it ended the stream
    this.retry = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    this.watch = /** @type {ReturnType<typeof setInterval> | undefined} */ (undefined);
  }

  /** Follow the events above `after`, on a new connection. */
  open(/** @type {number} */ after) {
    this.close();
    this.last = after;
    this.at = performance.now();
    this.watch = setInterval(() => this.check(), CHECK);
    const mine = (this.source = new EventSource(this.address(after)));
    const hear = (/** @type {string} */ kind) => (/** @type {MessageEvent} */ message) => {
      if (this.source !== mine) return;
      this.at = performance.now();
      this.wait = FIRST_WAIT;
      const data = JSON.parse(message.data);
      if (kind === "beat") every = 1000 * data.every;
      if (kind === "event" && data.number > this.last) this.last = data.number;
      this.parting = null;
      this.told("good");
      this.heard(kind, data);
    };
    for (const kind of ["snapshot", "beat"]) mine.addEventListener(kind, hear(kind));
    mine.onmessage = hear("event");
    mine.addEventListener("parting", ({ data }) => this.source === mine && this.parts(JSON.parse(data)));
    mine.onerror = () => this.source === mine && this.broke(mine);
  }

  close() {
    clearInterval(this.watch);
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
  }

  /** Is anything still coming? Asked again and again, and when the page comes into sight or the network back. */
  check(limit = patience()) {
    if (performance.now() - this.at < limit) return;
    this.told("bad");
    this.open(this.last);
  }

  /** The page may have slept, or somebody wishes it: anew, unless a beat was heard just now. */
  nudge(now = false) {
    this.check(now ? 0 : every + SPARE / 2);
  }

  /** The companion said why it ends the stream; that stands until something else is known, or for too long. */
  parts(/** @type {any} */ why) {
    this.parting = why;
    this.told("bad", why);
    setTimeout(() => this.parting === why && this.told("bad", { ...why, code: "unreachable" }), NEXT_GAME);
  }

  /** The browser comes back by itself unless the answer was a refusal; then its reason is asked for, and we come back. */
  async broke(/** @type {EventSource} */ mine) {
    this.told("bad");
    if (mine.readyState !== EventSource.CLOSED) return;
    clearInterval(this.watch);
    const why = await refusal(this.address(this.last));
    if (this.source !== mine) return;
    if (why?.code !== "unreachable") this.parting = null;
    if (why?.code === "next-game") this.parts(why);
    else if (!this.parting) this.told("bad", why);
    this.retry = setTimeout(() => this.open(this.last), this.wait);
    this.wait = Math.min(2 * this.wait, this.parting || why?.code === "not-yet" ? SET_UP_WAIT : LONGEST_WAIT);
  }
}
