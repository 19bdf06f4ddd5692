// The focus when what has it is taken away or hidden: it goes to the nearest part around that is still there. Browsers let it
// fall to the top of the page, where a keyboard begins anew and a screen reader falls silent.

const PARTS = "dialog, section, nav, form, main, footer, [tabindex]";

/** What had the focus last, and all around it, from the inside out; around a dialog is what opened it. */
const kept = { on: /** @type {Element | null} */ (null), around: /** @type {Element[]} */ ([]) };
/** @type {WeakMap<Element, Element[]>} */
const openedFrom = new WeakMap();
let looking = false;

addEventListener("focusin", ({ target }) => target instanceof Element && keep(target));
// Whoever puts the focus down by a tap beside everything wants it nowhere.
addEventListener("focusout", ({ relatedTarget }) => !relatedTarget && setTimeout(() => bare() && !lost() && (kept.on = null)));
new MutationObserver(() => {
  if (looking || !kept.on) return;
  looking = true;
  requestAnimationFrame(mend);
}).observe(document.body, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ["hidden", "open", "disabled", "class"],
});

function keep(/** @type {Element} */ on) {
  const dialog = on.closest("dialog");
  if (dialog && !openedFrom.has(dialog)) openedFrom.set(dialog, kept.around);
  Object.assign(kept, { on, around: around(on) });
}

/** @returns {Element[]} */
function around(/** @type {Element} */ on) {
  const found = [];
  for (let one = /** @type {Element | null} */ (on); one; one = one.parentElement) {
    found.push(one);
    if (one instanceof HTMLDialogElement) return [...found, ...(openedFrom.get(one) ?? [])];
  }
  return found;
}

const bare = () => !document.activeElement || document.activeElement === document.body;
const seen = (/** @type {Element} */ one) => one.isConnected && one.getClientRects().length > 0;
const lost = () => kept.on !== null && (!seen(kept.on) || kept.on.matches(":disabled"));

function mend() {
  looking = false;
  if (!(bare() || document.activeElement === kept.on) || !lost()) return;
  const modal = [...document.querySelectorAll("dialog[open]")].pop(),
    reachable = (/** @type {Element} */ one) => seen(one) && (!modal || modal.contains(one)),
    place =
      kept.around.find((one) => one !== kept.on && one.matches(PARTS) && reachable(one)) ??
      modal ??
      document.querySelector("main");
  if (place) put(/** @type {HTMLElement} */ (place));
}

/** Into a part; of the whole page, into the one that says what goes on, which no place of a drawn board is, and no button of a
    row that arrow keys walk. */
function put(/** @type {HTMLElement} */ place) {
  const part = place.matches("main") ? (place.querySelector(":scope [tabindex='-1']:not(svg *, button)") ?? place) : place;
  if (!part.hasAttribute("tabindex")) part.setAttribute("tabindex", "-1");
  /** @type {HTMLElement} */ (part).focus({ preventScroll: true });
}
