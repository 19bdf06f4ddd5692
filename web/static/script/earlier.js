// Events from before those this page keeps, asked for only when somebody steps back as far as that.

import { at } from "./base.js";
import { present } from "./dom.js";
import { store } from "./store.js";

const WAIT = 20000; // milliseconds

/** The events numbered below `before`, oldest first. Raises what `fetch` raises. */
export async function eventsBefore(/** @type {any} */ before) {
  const enough = new AbortController(),
    found = [];
  const timer = setTimeout(() => enough.abort(), WAIT);
  try {
    const match = encodeURIComponent(store.snapshot.match ?? "");
    const address = `${at("/api/events")}?after=0&match=${match}&lang=${document.documentElement.lang}`;
    const response = await fetch(address, { credentials: "same-origin", signal: enough.signal });
    if (!response.ok) return [];
    const reader = present(response.body).pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; ;) {
      const { value, done } = await reader.read();
      if (done) return found;
      const messages = (rest + value).split("\n\n");
      rest = messages.pop() ?? "";
      for (const message of messages) {
        const event = eventOf(message);
        if (!event) continue;
        if (event.number >= before) return found;
        found.push(event);
      }
    }
  } finally {
    clearTimeout(timer);
    enough.abort(); // the stream would go on for ever
  }
}

/** What a message holds when it is an event of the record: those have a number and no name. */
function eventOf(/** @type {any} */ message) {
  if (!/^id: /m.test(message) || /^event: /m.test(message)) return null;
  const data = /^data: (.*)$/m.exec(message);
  return data && JSON.parse(data[1]);
}
