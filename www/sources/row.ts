// One row of logits as the page holds it, whatever source it came from.

import type { TokenTexts } from "./vocabulary";

export interface Row {
  /** Equal keys mean equal logits and texts. */
  readonly key: string;
  /** The sentence before the gap, or null where there is none. */
  readonly prompt: string | null;
  readonly promptTokens: readonly number[];
  readonly texts: TokenTexts;
  /** Logits by token id, as given: before anything was edited. */
  readonly logits: Float32Array;
  /** What a model's row has beside. */
  readonly reader?: TextReader;
}

/** What the page has to know of the model that a row comes from. */
export interface TextReader {
  /** What it is called. */
  readonly name: string;
  /** The most tokens that a text may have. */
  readonly contextLength: number;
  /** The tokens that end a text. */
  readonly ends: Uint32Array;
}
