// The page that explains the certificate works without a script; this opens the steps for the device that reads it.

import { startTheme } from "./theme.js";

const device =
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
    ? "ios"
    : /Android/.test(navigator.userAgent)
      ? "android"
      : "desktop";

startTheme();
document.querySelector(`[data-device="${device}"]`)?.setAttribute("open", "");
