// The row that a person writes: a few named tokens with their logits.

import type { HandToken } from "../state";
import type { Row } from "./row";
import { plainTexts } from "./vocabulary";

export function handRow(tokens: readonly HandToken[]): Row {
  return {
    key: `hand:${JSON.stringify(tokens.map(({ text, logit }) => [text, String(logit)]))}`,
    prompt: null,
    promptTokens: [],
    texts: plainTexts(tokens.map(({ text }) => text)),
    logits: Float32Array.from(tokens, ({ logit }) => logit),
  };
}
