// A page that only says something: day or night is all there is to choose.

import { startTheme } from "./theme.js";

startTheme();
