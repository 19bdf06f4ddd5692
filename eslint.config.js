// What tsc does not see: names that are never used, comparisons that convert, promises that nobody waits for, lines too long.

import js from "@eslint/js";
import globals from "globals";

const LONGEST = 128; // as pyproject.toml has it for Python

export default [
  { ignores: ["node_modules/", "build/", "companion/web/"] },
  js.configs.recommended,
  {
    files: ["web/static/script/**/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      eqeqeq: "error",
      "max-len": ["error", { code: LONGEST, ignoreUrls: false }],
      "max-lines": ["error", { max: 400 }],
      "no-alert": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
  { files: ["web/static/script/listen.js"], languageOptions: { globals: globals.audioWorklet } },
];
