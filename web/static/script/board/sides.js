// What the sides of tiles and tokens look like: a lamp's light, a way down, a house, a park; who talks and who does not.

import { s } from "../dom.js";
import { stairs } from "./shore.js";

const tree = (x, y, r) => [s("circle", { class: "tree", cx: x, cy: y, r }), s("circle", { class: "tree-2", cx: x - r * 0.25, cy: y - r * 0.3, r: r * 0.55 })];

export const SIDES = {
  lamp: () => [
    s("path", { class: "lamp-rays", d: "M0-15V-12M-9-11.5-7-9.5M9-11.5 7-9.5M-12.5-4H-9.5M12.5-4H9.5" }),
    s("path", { class: "lamp-post", d: "M0 14V3M-4.5 14H4.5" }),
    s("path", { class: "lamp-glass", d: "M-5.5-8H5.5L3.8 3H-3.8zM-6.5-8.4H6.5" }),
  ],
  subway: stairs,
  building: () => [
    s("rect", { class: "front", x: -11, y: -12, width: 22, height: 25, rx: 1 }),
    [-6.5, 0, 6.5].flatMap((x) => [-8, -2].map((y) => s("rect", { class: "window", x: x - 1.8, y, width: 3.6, height: 4 }))),
    s("path", { class: "cornice", d: "M-13-12.5H13" }),
    s("rect", { class: "door", x: -2.4, y: 5, width: 4.8, height: 8 }),
  ],
  park: () => [s("ellipse", { class: "pond", cx: 4, cy: 7, rx: 7, ry: 3.4 }), tree(-7, -4, 6), tree(6, -6, 5), tree(-3, 7.5, 4.4)],
};

/** A speech bubble; barred when its owner says nothing. */
const bubble = (...inside) => [s("path", { class: "bubble", d: "M-7-7.5H7A2.5 2.5 0 0 1 9.5-5V2A2.5 2.5 0 0 1 7 4.5H0L-4.5 9V4.5H-7A2.5 2.5 0 0 1-9.5 2V-5A2.5 2.5 0 0 1-7-7.5z" }), inside];

export const TOKENS = {
  talkative: () => bubble(s("path", { class: "speech", d: "M-5.5-3.6H5.5M-5.5.4H2" })),
  silent: () => bubble(s("path", { class: "hush", d: "M-8.5 6.5 8.5-9.5" })),
};

/** Planks across two cells, striped so that nobody takes them for a street. */
export const barricade = (width, height) => [
  s("rect", { class: "body", x: -width / 2, y: -height / 2 + 4, width, height: height - 8, rx: 2 }),
  [-2, -1, 0, 1, 2].map((n) => s("path", { class: "stripe", d: `M${n * 12 - 5} ${height / 2 - 4.8}l6-${height - 9.6}h5l-6 ${height - 9.6}z` })),
  s("path", { class: "trestle", d: `M${-width / 2 + 6} ${-height / 2}V${height / 2}M${width / 2 - 6} ${-height / 2}V${height / 2}` }),
];

/** A steamboat seen from the side: hull, deck, funnel, smoke. */
export const steamboat = () => [
  s("path", { class: "smoke", d: "M2-10.5C0-14 5-14.5 3.5-18M2-10.5C5-12 7-15 6-17.5" }),
  s("rect", { class: "funnel", x: -1.5, y: -10.5, width: 5, height: 7 }),
  s("rect", { class: "deck", x: -9, y: -4, width: 18, height: 5.5, rx: 1 }),
  s("path", { class: "portholes", d: "M-5.5-1.2h.1M-.5-1.2h.1M4.5-1.2h.1" }),
  s("path", { class: "body", d: "M-16 1.5H17C16 7 13 9.5 9 9.5H-10C-13.5 9.5-15.5 6-16 1.5z" }),
];
