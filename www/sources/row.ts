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
}
