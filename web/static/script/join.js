// The way in: the link's token is behind the "#", which is never sent; it is taken out of the address before anything else.

import { h, id } from "./dom.js";
import { startTheme } from "./theme.js";
import { post } from "./wire.js";
import { t } from "./words.js";

const token = location.hash.slice(1);
const overlay = new URLSearchParams(location.search).get("view") === "overlay";
history.replaceState(null, "", "/join");
if (id("theme-button")) startTheme();

async function come() {
  if (!token) return say(t("This table is open to those who have a link."), t("Scan a seat's code with this device, or ask the table for a link."));
  say(t("One moment."), "");
  try {
    const { role } = await post("/api/session", { token });
    location.replace(role === "camera" ? "/camera" : overlay ? "/overlay" : "/");
  } catch (error) {
    say(error.message, error.advice);
  }
}

const say = (title, text) => id("join").replaceChildren(h("h1", {}, title), h("p", {}, text));

come();
