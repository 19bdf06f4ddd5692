// Which camera looks at the table: one that is plugged in, a phone, an address, or the bundled recording.

import { once } from "../act.js";
import { h } from "../dom.js";
import { tell } from "../messages.js";
import { trusting } from "../trusting.js";
import { getJson, post } from "../wire.js";
import { sentence, t } from "../words.js";
import { code } from "./codes.js";
import { mayLose } from "./losing.js";
import { lobby, redraw, wish } from "./state.js";
import { told } from "./trouble.js";

/** What is chosen before anything is. */
const NONE = { kind: "", address: "" };
let /** @type {any[] | null} */ devices = null,
  /** @type {Promise<void> | null} */ looking = null,
  /** @type {GivenPass | null} */ phone = null,
  /** The choice sent last, to be sent again with its certificate trusted. @type {{ kind: string, address: string } | null} */
  tried = null;

export const cameraWords = (/** @type {{ kind: string, address: string }} */ { kind, address }) =>
  kind === "demo" ? t("Bundled recording") : kind === "phone" ? t("Phone") : address;

export const camera = {
  name: () => t("Camera"),
  title: () => t("Which camera looks at the table?"),
  picture: true,
  tells: () => true,
  depends: (/** @type {LobbyState} */ state) => [
    state.camera?.kind,
    state.camera?.address,
    state.exchanged?.text,
    devices,
    phone?.link,
  ],
  body: (/** @type {LobbyState} */ state) => {
    if (devices === null) look();
    const chosen = state.camera ?? NONE;
    return [
      h(
        "p",
        { class: "quiet-note" },
        t("All of the board has to be in the picture, from above or at most half from the side, with steady light."),
      ),
      h(
        "div",
        { class: "cards" },
        (devices ?? []).map((one) =>
          card(
            `device-${one.address}`,
            chosen.kind === "device" && chosen.address === one.address,
            one.name,
            [one.address, one.size && `${one.size[0]} × ${one.size[1]}`, ...one.problems].filter(Boolean).join(" · "),
            () => choose("device", one.address),
          ),
        ),
        card("phone", chosen.kind === "phone", t("A phone"), t("It sends its pictures to this table."), choosePhone),
        card(
          "demo",
          chosen.kind === "demo",
          t("Bundled recording"),
          t("A recorded table, to try everything without a board."),
          () => choose("demo", ""),
        ),
      ),
      devices !== null &&
        devices.length === 0 &&
        h("p", { class: "quiet-note" }, t("No camera is plugged in. Plug one in and look again.")),
      h(
        "div",
        { class: "actions" },
        h("button", { type: "button", class: "button", "data-key": "look", onclick: once(look) }, t("Look for cameras again")),
      ),
      chosen.kind === "phone" && phone && phonePart(phone),
      told(),
      state.exchanged && h("p", { class: "wanting", role: "status", "data-key": "exchanged" }, sentence(state.exchanged)),
      untrusted() && trustPart(),
      addressField(chosen),
    ];
  },
};

const untrusted = () => tried !== null && lobby.trouble?.code === "untrusted-camera" && lobby.trouble.fingerprint;

function trustPart() {
  const trust = untrusted();
  return h(
    "section",
    { class: "code-part", "data-key": "untrusted" },
    h("p", {}, t("Fingerprint of the certificate (SHA-256)")),
    h("p", { class: "said fingerprint" }, trust),
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        {
          type: "button",
          class: "button",
          "data-key": "trust-camera",
          onclick: once(() => wish("camera", { ...tried, trust }, { busy: t("Opening the camera…") })),
        },
        t("It is the same: trust this camera"),
      ),
    ),
  );
}

const choose = async (/** @type {string} */ kind, /** @type {any} */ address) => {
  tried = { kind, address };
  const { kind: before, address: at } = lobby.state?.camera ?? NONE;
  return (before === kind && ((kind !== "device" && kind !== "address") || at === address)) || (await mayLose())
    ? wish("camera", { kind, address }, { busy: t("Opening the camera…") })
    : false;
};

function card(
  /** @type {string} */ key,
  /** @type {any} */ chosen,
  /** @type {string} */ label,
  /** @type {string} */ note,
  /** @type {() => unknown} */ press,
) {
  return h(
    "button",
    {
      type: "button",
      class: ["choice-card", "as-button"],
      "data-key": key,
      "aria-pressed": chosen ? "true" : "false",
      onclick: once(press),
    },
    h("span", {}, h("b", {}, label), h("small", {}, note)),
  );
}

/** Once at a time, however often the step is drawn meanwhile: every look opens all cameras. */
const look = () => (looking ??= lookOnce().finally(() => (looking = null)));

async function lookOnce() {
  try {
    devices = (await getJson("/api/lobby/cameras")).cameras;
  } catch (error) {
    devices = [];
    tell(error);
  }
  redraw();
}

async function choosePhone() {
  if (!(await choose("phone", ""))) return;
  try {
    phone ??= await post("/api/passes", { role: "camera" });
    redraw();
    document.querySelector(".code-part")?.scrollIntoView({ block: "nearest" });
  } catch (error) {
    tell(error);
  }
}

function phonePart(/** @type {GivenPass} */ given) {
  return h(
    "section",
    { class: "code-part" },
    given.trust && given.qr && h("div", { class: "code" }, trusting(given.trust)),
    code(given, t("Scan this with the phone, put it over the board and start its camera.")),
    h(
      "p",
      {},
      h(
        "a",
        { href: "/camera", target: "_blank", rel: "noopener", "data-key": "this-device" },
        t("Use the camera of this device instead"),
      ),
    ),
  );
}

function addressField(/** @type {any} */ chosen) {
  const input = h("input", {
    name: "address",
    autocomplete: "off",
    spellcheck: "false",
    "data-key": "address",
    value: untrusted() && tried ? tried.address : chosen.kind === "address" ? chosen.address : "",
    placeholder: "http://192.168.1.20:8080/video",
  });
  const open = (/** @type {any} */ event) => {
    event.preventDefault();
    return choose("address", input.value);
  };
  return h(
    "form",
    { class: "address", onsubmit: open },
    h(
      "label",
      { class: "field" },
      h("span", {}, t("Or an address (RTSP, MJPEG, HTTP), a file or a folder of pictures on this computer")),
      input,
    ),
    h("button", { type: "submit", class: "button", "data-key": "open" }, t("Open")),
  );
}
