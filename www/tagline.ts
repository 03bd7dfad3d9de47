// What this page is, in one line: on the static page and on the live one.

export const TAGLINE =
  "See how a language model picks its next word: drag the cut-off, change a number, draw a token.";
