// Push to talk, an experiment that is off until somebody switches it on: hold the button, say one of a few English phrases,
// let go. What was understood is shown, and done only when it is confirmed.

import { inHall, seen } from "../base.js";
import { act, once } from "../act.js";
import { clockWord } from "./clock_menu.js";
import { closing, dialog } from "./dialog.js";
import { h, id } from "../dom.js";
import { expected, opensSecret } from "../expects.js";
import { confirm, tell } from "../messages.js";
import { lookOf } from "../page_data.js";
import { answerName, answersHere } from "./question.js";
import { may } from "../role.js";
import { wording, store } from "../store.js";
import { symbols } from "../symbols.js";
import { voice } from "../voice.js";
import { getJson, hear, post } from "../wire.js";
import { t } from "../words.js";

const KEPT = "table-witness.ears";
/** @type {Record<string, any>} */
const DONE = {
  again: { may: () => true, name: () => t("Say it again"), act: again },
  undo: {
    may: () => may("undo"),
    name: () => t("Take the last play back"),
    act: (/** @type {number} */ about) => act({ kind: "undo" }, t("Taken back."), about),
  },
  arbiter: { may: () => may("choose"), name: () => t("Call the arbiter"), act: () => press("arbiter") },
  hold: { may: () => may("clock"), name: () => t("Stop the clocks"), act: () => clockWord("hold", t("Stop the clocks")) },
  go: { may: () => may("clock"), name: () => t("Let the clocks run"), act: () => clockWord("go", t("Let the clocks run")) },
};

export const mayTalk = () => may("choose") && !inHall;
export const talks = () => {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return false;
  }
};

/** Switch it on or off on this device; says why it cannot be on. */
export async function setTalks(/** @type {boolean} */ on) {
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch {
    // Holds until the page is closed.
  }
  id("talk")?.remove();
  if (on) await startEars(true);
}

export async function startEars(asked = false) {
  if (!mayTalk() || (!talks() && !asked)) return;
  let known;
  try {
    known = await getJson("/api/hearing");
  } catch (error) {
    tell(error);
    return;
  }
  if (!known.available)
    return (
      asked &&
      tell({
        message: t("This companion does not understand spoken commands."),
        advice: t("They are an extra of its installation, see its README."),
      })
    );
  if (!navigator.mediaDevices?.getUserMedia)
    return (
      asked &&
      tell({
        message: t("This browser gives no microphone to this page."),
        advice: t("Open the page over HTTPS, or on the companion's own machine."),
      })
    );
  const button = h(
    "button",
    { type: "button", class: ["button", "talk"], id: "talk" },
    symbols.sound(),
    h("span", {}, t("Hold and speak")),
  );
  const recording = recorder(known.rate);
  const begin = (/** @type {any} */ event) => {
    if (event.type === "keydown" && (event.repeat || ![" ", "Enter"].includes(event.key))) return;
    event.preventDefault();
    if (event.pointerId !== undefined) button.setPointerCapture(event.pointerId);
    button.dataset.on = "yes";
    recording
      .begin()
      .catch(
        () => (
          (button.dataset.on = "no"),
          tell({
            message: t("This browser gives no microphone to this page."),
            advice: t("Allow it for this page, then try again."),
          })
        ),
      );
  };
  const end = once(async () => {
    if (button.dataset.on !== "yes") return;
    button.dataset.on = "no";
    const sound = await recording.end();
    if (!sound) return;
    try {
      offer(await hear(sound));
    } catch (error) {
      tell(error);
    }
  });
  for (const name of ["pointerdown", "keydown"]) button.addEventListener(name, begin);
  for (const name of ["pointerup", "pointercancel", "keyup", "blur"]) button.addEventListener(name, end);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  document.body.append(button);
}

/** The answer with that number ("answer-1") to the open question. */
function answering(/** @type {string} */ command) {
  const number = /^answer-(\d+)$/.exec(command ?? "")?.[1],
    asked = number && expected(store.snapshot, "question"),
    index = Number(number) - 1,
    answer = asked && !opensSecret(asked) ? answersHere(asked)[index] : null;
  if (!asked || !answer) return null;
  return {
    may: () => may(answer.kind),
    name: () => wording(lookOf(answer)?.said ?? "") || answerName(asked, index),
    act: (/** @type {number} */ about) => act(answer, "", about),
  };
}

/** Nothing is done by a voice alone. */
function offer(/** @type {any} */ { command, phrase }) {
  const what = DONE[command] ?? answering(command);
  if (!what || !what.may()) return confirm(t("That was none of the phrases."));
  const about = seen.number,
    yes = h("button", { type: "button", class: ["button", "main"], "data-key": "heard" }, what.name());
  const box = dialog(
    t("Was this said?"),
    h("p", { lang: "en" }, `“${phrase}”`),
    h(
      "div",
      { class: "actions" },
      yes,
      closing(() => box),
    ),
  );
  yes.addEventListener(
    "click",
    once(async () => {
      box.close();
      await what.act(about);
    }),
  );
}

async function press(/** @type {string} */ button) {
  try {
    await post("/api/boxes/press", { button });
  } catch (error) {
    tell(error);
  }
}

function again() {
  const last = store.events.findLast((event) => event.spoken && event.text);
  if (!last) return;
  const text = last.aloud ?? last.text;
  voice.write(text, last.urgency);
  voice.say(text, "calls", true);
}

/** The microphone as 16-bit samples at the companion's rate, open only while the button is held. */
function recorder(/** @type {number} */ rate) {
  let /** @type {MediaStream | null} */ stream = null,
    /** @type {AudioContext | null} */ context = null,
    /** @type {Float32Array[]} */ blocks = [],
    held = 0;
  const close = async () => {
    stream?.getTracks().forEach((track) => track.stop());
    await context?.close();
    stream = context = null;
  };
  return {
    async begin() {
      const mine = ++held; // a button let go before the microphone was open must not leave it open
      blocks = [];
      const opened = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
      if (mine !== held) return opened.getTracks().forEach((track) => track.stop());
      stream = opened;
      const sound = (context = new AudioContext({ sampleRate: rate }));
      await sound.audioWorklet.addModule("/static/script/listen.js");
      if (mine !== held) return;
      const node = new AudioWorkletNode(sound, "listen", { numberOfOutputs: 0 });
      node.port.onmessage = ({ data }) => blocks.push(data);
      sound.createMediaStreamSource(opened).connect(node);
    },
    async end() {
      held++;
      await close();
      const length = blocks.reduce((sum, block) => sum + block.length, 0),
        sound = new DataView(new ArrayBuffer(2 * length));
      let at = 0;
      for (const block of blocks)
        for (const sample of block) sound.setInt16(2 * at++, Math.max(-1, Math.min(1, sample)) * 32767, true);
      return length ? sound.buffer : null;
    },
  };
}
