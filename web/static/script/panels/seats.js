// Seats and links: a code to scan for each, a list of those that are good, one more for a lost one, and taking back.

import { wording } from "../store.js";
import { leaveSeat } from "../seat.js";
import { dialog } from "./dialog.js";
import { h, keep } from "../dom.js";
import { once } from "../act.js";
import { advice, noCode } from "../lobby/codes.js";
import { tell } from "../messages.js";
import { seatName } from "../role.js";
import { sure } from "./sure.js";
import { drawing, trusting } from "../trusting.js";
import { getJson, post } from "../wire.js";
import { LANGUAGE, t } from "../words.js";

const SIX_DAYS = 6 * 24 * 60 * 60 * 1000; // ms; a weekday further off may be that of today
const HOUSE = new Set(["table", "arbiter", "spectator", "camera", "owner"]);

export async function seats() {
  const list = h("ul", { class: "seat-list" }),
    code = h("div", { class: "code", "aria-live": "polite" }),
    form = h("form", { class: "seat-form" });
  const box = dialog(
    t("Seats and links"),
    h("p", { class: "quiet-note" }, wording("codes-alone")),
    form,
    h("h3", {}, t("Links that are good")),
    list,
    code, // below the list, whose buttons stay where they are when it comes and goes
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", class: "button", "data-key": "close", onclick: () => box.close() }, t("Close")),
    ),
  );
  box.classList.add("growing", "lasting");
  const work = (/** @type {() => any} */ does) =>
    once(async (/** @type {any} */ event) => {
      event.preventDefault();
      try {
        const given = await does();
        await refresh();
        if (given) show(given);
      } catch (error) {
        tell(error);
      }
    });

  async function refresh() {
    const { passes, roles, delays, note } = await getJson("/api/passes");
    if (!form.children.length) fill(roles, delays, note);
    const entries = () =>
      passes.map((/** @type {Pass} */ one) =>
        h(
          "li",
          { "data-pass": one.id, "data-role": one.role },
          h("span", {}, h("b", {}, named(one)), h("small", { class: "quiet-note" }, until(one))),
          h(
            "button",
            {
              type: "button",
              class: "button",
              "data-key": `renew-${one.id}`,
              onclick: work(async () => (await renewed(one)) && post("/api/passes/renew", { id: one.id })),
            },
            t("New link"),
          ),
          h(
            "button",
            {
              type: "button",
              class: "button",
              "data-key": `revoke-${one.id}`,
              onclick: work(async () => {
                if (await revoked(one)) {
                  await post("/api/passes/revoke", { id: one.id });
                  if (code.dataset.pass === one.id) blank(code);
                }
              }),
            },
            t("Take back"),
          ),
        ),
      );
    keep(list, passes, () => (passes.length ? entries() : h("li", { class: "quiet-note" }, t("None yet."))));
  }

  function fill(/** @type {string[]} */ roles, /** @type {number[]} */ delays, /** @type {string} */ note) {
    const role = h(
      "select",
      { name: "role" },
      roles.map((one) => h("option", { value: one }, seatName(one))),
    );
    const seat = h("input", { name: "seat", maxlength: 24, autocomplete: "off" });
    const delay = h(
      "select",
      { name: "delay" },
      delays.map((one) => h("option", { value: one }, one ? t("{n} seconds", { n: one }) : t("none"))),
    );
    const late = h("label", { class: "field" }, h("span", {}, t("Shown later by")), delay);
    const fit = () => (late.hidden = role.value !== "spectator");
    role.value = roles.find((one) => !HOUSE.has(one)) ?? roles[0];
    role.addEventListener("change", fit);
    fit();
    form.append(
      h("label", { class: "field" }, h("span", {}, t("Seat")), role),
      h("label", { class: "field" }, h("span", {}, t("Name, if there are several")), seat),
      late,
      h("button", { type: "submit", class: ["button", "main"], "data-key": "issue" }, t("Make a link")),
    );
    if (note)
      form.before(
        h("p", { class: "quiet-note", "data-key": "alone" }, t("These links work on this computer only."), " ", advice(note)),
      );
    const issue = work(() =>
      post("/api/passes", { role: role.value, seat: seat.value, delay: role.value === "spectator" ? Number(delay.value) : 0 }),
    );
    form.addEventListener("submit", issue);
    // The browser gave the focus to the first control there was: the one that closes.
    if (document.activeElement?.matches("dialog[open], [data-key=close]")) role.focus();
  }

  function show(/** @type {GivenPass} */ { pass, link, overlay, qr, trust, note }) {
    const line = (/** @type {string} */ label, /** @type {string} */ text) =>
      h(
        "label",
        { class: "field" },
        h("span", {}, label),
        h("input", {
          readonly: true,
          value: text,
          class: "link",
          onfocus: (/** @type {any} */ event) => event.target.select(),
        }),
      );
    code.dataset.pass = pass.id;
    code.style.minBlockSize = "";
    code.replaceChildren(
      ...(trust && qr ? trusting(trust) : []),
      qr ? drawing(qr, t("Code to scan for {seat}", { seat: seatName(pass.role) })) : noCode(note),
      h(
        "div",
        {},
        h("p", {}, qr ? t("{seat}: scan with a phone, or open the link.", { seat: seatName(pass.role) }) : seatName(pass.role)),
        line(t("Link"), link),
        ...(overlay ? [line(t("Transparent, for a stream"), overlay)] : []),
      ),
    );
    code.scrollIntoView({ block: "nearest" });
  }

  try {
    await refresh();
  } catch (error) {
    box.close();
    tell(error);
  }
}

/** Take what is shown away, and leave its room: what lies above it in a list that was scrolled would jump. */
function blank(/** @type {HTMLElement} */ code) {
  code.style.minBlockSize = `${code.offsetHeight}px`;
  code.classList.add("blank");
  code.replaceChildren();
}

function until(/** @type {Pass} */ { expires, delay }) {
  /** @type {Intl.DateTimeFormatOptions} */
  const day = 1000 * expires - Date.now() < SIX_DAYS ? { weekday: "short" } : { day: "numeric", month: "short" };
  const time = new Date(expires * 1000).toLocaleString(LANGUAGE, { ...day, hour: "2-digit", minute: "2-digit" });
  return [t("good until {time}", { time }), delay && t("{n} seconds behind", { n: delay })].filter(Boolean).join(" · ");
}

const named = (/** @type {Pass} */ { seat, role }) => (seat === role ? seatName(role) : `${seatName(role)} · ${seat}`);
const revoked = (/** @type {Pass} */ one) =>
  sure(
    t("Take back the link of {seat}?", { seat: named(one) }),
    [t("Whoever sits there by it is out at once."), t("It cannot be had back; a new link lets them in again.")],
    t("Take it back"),
  );
const renewed = (/** @type {Pass} */ one) =>
  sure(
    t("A new link for {seat}?", { seat: named(one) }),
    [t("The link they have now is good no longer: whoever sits there has to scan the new one.")],
    t("New link"),
  );

export async function leave() {
  if (
    !(await sure(
      t("Leave this seat?"),
      [t("This device forgets its link."), t("To come back, scan the seat's code again, or ask the table for a new link.")],
      t("Leave this seat"),
    ))
  )
    return;
  try {
    await post("/api/session", { token: null });
    leaveSeat();
    location.assign("/");
  } catch (error) {
    tell(error);
  }
}
