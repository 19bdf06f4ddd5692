// "What stands here?": putting right what the camera misread on one cell.

import { act, once } from "../act.js";
import { cellsOf } from "../board/geometry.js";
import { closing, dialog } from "./dialog.js";
import { discOf } from "./disc.js";
import { h } from "../dom.js";
import { store } from "../store.js";
import { capital, t } from "../words.js";

export function correct(spot, lying) {
  whatStands(spot, lying, t("Say what really lies here. It stays so until the camera sees something else."), async (answers) => {
    for (const answer of answers) if (!(await act({ kind: "correct", ...answer }))) return false;
    return true;
  });
}

/** Asks what lies on a spot; `take` gets what differs from `lying`, and says whether it was taken. */
export function whatStands(spot, lying, note, take, position = store.snapshot.position) {
  const { board } = store;
  const kind = [...board.cells, ...board.places].find((one) => one.id === spot).kind;
  // What lies where it does not belong can at least be said not to lie there.
  const fits = (group) => group.on.includes(kind) || lying.some((placement) => placement.group === group.key);
  const fields = board.groups.filter(fits).map((group) => field(board, group, spot, lying, position)).filter(Boolean);
  if (!fields.length) {
    const box = dialog(title(spot), h("p", {}, t("No piece of the game belongs here. Put what lies here back on a street.")), h("div", { class: "actions" }, closing(() => box)));
    return;
  }
  const save = h("button", { type: "button", class: ["button", "main"], "data-key": "save" }, t("That is right"));
  const box = dialog(title(spot), h("p", { class: "quiet-note" }, note), fields.map((one) => one.element), h("div", { class: "actions" }, save, closing(() => box)));
  save.addEventListener("click", once(async () => {
    if (await take(fields.flatMap((one) => one.answers()))) box.close();
  }));
}

const title = (spot) => t("What stands on {cell}?", { cell: t(spot) });

function field(board, group, spot, lying, position) {
  const here = lying.filter((placement) => placement.group === group.key);
  if (group.layout === "by-piece" || group.layout === "lone") return discs(board, group, spot, here, position);
  if (group.layout === "pairs") return pairs(group, spot, here);
  if (group.layout === "value") return marker(board, group, spot, here);
  return tiles(board, group, spot, here);
}

const options = (name, legend, choices, checked) =>
  h("fieldset", { class: "options" }, h("legend", { class: "unseen" }, legend), choices.map(([value, label, sign]) =>
    h("label", {}, h("input", { type: "radio", name, value, checked: value === checked }), sign, h("span", {}, label))));

const chosen = (element) => element.querySelector("input:checked")?.value ?? "";

function discs(board, group, spot, here, position) {
  const pieces = board.pieces.filter((piece) => piece.group === group.key);
  const now = here[0]?.piece ?? "";
  const who = options(`who-${group.key}`, capital(t(group.singular)), [["", group.layout === "lone" ? t("no {what}", { what: t(group.singular) }) : t("nobody")], ...pieces.map((piece) => [piece.id, piece.name, discOf(piece.id)])], now);
  const more = h("div", {});
  const known = (piece) => (group.layout === "lone" ? position?.[group.key] : position?.[group.key]?.[piece.id]);
  const before = { face: here[0]?.face ?? null, facing: here[0]?.facing ?? null };
  const refine = () => {
    const piece = pieces.find((one) => one.id === chosen(who));
    const choose = (name, label, values, value) => h("label", { class: "field" }, h("span", {}, label), h("select", { name }, values.map((one) => h("option", { value: one, selected: one === value }, capital(t(one))))));
    more.replaceChildren(...[
      piece && piece.faces.length > 1 && choose("side", t("Side that is up"), piece.faces, piece.id === now ? before.face : known(piece)?.side),
      piece?.facing && choose("facing", t("Faces towards"), Object.keys(board.directions), piece.id === now ? before.facing : known(piece)?.facing),
    ].filter(Boolean));
  };
  who.addEventListener("change", refine);
  refine();
  return {
    element: h("div", {}, who, more),
    answers: () => {
      const piece = chosen(who);
      if (!piece) return now ? [{ subject: now, place: null }] : [];
      const answer = { subject: piece, place: spot };
      for (const select of more.querySelectorAll("select")) answer[select.name] = select.value;
      const same = piece === now && (answer.side ?? before.face) === before.face && (answer.facing ?? before.facing) === before.facing;
      return same && !here[0]?.doubt ? [] : [answer];
    },
  };
}

function tiles(board, group, spot, here) {
  const labels = [...new Set(board.pieces.filter((piece) => piece.group === group.key).flatMap((piece) => (piece.faces.length ? piece.faces : [piece.label])))];
  const now = here.length ? String(here[0].face ?? board.pieces.find((piece) => piece.id === here[0].piece).label ?? "yes") : "";
  const word = t(group.singular);
  const choices = labels.map((label) => [String(label ?? "yes"), label === null ? capital(word) : label === "blank" ? t("{what} without a number", { what: capital(word) }) : typeof label === "string" ? capital(t(label)) : t("{what} {label}", { what: capital(word), label })]);
  const what = options(`what-${group.key}`, capital(word), [["", t("no {what}", { what: word })], ...choices], now);
  return {
    element: what,
    answers: () => {
      const value = chosen(what), label = labels.find((one) => String(one ?? "yes") === value) ?? null;
      if (value === now && !here[0]?.doubt) return [];
      const subject = `${group.singular}:${spot}`;
      if (!value) return [{ subject, place: null }];
      return [{ subject, place: spot, ...(label === null ? {} : { label }) }];
    },
  };
}

/** A piece on two cells: over which other cell it reaches from here. */
function pairs(group, spot, here) {
  const word = t(group.singular), now = here[0]?.place ?? "";
  const reach = group.spots.filter((pair) => cellsOf(pair).includes(spot));
  const other = (pair) => cellsOf(pair).filter((cell) => cell !== spot).map((cell) => t(cell)).join(" ");
  const all = now && !reach.includes(now) ? [now, ...reach] : reach;
  const what = options(`what-${group.key}`, capital(word), [["", t("no {what}", { what: word })], ...all.map((pair) => [pair, t("{what} {label}", { what: capital(word), label: `${t(spot)} + ${other(pair)}` })])], now);
  return {
    element: what,
    answers: () => {
      const pair = chosen(what);
      if (pair === now && !here[0]?.doubt) return [];
      return now || pair ? [{ subject: `${group.singular}:${now || pair}`, place: pair || null }] : [];
    },
  };
}

function marker(board, group, spot, here) {
  const piece = board.pieces.find((one) => one.group === group.key);
  const what = options(`what-${group.key}`, piece.name, [["", t("not here")], ["yes", piece.name]], here.length ? "yes" : "");
  return {
    element: what,
    answers: () => (chosen(what) === "yes" && !here.length ? [{ subject: piece.id, place: spot }] : []),
  };
}
