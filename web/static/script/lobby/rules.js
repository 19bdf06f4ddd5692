// How the evening is played: what is kept secret, the cards, the clock, and the points on which the rules are silent.

import { h } from "../dom.js";
import { choiceWord as word } from "../choices.js";
import { sentence, t, wording } from "../words.js";
import { whoPlays } from "./people.js";
import { choose } from "./state.js";

/** @type {Record<string, any>} */
const SECRETS = {
  asked: ["secret-asked", () => t("Whoever is asked answers each time")],
  entrusted: ["secret-entrusting", () => t("Secrets are entrusted to the companion")],
  sealed: ["secret-sealing", () => t("Secrets are sealed and opened at the end")],
};
export const secretWords = (/** @type {string} */ secret) =>
  secret in SECRETS ? wording(SECRETS[secret][0]) || SECRETS[secret][1]() : "";
const MINUTES = [0, 20, 30, 45, 60, 90];

export const rules = {
  name: () => t("How you play"),
  title: () => t("How do you play?"),
  depends: (/** @type {LobbyState} */ state) => [
    state.choices,
    state.rules,
    state.copy_tables,
    state.fixed,
    state.seating,
    state.deals,
  ],
  body: (/** @type {LobbyState} */ state) => {
    const send = (/** @type {Partial<Choices>} */ changes) => choose(() => changes);
    const off = state.fixed;
    const clock = state.choices.clock?.seconds ? Math.round(state.choices.clock.seconds / 60) : 0;
    return [
      off && h("p", { class: "quiet-note" }, t("How this game is played stays as it began.")),
      h(
        "fieldset",
        { class: "cards" },
        h("legend", {}, wording("secret") || t("What is kept secret")),
        Object.entries(SECRETS).map(([value, [key]]) =>
          h(
            "label",
            { class: "choice-card" },
            h("input", {
              type: "radio",
              name: "secret",
              value,
              checked: state.choices.secret === value,
              disabled: off,
              "data-key": `secret-${value}`,
              onchange: () => send({ secret: value }),
            }),
            h("span", {}, h("b", {}, secretWords(value)), h("small", {}, wording(`${key}-note`))),
          ),
        ),
      ),
      whoPlays(state, (change) => choose((_, now) => ({ seating: change(now) }))),
      state.deals && check(off, "deal", t("The companion deals the cards"), state.choices.deal, (deal) => send({ deal })),
      check(off, "album", t("Keep a picture of every play"), state.choices.album, (album) => send({ album })),
      h(
        "label",
        { class: "field" },
        h("span", {}, t("Clock for each side")),
        h(
          "select",
          {
            name: "clock",
            disabled: off,
            "data-key": "clock",
            onchange: (/** @type {any} */ event) =>
              send({
                clock: Number(event.target.value) ? { seconds: 60 * Number(event.target.value), increment: 0, delay: 0 } : null,
              }),
          },
          [...new Set([...MINUTES, clock])]
            .sort((a, b) => a - b)
            .map((minutes) =>
              h(
                "option",
                { value: minutes, selected: minutes === clock },
                minutes ? t("{n} minutes", { n: minutes }) : t("none"),
              ),
            ),
        ),
      ),
      state.copy_tables.map((table) =>
        copyTable(off, table, state.choices.copy?.[table.name] ?? {}, (cells) =>
          choose(({ copy }) => ({ copy: { ...copy, [table.name]: cells } })),
        ),
      ),
      state.rules.length > 0 &&
        h(
          "details",
          { class: "house-rules", "data-key": "house-rules" },
          h("summary", {}, t("House rules")),
          state.rules.map((rule) =>
            h(
              "label",
              { class: "field" },
              h("span", {}, sentence(rule)),
              h(
                "select",
                {
                  name: rule.name,
                  disabled: off,
                  "data-key": `rule-${rule.name}`,
                  onchange: (/** @type {any} */ { target: { value } }) =>
                    choose((choices) => ({ rules: changed(choices.rules, rule, value) })),
                },
                rule.choices.map((choice) =>
                  h(
                    "option",
                    { value: choice, selected: choice === (state.choices.rules[rule.name] ?? rule.default) },
                    choice === rule.default ? t("{choice} (usual)", { choice: word(choice) }) : word(choice),
                  ),
                ),
              ),
            ),
          ),
        ),
    ];
  },
};

function check(
  /** @type {boolean} */ off,
  /** @type {string} */ name,
  /** @type {string} */ label,
  /** @type {boolean} */ on,
  /** @type {(value: any) => unknown} */ send,
) {
  return h(
    "label",
    { class: "switch" },
    h("input", {
      type: "checkbox",
      name,
      checked: on,
      disabled: off,
      "data-key": name,
      onchange: (/** @type {any} */ event) => send(event.target.checked),
    }),
    label,
  );
}

/** What was typed into the tables of a copy and is not kept yet, by table: a step that is drawn anew or left loses none of it.
    @type {Map<string, Record<string, Record<string, string>>>} */
const typed = new Map();

/** What the owner enters once from his copy: a box for every row and column, sent together. */
function copyTable(
  /** @type {boolean} */ off,
  /** @type {CopyTable} */ table,
  /** @type {Record<string, Record<string, string>>} */ kept,
  /** @type {(cells: Record<string, Record<string, string>>) => Promise<boolean>} */ send,
) {
  const entered = { ...kept, ...typed.get(table.name) };
  const cell = (/** @type {string} */ row, /** @type {string} */ column, /** @type {string} */ label) =>
    h("input", {
      type: "text",
      maxlength: table.longest,
      autocomplete: "off",
      autocapitalize: "none",
      disabled: off,
      "aria-label": label,
      "data-key": `copy-${table.name}-${row}-${column}`,
      "data-row": row,
      "data-column": column,
      value: entered[row]?.[column] ?? "",
    });
  const rows = table.rows.filter((row) => table.needed.includes(row.id) || entered[row.id]);
  const left = () => [...form.querySelectorAll("input")].filter((box) => !box.value.trim()).length;
  const unkept = h("p", { class: "quiet-note", role: "status" });
  const told = () => {
    const text = typed.has(table.name) ? t("Not kept yet. Empty fields: {n}", { n: left() }) : "";
    if (unkept.textContent !== text) unkept.textContent = text;
  };
  const cells = () => {
    /** @type {Record<string, Record<string, string>>} */
    const found = {};
    for (const box of form.querySelectorAll("input"))
      (found[box.dataset.row ?? ""] ??= {})[box.dataset.column ?? ""] = box.value;
    return found;
  };
  const keepIt = async () => {
    const sent = cells();
    if (!(await send(sent)) || JSON.stringify(typed.get(table.name) ?? sent) !== JSON.stringify(sent)) return;
    typed.delete(table.name);
    // The step was drawn anew when what was sent was taken.
    document.querySelector(`[data-key="copy-${table.name}"] [role=status]`)?.replaceChildren();
  };
  const form = h(
    "form",
    {
      oninput: () => {
        typed.set(table.name, cells());
        told();
      },
      // Whoever goes on without the button has entered it all the same, once nothing is missing.
      onchange: () => {
        if (!left()) keepIt();
      },
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        keepIt();
      },
    },
    h("p", { class: "quiet-note" }, sentence(table)),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          table.columns.map((column) => h("th", { scope: "col" }, sentence(column))),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, sentence(row)),
            table.columns.map((column) => h("td", {}, cell(row.id, column.id, `${sentence(row)}, ${sentence(column)}`))),
          ),
        ),
      ),
    ),
    h("div", { class: "actions" }, h("button", { class: "button", disabled: off, "data-key": "copy-keep" }, t("Keep this"))),
    unkept,
  );
  told();
  return h(
    "details",
    { class: "copy-table", "data-key": `copy-${table.name}`, open: rows.some((row) => entered[row.id]) },
    h("summary", {}, t("From your copy")),
    form,
  );
}

function changed(
  /** @type {Record<string, string>} */ settled,
  /** @type {any} */ { name, default: usual },
  /** @type {string} */ choice,
) {
  const { [name]: _, ...others } = settled;
  return choice === usual ? others : { ...others, [name]: choice };
}
