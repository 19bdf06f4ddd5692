// What happens now: whose play it is, the call, a flag with the way back, a doubt, the clean-up, the end.

import { act, once } from "../act.js";
import { allowances } from "../board/faults.js";
import { discOf } from "./disc.js";
import { h, keep, s } from "../dom.js";
import { ending } from "./ending.js";
import { entrust, reveal } from "./entrust.js";
import { may, noLobby, setsUp, wished } from "../role.js";
import { rule } from "./rule.js";
import { lastSaid, said } from "./said.js";
import { onSharedScreen, sealHere } from "./secret.js";
import { sure } from "./sure.js";
import { lastEvent, pieceName, roles, store, subjectName } from "../store.js";
import { choreSymbol, symbols } from "../symbols.js";
import { capital, list, roleName, sentence, t } from "../words.js";

const done = { of: "", chores: [] };

export function drawNow(element, snapshot) {
  const call = snapshot.phase === "clean-up" ? snapshot.called : null;
  const chores = ticked(snapshot);
  const value = [snapshot.phase, snapshot.turn, snapshot.pick, snapshot.mover, snapshot.movers, snapshot.available, snapshot.played, snapshot.flag, snapshot.doubt, snapshot.question, snapshot.outcome, snapshot.opened, snapshot.secret, chores, call, lastEvent("play", "correction")?.number, snapshot.unfinished, snapshot.troubles, snapshot.undo, snapshot.undo_refused, lastSaid()?.number, snapshot.recall, snapshot.table?.problems, snapshot.table?.unknown, snapshot.blind, snapshot.source?.state];
  keep(element, value, () => [
    (snapshot.troubles ?? []).map(trouble),
    snapshot.source?.state === "over" && recordingOver(),
    (PHASES[snapshot.phase] ?? PHASES.play)(snapshot, { call, chores }),
    snapshot.flag && alarm(snapshot.flag),
    snapshot.doubt && doubt(snapshot.doubt),
    !snapshot.flag && snapshot.unfinished && openPlay(snapshot.unfinished),
    problems(snapshot),
  ]);
}

const TROUBLES = {
  sight: () => ["doubt", t("The board is out of sight"), t("The companion goes on as soon as it sees the board again.")],
  disk: () => ["alarm", t("The record cannot be written"), t("Make room on the disk. Nothing said so far is lost; the game goes on by itself.")],
  reading: () => ["alarm", t("What the camera showed last was left out"), t("Nothing on record is lost; the next look counts.")],
};

/** What keeps the companion from its work, for as long as it lasts. */
function trouble({ kind, text }) {
  const [look, title, advice] = TROUBLES[kind]();
  return h("div", { class: look, "data-trouble": kind }, h("h2", {}, symbols.warning(), title), h("p", {}, capital(text)), h("p", { class: "quiet-note" }, advice));
}

/** The bundled recording has nothing more to show: what the table waits for will not come, and what can be done instead. */
function recordingOver() {
  return h("div", { class: "card", "data-key": "recording-over" }, h("h2", {}, t("The recording is over")),
    h("p", {}, t("No more will be played on this table.")),
    noLobby && h("p", { class: "quiet-note" }, t("To see it again, end the companion and start it again with: companion demo. To set up a table of your own, start it with: companion run.")),
    setsUp && h("p", { class: "quiet-note" }, t("To see it again, begin another game; to play on a table of your own, choose another camera. Both are in the menu under: Set up the table again.")));
}

const PHASES = {
  unopened: () => headline(t("No game yet"), t("Set up the table")),
  "set-up": (snapshot, { chores }) => [
    headline(t("Before the first turn"), t("Set up the table")),
    h("div", { class: "card" },
      chores.length ? h("ul", { class: "chores" }, chores.map(chore)) : h("p", {}, t("Lay every piece where the board on this page shows it. The game opens by itself.")),
      Object.entries(store.board.doubts ?? {}).map(([subject, places]) => h("p", { class: "quiet-note", "data-doubt": subject }, t("{what}: the sources disagree where this starts ({places}). What lies on the table counts.", { what: startName(subject), places: places.join(", ") }))),
      h("div", { class: "actions" }, secretButton(snapshot), may("accept") && h("button", { type: "button", class: "button", "data-key": "accept", onclick: () => asItIs(chores.length) }, t("Take the table as it is")))),
  ],
  play: (snapshot) => [headline(turnLine(snapshot), snapshot.mover ? t("{role} picks", { role: roleName(snapshot.mover) }) : t("Play goes on"), snapshot.mover, snapshot), snapshot.flag || snapshot.doubt ? null : [hand(snapshot), retell(snapshot)]],
  call: (snapshot) => [headline(turnLine(snapshot), "", null, snapshot), question(snapshot)],
  "clean-up": (snapshot, { call, chores }) => [
    headline(turnLine(snapshot), "", null, snapshot),
    call && called(call, snapshot.recall && may("recall")),
    h("div", { class: "card" }, h("h2", {}, t("To tidy up")), h("ul", { class: "chores", "data-list": "clean-up" }, chores.map(chore)),
      !chores.length && h("p", {}, t("Nothing to do."))),
  ],
  over: (snapshot) => [ending(snapshot), said(snapshot)],
};

/** The game opens from what lies there, and stays so. */
function asItIs(left) {
  const lines = [left > 0 && t("Not yet as at the start: {n}.", { n: left }), t("The game begins with the pieces where they lie."), t("Afterwards only the arbiter can set another position.")];
  return sure(t("Take the table as it is?"), lines, t("Take the table as it is"), () => act({ kind: "accept" }));
}

const turnLine = (snapshot) => t("Turn {n}", { n: snapshot.turn });

function headline(line, who, role = null, snapshot = null) {
  const picks = snapshot?.phase === "play" ? snapshot.movers ?? [] : [];
  return h("div", { class: "headline" },
    h("p", { class: "turn" }, h("span", {}, line),
      picks.length > 0 && h("span", {}, t("Pick {k} of {n}", { k: Math.min(snapshot.pick + 1, picks.length), n: picks.length })),
      picks.length > 0 && h("span", { class: "picks", "aria-hidden": "true" }, picks.map((one, i) =>
        h("span", { class: "pip", "data-done": i < snapshot.pick ? "yes" : "no", "data-now": i === snapshot.pick ? "yes" : "no" }, t(capital(one))[0])))),
    who && h("p", { class: ["who", role && "role", role && roles().indexOf(role) === 1 && "role-2"] }, who),
    said(snapshot ?? store.snapshot));
}

function hand(snapshot) {
  const cards = [...new Set([...(snapshot.played ?? []), ...(snapshot.available ?? [])])];
  if (!cards.length) return null;
  return h("ul", { class: "hand", "aria-label": t("Characters of this turn") }, cards.map((character) => {
    const played = (snapshot.played ?? []).includes(character);
    return h("li", { class: "chip", "data-played": played ? "yes" : "no" }, discOf(character), h("span", { class: "chip-name" }, pieceName(character)), played && h("span", { class: "unseen" }, t("played")));
  }));
}

function question(snapshot) {
  const asked = snapshot.question;
  if (!asked) return h("div", { class: "call" }, h("p", {}, t("The witness call is due.")));
  if (asked.kind !== "call")
    return h("div", { class: ["call", "ask"] }, h("h2", {}, asked.text), h("p", { class: "quiet-note" }, t("Jack shows who he is. The companion then says who has won.")),
      may("reveal") && h("div", { class: "actions" }, h("button", { type: "button", class: ["button", "main"], "data-key": "reveal", onclick: () => reveal() }, t("Say who Jack is"))));
  const button = (seen, name, symbol) =>
    h("button", { type: "button", class: ["big", seen ? "yes" : "no"], "data-key": name, onclick: once(() => act({ kind: "call", seen })) }, symbol(), seen ? t("Seen") : t("Unseen"));
  return h("div", { class: ["call", "ask"] }, h("h2", {}, asked.text), may("call") && h("div", { class: "pair" }, button(true, "seen", symbols.eye), button(false, "unseen", symbols.eyeShut)));
}

function called(data, slip) {
  const cleared = data.cleared ?? [], word = data.seen ? t("seen") : t("unseen");
  const big = h("p", { class: "word" }, data.seen ? symbols.eye() : symbols.eyeShut(), h("span", {}, word));
  // As large as the word allows in whatever language it is; wide characters count double.
  big.style.setProperty("--letters", [...word].reduce((sum, letter) => sum + (letter > "\u2e80" ? 1.5 : 1), 0));
  return h("div", { class: "call", "data-seen": data.seen ? "yes" : "no", role: "group", "aria-label": t("Witness call") },
    h("p", {}, t("Jack is")),
    big,
    h("p", { class: "cleared" }, cleared.length ? t("Cleared: {names}.", { names: list(cleared.map(pieceName)) }) : t("Nobody is cleared.")),
    slip && h("div", { class: "actions" }, h("button", { type: "button", class: "button", "data-key": "recall", onclick: once(() => act({ kind: "recall" })) }, t("Wrong button: answer again"))));
}

function alarm(flag) {
  const illegal = flag.verdict === "illegal", far = flag.faults.some((fault) => fault.code === "too-much-changed");
  const { reach, lay } = allowances(store.board, store.snapshot, flag.faults), wrong = flag.faults.some((fault) => fault.cells.length);
  return h("div", { class: "alarm", "data-verdict": flag.verdict },
    h("h2", {}, symbols.warning(), illegal ? t("This play is not allowed") : t("The table differs")),
    h("ul", { class: "reasons" }, flag.faults.map((fault) => h("li", {}, sentence(fault)))),
    (!far || flag.guiding) && wayBack(flag.chores),
    (reach.length > 0 || lay.length > 0 || wrong) && h("p", { class: "legend" },
      wrong && h("span", {}, swatch("wrong"), t("not allowed")), reach.length > 0 && h("span", {}, swatch("reach"), t("within reach")), lay.length > 0 && h("span", {}, swatch("lay"), t("may lie here"))),
    h("div", { class: "actions" },
      far && !flag.guiding && may("guide") && h("button", { type: "button", class: ["button", "main"], "data-key": "guide", onclick: once(() => act({ kind: "guide" })) }, t("Guide us back")),
      may("accept") && h("button", { type: "button", class: "button", "data-key": "ruling", onclick: () => rule(illegal ? "allow" : "accept") }, far ? t("Take the table as it is") : t("Give a ruling"))));
}

const STEPS_SHOWN = 4;

/** What hands have to do, the next steps only where there are many. */
function wayBack(chores) {
  const left = chores.length - STEPS_SHOWN;
  return chores.length > 0 && [h("h3", {}, t("The way back")),
    h("ul", { class: "chores" }, (left > 1 ? chores.slice(0, STEPS_SHOWN) : chores).map((one) => chore({ ...one, done: false }))),
    left > 1 && h("p", { class: "quiet-note" }, t("and {n} more", { n: left }))];
}

const swatch = (name) => s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("polygon", { class: name, points: "23,12 17.5,21.5 6.5,21.5 1,12 6.5,2.5 17.5,2.5" }));

/** The last play was clear in what it did and unclear in how: offer the other ways to tell it, quietly. */
function retell(snapshot) {
  const last = lastEvent("play", "correction"), others = last?.data.alternatives ?? [];
  if (!may("choose") || others.length < 2 || last.data.turn !== snapshot.turn || last.data.pick !== snapshot.pick) return null;
  return h("details", { class: "open-play" }, h("summary", {}, t("Was it played another way?")), h("div", { class: "choices" }, alternatives(others)));
}

const alternatives = (list) => list.map((one, i) =>
  h("button", { type: "button", class: "choice", disabled: !may("choose"), "data-key": `choice-${one.index}`, onclick: once(() => act({ kind: "choose", alternative: one.index })) }, h("b", { "aria-hidden": "true" }, i + 1), h("span", {}, one.text)));

/** A play that goes on: no alarm, only what is still missing. */
function openPlay(data) {
  return h("div", { class: "open-play" }, h("h2", {}, t("Still to do")), h("ul", {}, data.faults.map((fault) => h("li", {}, sentence(fault)))), wayBack(data.chores ?? []));
}

function doubt(data) {
  return h("div", { class: "doubt" },
    h("h2", {}, t("What happened?")),
    h("p", { class: "quiet-note" }, t("More than one play fits what is on the table.")),
    h("div", { class: "choices" }, alternatives(data.alternatives)));
}

function chore(one) {
  return h("li", { class: "chore", "data-done": one.done ? "yes" : "no", "data-subject": one.subject },
    h("span", { class: "box", role: "img", "aria-label": one.done ? t("done") : t("to do") }, one.done ? symbols.tick() : choreSymbol(one.code)),
    h("span", { class: "chore-text" }, sentence(one)));
}

/** Chores of this phase with those that were done since: what the companion stops asking for has been seen done. */
function ticked(snapshot) {
  const of = `${snapshot.match}:${snapshot.phase}:${snapshot.turn}`, same = (a) => (b) => a.code === b.code && a.subject === b.subject && a.place === b.place;
  if (done.of !== of) Object.assign(done, { of, chores: [] });
  const now = snapshot.chores ?? [];
  const earlier = snapshot.phase === "clean-up" ? lastEvent("call")?.data.chores ?? [] : [];
  for (const one of [...earlier, ...now]) if (!done.chores.some(same(one))) done.chores.push(one);
  return done.chores.map((one) => ({ ...one, done: !now.some(same(one)) }));
}

/** What the camera cannot tell and the game hangs on. What lies under a disc is marked on the board and troubles nobody. */
function problems(snapshot) {
  if (snapshot.phase === "over") return null;
  const asked = new Set(snapshot.blind ?? []);
  const lines = snapshot.table?.problems ?? [], unknown = Object.entries(snapshot.table?.unknown ?? {}).filter(([subject]) => asked.has(subject));
  if (!lines.length && !unknown.length) return null;
  return h("div", { class: "card" }, h("h2", {}, t("The camera is not sure")),
    h("ul", { class: "quiet-note" }, lines.map((line) => h("li", {}, line)), unknown.slice(0, 4).map(([subject, reason]) => h("li", {}, t("{what}: {reason}", { what: subjectName(subject), reason })))),
    may("correct") && h("p", { class: "quiet-note" }, t("Tap the cell on the board to say what stands there.")));
}

/** A piece, or the kind of a group, whose start is doubtful. */
function startName(subject) {
  const group = store.board.groups.find((one) => one.key === subject);
  return group ? capital(t(group.singular)) : pieceName(subject);
}

function secretButton(snapshot) {
  if (snapshot.secret === "entrusted") return h("p", { class: "quiet-note" }, t("Jack has entrusted who he is; the companion makes the calls."));
  if (snapshot.secret === "sealed") return h("p", { class: "quiet-note" }, t("Jack has sealed who he is; he answers each call."));
  if (!may("entrust")) return null;
  return wished === "sealed"
    ? h("button", { type: "button", class: ["button", "main"], "data-key": "seal", onclick: once(() => onSharedScreen(() => sealHere(snapshot))) }, t("Jack: seal who you are"))
    : h("button", { type: "button", class: ["button", wished === "entrusted" && "main"], "data-key": "entrust", onclick: once(() => onSharedScreen(entrust)) }, t("Jack: entrust who you are"));
}
