// The one state of the table, in one line on every screen, with the one thing that can be done about it where this seat may do
// it.

import { may, setsUp } from "./role.js";
import { awaited, lookAgain, store } from "./store.js";
import { sentence, LANGUAGE, t, whole } from "./words.js";

const hour = (/** @type {number} */ time) =>
  new Date(time).toLocaleTimeString(LANGUAGE, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const since = (/** @type {any} */ status) => (status.since ? hour(1000 * status.since) : "");
const toLobby = (/** @type {string} */ label) => setsUp && [label, () => location.assign("/lobby")];

// By state: how it looks (`good`, `waiting`, `bad`), its sentence, and the button where there is one.
/** @type {Record<string, any>} */
const STATES = {
  watching: (/** @type {Snapshot} */ { source }) => ["good", t("Watching: {name}", { name: t(source.name) })],
  still: (/** @type {Snapshot} */ { status }) => [
    "good",
    t("Watching. The picture has been exactly the same since {time}.", { time: since(status) }),
  ],
  partly: (/** @type {Snapshot} */ { source }) => [
    "waiting",
    t("{name} shows nothing new; the other camera goes on watching.", { name: source.ailing?.[0]?.name }),
  ],
  starting: () => ["waiting", t("Waiting for the camera")],
  "set-up": () => ["waiting", t("The table is being set up")],
  frozen: (/** @type {Snapshot} */ { status }) => [
    "bad",
    t("The picture has stood still since {time}: the camera may be frozen, and nothing that is played now is seen.", {
      time: since(status),
    }),
    toLobby(t("Look at the camera")),
  ],
  silent: (/** @type {Snapshot} */ { status }) => [
    "bad",
    t("No picture from the camera since {time}: nothing that is played now is seen.", { time: since(status) }),
    toLobby(t("Look at the camera")),
  ],
  lost: (/** @type {Snapshot} */ { status }) => [
    "bad",
    t("The camera has been lost since {time}: nothing that is played now is seen.", { time: since(status) }),
    toLobby(t("Look at the camera")),
  ],
  "out-of-sight": () => [
    "bad",
    t("The board is out of sight: nothing that is played now is seen."),
    toLobby(t("Look at the camera")),
  ],
  "left-out": () => ["bad", t("What the camera showed last was left out")],
  disk: () => ["bad", t("The record cannot be written")],
  ended: () => ["waiting", t("The recording is over"), toLobby(t("Set up the table again"))],
  adjourned: () => ["waiting", t("The game is adjourned"), may("rule") && [t("Go on with the game"), resume]],
  "table-offline": (/** @type {Snapshot} */ { status }) => [
    "bad",
    t("Nothing was heard of this table since {time}: what stands here is how it was then.", { time: since(status) }),
  ],
  over: () => ["waiting", t("The game is over"), setsUp && [t("Play again"), playAgain]],
};

/** The arbiter's ruling; its dialog is fetched when it is wanted. */
const resume = async () => (await import("./panels/rule.js")).rule("resume");

const playAgain = async () => (await import("./panels/ending.js")).playAgain();

/** `{state, look, text, button}`; what this page itself does not know any more comes first. */
export function statusNow() {
  const { snapshot, connection, why } = store;
  if (connection === "bad") return offline(why);
  if (!snapshot || connection === "waiting")
    return { state: "connecting", look: "waiting", text: t("Connecting"), button: null };
  const state = snapshot.status.state,
    [look, text, button] = STATES[state](snapshot);
  return { state, look, text, button: button || null };
}

function offline(/** @type {any} */ why) {
  const button = [t("Try again now"), lookAgain];
  if (awaited()) return { state: "set-up", look: "waiting", text: whole(sentence(why)), button: null };
  if (why && why.code !== "unreachable")
    return { state: "refused", look: "bad", text: [whole(why.message), why.advice].join(" "), button };
  return {
    state: "offline",
    look: "bad",
    text: t("No connection since {time}. What stands here may be old.", { time: hour(store.since) }),
    button,
  };
}
