// Joins the parts: the store's snapshot goes to the panels and the board, its events to the log and the voice.

import "./focus.js";
import { inHall } from "./base.js";
import { BoardView } from "./board/view.js";
import { correct } from "./panels/correct.js";
import { drawClocks } from "./panels/clocks.js";
import { drawBar, drawHelp, drawStatus } from "./panels/bar.js";
import { drawMaps, mapShown, NO_MAP, onMap } from "./panels/maps.js";
import { drawNotes } from "./panels/notes.js";
import { drawNow } from "./panels/now.js";
import { startHallPicture } from "./panels/hall_picture.js";
import { drawHandover } from "./panels/handover.js";
import { drawOwn, onLit, picks } from "./panels/own.js";
import { drawPeople } from "./panels/people.js";
import { drawRing } from "./panels/ring.js";
import { drawArbiter } from "./panels/arbiter.js";
import { drawSent } from "./panels/sent.js";
import { startEars } from "./panels/ears.js";
import { closeDialogs } from "./panels/dialog.js";
import { emptyLog, logEvent, startLog } from "./panels/log.js";
import { id, keep, tool } from "./dom.js";
import { playing, tidying } from "./expects.js";
import { changed, onChange, onEvent, onGame, open, store } from "./store.js";
import { pastOf, shownStep, startStepping, when } from "./panels/stepping.js";
import { showPicture } from "./panels/picture.js";
import { soundMenu, tableMenu } from "./panels/menu.js";
import { startBoxes } from "./panels/boxes.js";
import { askedSpots, tapped } from "./panels/question.js";
import { askAfterLobby, drawSecret } from "./panels/secret.js";
import { notYet } from "./panels/troubles.js";
import { may, seatLine } from "./role.js";
import { crowded } from "./tabs.js";
import { symbols } from "./symbols.js";
import { startPanel } from "./start.js";
import { zoomButtons } from "./board/zoom.js";
import { watchSeat } from "./seat.js";
import { startTheme } from "./theme.js";
import { t } from "./words.js";
import { confirm, tell } from "./messages.js";
import { voice } from "./voice.js";

/** So many spots of a map are brought into sight together. */
const FEW = 60;

startTheme();
watchSeat();
soundLabel();
tool(id("more-button"), symbols.menu(), t("Table"));
id("sound-button").addEventListener("click", soundMenu);
id("more-button").addEventListener("click", tableMenu);

async function run() {
  try {
    await open();
  } catch (error) {
    if (error.code === "unreachable" && (await crowded()))
      tell(
        { message: t("This browser has too many pages of this table open"), advice: t("Close some of them.") },
        "unreachable",
      );
    else if (error.code === "not-yet") keep(id("now"), ["not-yet", error.message], () => notYet(error));
    else tell(error);
    store.connection = "bad";
    store.why = error;
    store.since ||= Date.now();
    drawStatus();
    setTimeout(run, 3000);
    return;
  }
  if (id("seat")) id("seat").textContent = seatLine();
  const view = new BoardView(store.board, (/** @type {Spot} */ spot) => {
    const mend = may("correct") ? () => correct(spot, view.on(spot), view.shown) : null;
    if (!shownStep() && !picks(spot) && !tapped(spot, mend)) mend?.();
  });
  if (view.zoom) {
    id("board-tools").prepend(zoomButtons(view.zoom));
    id("board-tools").hidden = false;
  }
  onLit((lit, begun) => {
    view.light(lit);
    drawBoard(view);
    if (!begun) return;
    // Once the panel beside the board is drawn, and has the height that it will have.
    requestAnimationFrame(() => {
      const narrow = matchMedia("(max-width: 45.99rem)").matches;
      id("board").scrollIntoView({ block: narrow ? "start" : "nearest" });
      view.frame(lit.choose);
      if (lit.byKeys) view.stand(lit.choose[0]);
    });
  });
  onMap(() => {
    const { possible, way, marked } = mapShown(store.snapshot);
    drawBoard(view);
    if (possible.length <= FEW) view.frame([...possible, ...way, ...marked]); // more lie all over the board anyway
  });
  onEvent((event, live) => {
    logEvent(event);
    if (live && event.spoken) voice.announce(event);
  });
  onGame(() => {
    emptyLog(true);
    closeDialogs(); // what was asked about the game before would be answered in this one
    id("messages").replaceChildren();
  });
  onChange(({ snapshot }) => {
    drawBar(store);
    drawHelp(store);
    drawClocks(id("clocks"), snapshot);
    drawArbiter(id("arbiter"), snapshot);
    drawSent(id("sent"), snapshot);
    drawNow(id("now"), snapshot);
    drawPeople(id("people"), snapshot);
    drawRing(id("ring"), snapshot);
    drawSecret(id("secret"), snapshot);
    drawOwn(id("own"), snapshot);
    drawHandover(document.getElementById("handover"), snapshot);
    drawNotes(id("notes"), snapshot);
    drawMaps(snapshot);
    drawBoard(view);
    soundLabel();
    id("room").dataset.number = String(snapshot.number);
  });
  document.addEventListener("voice", soundLabel);
  startStepping(() => drawBoard(view));
  startLog(Boolean(id("arbiter")));
  emptyLog();
  changed();
  if (id("picture")) showPicture();
  if (inHall) startHallPicture();
  startBoxes();
  if (!inHall) startPanel(store.board.name);
  askAfterLobby();
  startEars();
}

/** The board as it is now, or after the move that somebody looks at. */
function drawBoard(/** @type {any} */ view) {
  const step = shownStep();
  view.name(step ? t("The board as it was: {when}", { when: when(step) }) : t("The board as the companion believes it"));
  const asked = step ? [] : askedSpots(store.snapshot),
    fresh = asked.length > 0 && JSON.stringify(asked) !== told.asked;
  view.overlay(step ? NO_MAP : mapShown(store.snapshot), asked);
  told.asked = JSON.stringify(asked);
  if (step) view.update(pastOf(step), { number: step.number, data: { moves: step.moves } });
  else view.update(store.snapshot, lastMoved());
  if (fresh) view.frame(asked.map((one) => one.spot));
  const hands = step ? [] : handsAt(view),
    begun = JSON.stringify([store.snapshot.phase, store.snapshot.turn, store.snapshot.available, store.snapshot.position]);
  if (hands.length && begun !== told.hands) view.frame(hands);
  told.hands = begun;
}

const MOVED = new Set(["play", "correction", "undo", "turn-opened"]);
/** What was moved last, as long as it stands: a ruling that puts the pieces elsewhere is no move, and ends the one before. */
const lastMoved = () =>
  store.events.findLast(({ kind, data }) => MOVED.has(kind) || (kind === "ruling" && data.position)) ?? null;

/** Where hands go now: what they are asked to bring about, or the pieces of which one is to be moved. */
function handsAt(/** @type {any} */ view) {
  const { chores, available } = store.snapshot;
  if (tidying(store.snapshot)) return (chores ?? []).flatMap((one) => one.to ?? one.place ?? []);
  return playing(store.snapshot) ? (available ?? []).flatMap((one) => view.shown.get(one)?.place ?? []) : [];
}

const told = { mute: false, asked: "", hands: "" };

/** The sound button; whoever switched sound on where there is no voice is told so, once. */
function soundLabel() {
  const on = voice.settings.on && voice.unlocked && voice.available;
  tool(
    id("sound-button"),
    on ? symbols.sound() : symbols.mute(),
    on ? t("Sound on") : voice.available ? t("Sound off") : t("No voice"),
  );
  if (voice.available || !voice.unlocked || told.mute) return;
  told.mute = true;
  confirm(t("This browser has no voice for this language. Everything said is also written on the page."), null, "mute");
}

run();
