// Making elements without markup in strings: nothing that comes from the table can become a tag.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const id = (name) => document.getElementById(name);

/** The ways the arrow keys point: to the right and down. */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const shown = new WeakMap();

/** Draw into an element only when the value behind it changed; the focus and what is being typed stay where they were. */
export function keep(element, value, draw) {
  const key = JSON.stringify(value);
  if (shown.get(element) === key) return;
  shown.set(element, key);
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const typed = [...element.querySelectorAll("input[data-key]")].filter((input) => !["checkbox", "radio"].includes(input.type) && input.value !== input.defaultValue);
  const again = (old) => old.dataset.key && element.querySelector(`[data-key="${CSS.escape(old.dataset.key)}"]`);
  const caret = typed.includes(focused) && focused.selectionStart !== null ? [focused.selectionStart, focused.selectionEnd] : null;
  element.replaceChildren(...[draw()].flat(Infinity).filter(Boolean));
  for (const old of typed) {
    const now = again(old);
    // What was set meanwhile counts more than what was typed over what stood there before.
    if (now?.defaultValue === old.defaultValue) now.value = old.value;
  }
  if (focused) again(focused)?.focus();
  if (caret) again(focused)?.setSelectionRange(...caret);
}

/** A button of the bar: a sign, and its words where there is room; the words are always its name. */
export function tool(button, sign, label) {
  if (button.dataset.label === label) return;
  button.dataset.label = label;
  button.replaceChildren(sign, h("span", { class: "tool-label" }, label));
}
