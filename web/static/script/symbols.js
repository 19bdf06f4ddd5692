// Small pictures used on the page. Drawn on a 24 by 24 field, in the colour of the text around them.

import { s } from "./dom.js";

const icon = (/** @type {Child[]} */ ...shapes) =>
  s(
    "svg",
    {
      viewBox: "0 0 24 24",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 2,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      "aria-hidden": "true",
    },
    ...shapes,
  );
const path = (/** @type {string} */ d, more = {}) => s("path", { d, ...more });

/** @type {Record<string, () => SVGSVGElement>} */
export const symbols = {
  eye: () =>
    icon(
      path("M1.5 12C5 6 9 4.5 12 4.5S19 6 22.5 12C19 18 15 19.5 12 19.5S5 18 1.5 12z"),
      s("circle", { cx: 12, cy: 12, r: 3.6, fill: "currentColor" }),
    ),
  "eye-shut": () =>
    icon(path("M2 10c3.5 5 7 6.3 10 6.3S18.5 15 22 10"), path("M4.5 13.6 2.6 16M9 16l-.9 3M15 16l.9 3M19.5 13.6l1.9 2.4")),
  warning: () => icon(path("M12 2.5 22.5 21h-21z"), path("M12 9v6M12 18v.1")),
  tick: () => icon(path("m4 12.5 5.5 5.5L20.5 6.5", { "stroke-width": 3 })),
  turnOver: () => icon(path("M4 9a8.5 8.5 0 0 1 15-2M20 15a8.5 8.5 0 0 1-15 2"), path("M19.5 2.5V7H15M4.5 21.5V17H9")),
  takeAway: () => icon(path("M12 15V3M7 8l5-5 5 5M4 14v6h16v-6")),
  putDown: () => icon(path("M12 3v12M7 10l5 5 5-5M4 14v6h16v-6")),
  move: () => icon(path("M4 12h15M13 6l6 6-6 6")),
  start: () => icon(path("M7 7h10l-2 10H9zM6 7h12M12 4v3M12 17v4M9 21h6")),
  sound: () =>
    icon(
      path("M4 9.5h3.5L12 5.5v13l-4.5-4H4z", { fill: "currentColor" }),
      path("M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11"),
    ),
  mute: () => icon(path("M4 9.5h3.5L12 5.5v13l-4.5-4H4z", { fill: "currentColor" }), path("m16 9.5 5 5M21 9.5l-5 5")),
  sun: () =>
    icon(
      s("circle", { cx: 12, cy: 12, r: 4.2, fill: "currentColor" }),
      path("M12 2.5v2.5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3 7 7M17 17l1.7 1.7M18.7 5.3 17 7M7 17l-1.7 1.7"),
    ),
  moon: () => icon(path("M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z", { fill: "currentColor" })),
  offline: () => icon(path("M3 12h5M16 12h5M8 8v8M16 8v8M10.5 10.5l3 3M13.5 10.5l-3 3")),
  ask: () => icon(path("M8 9a4 4 0 1 1 5.5 3.7c-1 .5-1.5 1.2-1.5 2.3M12 18.9v.1", { "stroke-width": 2.6 })),
  menu: () => icon(path("M4 7h16M4 12h16M4 17h16")),
  first: () => icon(path("M18.5 6 11 12l7.5 6M7 6v12")),
  back: () => icon(path("M15 5.5 7.5 12l7.5 6.5")),
  on: () => icon(path("M9 5.5 16.5 12 9 18.5")),
  last: () => icon(path("M5.5 6 13 12l-7.5 6M17 6v12")),
  picture: () => icon(path("M3 7h4l2-2.5h6L17 7h4v12H3z"), s("circle", { cx: 12, cy: 13, r: 3.4 })),
  running: () => icon(path("M7 4.5 19.5 12 7 19.5z", { fill: "currentColor" })),
  standing: () => icon(path("M8 5v14M16 5v14", { "stroke-width": 4 })),
  hand: () =>
    icon(
      path(
        "M8 12V5.5a1.5 1.5 0 0 1 3 0V11V4a1.5 1.5 0 0 1 3 0v7V5.5a1.5 1.5 0 0 1 3 0V15c0 4-2.5 6.5-6 " +
          "6.5-3 0-4.5-1.5-6-4.5l-1.6-3.3c-.6-1.4 1-2.3 1.9-1.2z",
      ),
    ),
};

/** @type {Record<string, any>} */
const CHORES = {
  turn: "turnOver",
  "turn-marker": "move",
  take: "takeAway",
  lay: "putDown",
  put: "putDown",
  "put-back": "move",
  move: "move",
};

/** The sign of a chore, by its code or the code's first word. */
export const choreSymbol = (/** @type {string} */ code) => symbols[CHORES[code] ?? CHORES[code.split("-")[0]] ?? "hand"]();
