// What a row of the token table says about its token.

import { logitOf } from "../../edits";
import { NO_RANK } from "../../engine/protocol";
import { formatCount, formatPercent } from "../../format";
import type { Picture } from "../../playground";
import { fateOf } from "../../sentences";
import { HAND_SOURCE } from "../../sources/catalogue";
import { isFull } from "../../text-length";
import type { Bounds } from "./bounds";
import type { RowContent } from "./row";

export interface TokensModel {
  readonly picture: Picture;
  readonly highlight: number | null;
  readonly drawn: number | null;
  /** The tokens that the search found, as flags by token id; null shows all. */
  readonly found: Uint8Array | null;
}

/** `edits` are the state's edits by token, for a look-up in each row. */
export function contentOf(
  { picture, highlight, drawn }: TokensModel,
  token: number,
  edits: ReadonlyMap<number, number>,
  bounds: Bounds,
): Omit<RowContent, "index" | "top"> {
  const { after, before, row, state } = picture;
  const rank = after.rank[token] ?? NO_RANK;
  const fate = fateOf(picture, token);
  const written = state.source === HAND_SOURCE;
  const recorded = row.logits[token] ?? 0;
  return {
    token,
    text: row.texts.text(token),
    rank: rank === NO_RANK ? "–" : formatCount(rank + 1),
    logit: written ? logitOf(state, token, recorded) : (edits.get(token) ?? recorded),
    raw: formatPercent(before.probs[token] ?? 0),
    final: fate ?? formatPercent(after.probs[token] ?? 0),
    kept: fate === null,
    edited: edits.has(token),
    highlighted: token === highlight,
    drawn: token === drawn,
    low: bounds.low,
    high: bounds.high,
    written,
    takes: row.reader !== undefined && !isFull(picture),
  };
}
