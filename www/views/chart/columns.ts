// Tokens by rank gathered into columns at least a pixel wide: the bars that a screen can show.

import { type After, type Before, KEPT } from "../../engine/protocol";
import type { RankAxis } from "./scales";

export interface Column {
  /** 0-based ranks [from, to) of the tokens in it. */
  readonly from: number;
  readonly to: number;
  readonly x0: number;
  readonly x1: number;
}

export interface Heights {
  /** The highest probability before the chain, in each column. */
  readonly before: Float64Array;
  /** The highest probability after the chain; 0 where no token is kept. */
  readonly after: Float64Array;
  /** The highest probability before the chain of a token that is cut; 0 where none is. */
  readonly cut: Float64Array;
  /** The stage that cut the first of the cut tokens, or KEPT. */
  readonly cutBy: Uint8Array;
}

/** Columns of at least `least` pixels over the first `n` ranks. */
export function columnsOf(axis: RankAxis, n: number, least = 1): Column[] {
  const columns: Column[] = [];
  for (let from = 0; from < n; ) {
    const x0 = axis.edge(from);
    let to = from + 1;
    if (axis.edge(to) - x0 < least) to = Math.max(to, axis.rankAt(x0 + least) + 1);
    to = Math.min(to, n);
    columns.push({ from, to, x0, x1: axis.edge(to) });
    from = to;
  }
  return columns;
}

export function heightsOf(columns: readonly Column[], before: Before, after: After): Heights {
  const heights: Heights = {
    before: new Float64Array(columns.length),
    after: new Float64Array(columns.length),
    cut: new Float64Array(columns.length),
    cutBy: new Uint8Array(columns.length).fill(KEPT),
  };
  columns.forEach(({ from, to }, i) => {
    let highest = 0;
    let kept = 0;
    let cut = 0;
    for (let rank = from; rank < to; rank++) {
      const token = after.order[rank] ?? 0;
      const p = before.probs[token] ?? 0;
      const by = after.removedBy[token] ?? KEPT;
      if (p > highest) highest = p;
      if (by === KEPT) kept = Math.max(kept, after.probs[token] ?? 0);
      else {
        if (heights.cutBy[i] === KEPT) heights.cutBy[i] = by;
        if (p > cut) cut = p;
      }
    }
    heights.before[i] = highest;
    heights.after[i] = kept;
    heights.cut[i] = cut;
  });
  return heights;
}
