// Making elements without markup in strings: nothing that comes from the table can become a tag.

/**
 * A value that has to be there, as what an id names does. Throws where it is not, instead of going on with nothing.
 * @template T
 * @param {T} value
 * @returns {NonNullable<T>}
 */
export function present(value) {
  if (value === null || value === undefined) throw new Error("something that was named is not there");
  return value;
}

/**
 * What of a list is there at all.
 * @template T
 * @param {(T | false | null | undefined | "" | 0)[]} list
 * @returns {T[]}
 */
export const given = (list) => /** @type {T[]} */ (list.filter(Boolean));

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes | null | undefined} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...flat(children));
  return element;
}

/** @param {Child} children @returns {(Node | string)[]} what can be appended, nothing left out but what is nothing */
const flat = (children) =>
  /** @type {any[]} */ ([children])
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));

/**
 * An element of the page.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes | null} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
/**
 * An element of a drawing.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes | null} [attributes]
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[K]}
 */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
/**
 * The element of that id. It is named as if it were always there: whoever asks for one that a page may lack looks first.
 * @param {string} name
 */
export const id = (name) => /** @type {HTMLElement} */ (document.getElementById(name));

/** The ways the arrow keys point: to the right and down. @type {Record<string, Point>} */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/** What is pressed down now, and what is drawn once it is let go. */
const press = { on: /** @type {Element | null} */ (null), later: /** @type {Map<HTMLElement, () => unknown>} */ (new Map()) };
const CLICKED = "button, a, input, select, summary, label";
const CLICK_FOLLOWS = 100; // milliseconds after the finger was lifted within which a browser sends the click

addEventListener("pointerdown", ({ target }) => (press.on = target instanceof Element ? target.closest(CLICKED) : null), true);
for (const end of ["pointerup", "pointercancel", "blur"])
  addEventListener(
    end,
    ({ target }) => (end !== "blur" || target === window) && press.on && setTimeout(letGo, CLICK_FOLLOWS, press.on),
    true,
  );
addEventListener("click", () => press.on && (setTimeout(drawLater), (press.on = null)), true); // its handlers draw at once

// A browser clicks again and again while Enter is held down; by then another question may stand where the first was answered.
addEventListener(
  "keydown",
  (event) => {
    const on = event.target instanceof Element ? event.target.closest("button, a, summary") : null;
    if (event.repeat && event.key === "Enter" && on) event.preventDefault();
  },
  true,
);

function letGo(/** @type {Element} */ on) {
  if (press.on !== on) return;
  press.on = null;
  drawLater();
}

function drawLater() {
  const later = [...press.later];
  press.later.clear();
  for (const [, work] of later) work();
}

/**
 * Do something that takes away what is in an element: at once, or, while one of its controls is pressed down, when that is let
 * go; only what was wished last. A browser sends no click to a control that was taken away under the finger.
 * @param {HTMLElement} element
 * @param {() => unknown} work
 */
export function unpressed(element, work) {
  press.later.delete(element);
  if (press.on && element.contains(press.on)) press.later.set(element, work);
  else work();
}

/**
 * Draw into an element only when the value behind it changed; the focus, what is being typed and what is folded open stay as
 * they were. While one of its controls is pressed down it waits until that is let go.
 * @param {HTMLElement} element
 * @param {unknown} value
 * @param {() => Child} draw
 */
export function keep(element, value, draw) {
  const key = JSON.stringify(value);
  press.later.delete(element);
  if (shown.get(element) !== key) unpressed(element, () => drawAnew(element, key, draw));
}

function drawAnew(/** @type {HTMLElement} */ element, /** @type {string} */ key, /** @type {() => Child} */ draw) {
  shown.set(element, key);
  const folds = () => /** @type {NodeListOf<HTMLDetailsElement>} */ (element.querySelectorAll("details[data-key]"));
  const open = new Map([...folds()].map((one) => [one.dataset.key, one.open]));
  const focused = element.contains(document.activeElement) ? /** @type {HTMLInputElement} */ (document.activeElement) : null;
  const inputs = /** @type {HTMLInputElement[]} */ ([...element.querySelectorAll("input[data-key]")]);
  const typed = inputs.filter((input) => !["checkbox", "radio"].includes(input.type) && input.value !== input.defaultValue);
  /** @param {HTMLElement} old @returns {any} */
  const again = (old) => old.dataset.key && element.querySelector(`[data-key="${CSS.escape(old.dataset.key)}"]`);
  const caret =
    focused && typed.includes(focused) && focused.selectionStart !== null
      ? [focused.selectionStart, focused.selectionEnd]
      : null;
  element.replaceChildren(...flat(draw()).filter(Boolean));
  for (const one of folds()) one.open = open.get(one.dataset.key) ?? one.open;
  for (const old of typed) {
    const now = again(old);
    // What was set meanwhile counts more than what was typed over what stood there before.
    if (now?.defaultValue === old.defaultValue) now.value = old.value;
  }
  if (focused) again(focused)?.focus({ preventScroll: true }); // whoever reads elsewhere meanwhile stays there
  if (focused && caret) again(focused)?.setSelectionRange(...caret);
}

/**
 * A button of the bar: a sign, and its words where there is room; the words are always its name.
 * @param {HTMLElement} button
 * @param {Node} sign
 * @param {string} label
 */
export function tool(button, sign, label) {
  if (button.dataset.label === label) return;
  button.dataset.label = label;
  button.replaceChildren(sign, h("span", { class: "tool-label" }, label));
}
