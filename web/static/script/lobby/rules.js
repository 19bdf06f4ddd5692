// How the evening is played: what is kept secret, the cards, the clock, and the points on which the rules are silent.

import { h } from "../dom.js";
import { choiceWord as word } from "../choices.js";
import { sentence, t, wording } from "../words.js";
import { whoPlays } from "./people.js";
import { wish } from "./state.js";

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
  depends: (/** @type {LobbyState} */ state) => [state.choices, state.rules, state.fixed, state.seating],
  body: (/** @type {LobbyState} */ state) => {
    const send = (/** @type {Partial<Choices>} */ changes) => wish("choices", { choices: { ...state.choices, ...changes } });
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
      whoPlays(state, (seating) => send({ seating })),
      check(off, "deal", t("The companion deals the cards"), state.choices.deal, (deal) => send({ deal })),
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
      state.rules.length > 0 &&
        h(
          "details",
          { class: "house-rules" },
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
                  onchange: (/** @type {any} */ event) =>
                    send({ rules: changed(state.choices.rules, rule, event.target.value) }),
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

function changed(
  /** @type {Record<string, string>} */ settled,
  /** @type {any} */ { name, default: usual },
  /** @type {string} */ choice,
) {
  const { [name]: _, ...others } = settled;
  return choice === usual ? others : { ...others, [name]: choice };
}
