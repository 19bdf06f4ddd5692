// First: a table that is known, with one press, or which game on which board.

import { once } from "../act.js";
import { nextGame } from "../anew.js";
import { confirm } from "../messages.js";
import { sure } from "../panels/sure.js";
import { h } from "../dom.js";
import { LANGUAGE, sentence, t, wording } from "../words.js";
import { cameraWords } from "./camera.js";
import { startPosition } from "./drawing.js";
import { mayLose } from "./losing.js";
import { lobby, redraw, wish } from "./state.js";

export const game = {
  name: () => t("Game"),
  title: (/** @type {LobbyState} */ state) =>
    state.resume?.over
      ? t("The last game is over. Play again?")
      : state.resume
        ? t("Go on with this game?")
        : state.tables.length && !state.fixed
          ? t("Play again, or set up another table?")
          : t("What do you play?"),
  depends: (/** @type {LobbyState} */ state) => [
    state.game,
    state.edition,
    state.tables,
    state.fixed,
    state.playing,
    state.resume,
  ],
  body: (/** @type {LobbyState} */ state) => [
    state.resume && goOn(state.resume, cardWords(state)),
    state.resume &&
      fitting(state).length > 0 && [
        h("h3", {}, t("Or at another table that is known")),
        h(
          "ul",
          { class: "known" },
          fitting(state).map((table) => known(table, state)),
        ),
      ],
    !state.fixed &&
      state.tables.length > 0 &&
      h(
        "ul",
        { class: "known" },
        state.tables.map((table) => known(table, state)),
      ),
    !state.fixed && state.tables.length > 0 && h("h3", {}, t("Another table")),
    state.fixed &&
      !state.resume &&
      h("p", { class: "quiet-note" }, t("This game keeps its board; begin a new game to choose another.")),
    (state.playing || state.resume) &&
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          {
            type: "button",
            class: ["button", state.resume?.over && "main"],
            "data-key": "new",
            onclick: once(async () => (state.resume?.over || (await endsGame(state.playing))) && renew()),
          },
          t("Begin a new game"),
        ),
      ),
    (state.playing || state.resume) &&
      h("p", { class: "quiet-note" }, t("The record of this game is kept. The table stays as it was set up.")),
    h(
      "div",
      { class: "cards", role: "radiogroup", "aria-labelledby": "step-title" },
      state.games.flatMap((one) => one.editions.map((edition) => card(state, one, edition))),
    ),
    startPosition(state),
  ],
};

const endsGame = (/** @type {boolean} */ on) =>
  sure(
    t("Begin a new game?"),
    [
      on && t("The game that is on ends here, for everybody at the table."),
      t("Its record is kept, and from it that game can be gone on with later. The table stays as it was set up."),
    ],
    t("End it and begin anew"),
  );

/** Another evening begins at the same address: wait until it answers. */
async function renew() {
  if (!(await wish("new"))) return;
  lobby.busy = t("Starting…");
  redraw();
  await nextGame();
  location.reload();
}

/** The game that is on record already: one press, and everything is as it was. */
function goOn(/** @type {Resume} */ resume, /** @type {string} */ label) {
  const what = [
    resume.name || label,
    resume.over ? t("the game is over") : wording("turn", { n: resume.turn }) || t("turn {n}", { n: resume.turn }),
    SECRETS[resume.secret]?.(),
  ].filter(Boolean);
  const press = once(async () => {
    if (await wish("resume", {}, { busy: t("Opening the camera…") })) location.assign(asksSecret() ? "/#secret" : "/");
  });
  const asksSecret = () => resume.asks !== "asked" && resume.camera?.kind !== "demo";
  return h(
    "div",
    { class: "resume" },
    resume.camera
      ? h(
          "button",
          { type: "button", class: ["button", !resume.over && "main", "again"], "data-key": "resume", onclick: press },
          h(
            "b",
            {},
            resume.over ? t("See it again: {what}", { what: words(what) }) : t("Go on: {what}", { what: words(what) }),
          ),
          h("small", {}, [label, cameraWords(resume.camera)].join(" · ")),
        )
      : h(
          "p",
          {},
          h("b", {}, words(what)),
          " ",
          t("Which camera watched it is not known. Choose it in the next step, and the game goes on."),
        ),
    resume.lines.map((line) => h("p", { class: "quiet-note" }, sentence(line))),
    h("p", { class: "quiet-note" }, t("Players come in again by the links they have.")),
  );
}

const words = (/** @type {string[]} */ parts) => parts.join(/^(ja|zh)/.test(LANGUAGE) ? "、" : ", ");

/** @type {Record<string, () => string>} */
const SECRETS = { entrusted: () => wording("secret-was-entrusted"), sealed: () => wording("secret-was-sealed") };

function cardWords(/** @type {LobbyState} */ { games, game: id, edition }) {
  const one = games.find((found) => found.id === id);
  return [one?.label, one?.editions.find((found) => found.id === edition)?.label].filter(Boolean).join(" · ");
}

/** The kept tables at which this very game can go on. */
const fitting = (/** @type {LobbyState} */ { tables, game: id, edition, resume }) =>
  tables.filter((table) => table.game === id && table.edition === edition && table.name !== resume?.name);

function known(/** @type {KnownTable} */ table, /** @type {LobbyState} */ state) {
  const of = cardWords({ ...state, game: table.game, edition: table.edition }) || table.label;
  const play = once(async () => {
    if (!(await mayLose())) return;
    if (await wish("again", { table: table.id }, { busy: t("Opening the camera…") })) location.assign("/");
  });
  return h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: ["button", "main", "again"], "data-key": `again-${table.id}`, onclick: play },
      h("b", {}, t("Play again: {name}", { name: table.name })),
      h("small", {}, [of, cameraWords(table)].join(" · ")),
    ),
    h(
      "button",
      {
        type: "button",
        class: "button",
        "data-key": `change-${table.id}`,
        "aria-label": t("Change {name}", { name: table.name }),
        onclick: once(
          async () =>
            (await mayLose()) && wish("again", { table: table.id, step: "pieces" }, { busy: t("Opening the camera…") }),
        ),
      },
      t("Change"),
    ),
    h(
      "button",
      {
        type: "button",
        class: "button",
        "data-key": `forget-${table.id}`,
        "aria-label": t("Forget {name}", { name: table.name }),
        onclick: once(() => forget(table)),
      },
      t("Forget"),
    ),
  );
}

async function forget(/** @type {any} */ { id, name }) {
  if (
    !(await sure(
      t("Forget {name}?", { name }),
      [t("What was measured and taught at this table is forgotten with it. Records of games stay.")],
      t("Forget"),
    ))
  )
    return;
  if (await wish("forget", { table: id }))
    confirm(t("{name} is forgotten.", { name }), [t("Take it back"), () => wish("remember", { table: id })]);
}

function card(
  /** @type {LobbyState} */ state,
  /** @type {LobbyState['games'][number]} */ { id, label },
  /** @type {{ id: string, label: string }} */ edition,
) {
  const chosen = state.game === id && state.edition === edition.id;
  return h(
    "label",
    { class: "choice-card" },
    h("input", {
      type: "radio",
      name: "edition",
      value: `${id}/${edition.id}`,
      checked: chosen,
      disabled: state.fixed && !chosen,
      "data-key": `edition-${edition.id}`,
      onchange: async (/** @type {any} */ { target }) => {
        if (await mayLose()) return wish("game", { game: id, edition: edition.id });
        target.checked = false;
        /** @type {HTMLInputElement} */ (document.querySelector(`[data-key="edition-${state.edition}"]`)).checked = true;
      },
    }),
    h("span", {}, h("b", {}, label), h("small", {}, edition.label)),
  );
}
