// How long the text before the gap is, and whether the model that reads it has room for more.

import type { Picture } from "./playground";

/** Tokens of prompt and output. */
export function textLength({ row, state }: Picture): number {
  return row.promptTokens.length + state.output.length;
}

/** Whether the model's context is full; nothing but a model has a limit. */
export function isFull(picture: Picture): boolean {
  return textLength(picture) >= (picture.row.reader?.contextLength ?? Infinity);
}
