// Tokens by rank gathered into columns at least a pixel wide: the bars that a screen can show.

import { type After, type Before, KEPT, type Ranking } from "../../engine/protocol";
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

/** The highest probability before the chain, in each column: it changes with row and ranks, not with a cut. */
export function highestOf(columns: readonly Column[], before: Before, { order }: Ranking): Float64Array {
  return Float64Array.from(columns, ({ from, to }) => highestIn(from, to, before, order));
}

function highestIn(from: number, to: number, before: Before, order: Uint32Array): number {
  let highest = 0;
  for (let rank = from; rank < to; rank++) {
    const p = before.probs[order[rank] ?? 0] ?? 0;
    if (p > highest) highest = p;
  }
  return highest;
}

/** The bars' heights: what is kept mostly is the first ranks, but stages may remove any token. */
export function heightsOf(
  columns: readonly Column[],
  highest: Float64Array,
  before: Before,
  after: After,
): Heights {
  const heights: Heights = {
    before: highest,
    after: new Float64Array(columns.length),
    cut: new Float64Array(columns.length),
    cutBy: new Uint8Array(columns.length).fill(KEPT),
  };
  const end = keptUntil(after);
  const fill = end === after.keptCount ? firstKept(before, after, highest) : anyKept(before, after);
  columns.forEach((column, i) => {
    fill(heights, column, i);
  });
  return heights;
}

/** One more than the rank of the last kept token. */
export function keptUntil({ order, nRanked, removedBy, keptCount }: After): number {
  let [end, seen] = [0, 0];
  for (; end < nRanked && seen < keptCount; end++) if (removedBy[order[end] ?? 0] === KEPT) seen++;
  return end;
}

type Fill = (heights: Heights, column: Column, i: number) => void;

/** Only the first ranks are kept, so that only the column of the last one has both kinds. */
function firstKept(
  before: Before,
  { order, probs, removedBy, keptCount }: After,
  highest: Float64Array,
): Fill {
  return (heights, { from, to }, i) => {
    if (from < keptCount) heights.after[i] = probs[order[from] ?? 0] ?? 0;
    if (to <= keptCount) return;
    const first = Math.max(from, keptCount);
    heights.cut[i] = first === from ? (highest[i] ?? 0) : highestIn(first, to, before, order);
    heights.cutBy[i] = removedBy[order[first] ?? 0] ?? KEPT;
  };
}

/** Any token may be kept or cut: the highest of both kinds is looked for in every column. */
function anyKept(before: Before, { order, probs, removedBy }: After): Fill {
  return (heights, { from, to }, i) => {
    for (let rank = from; rank < to; rank++) {
      const token = order[rank] ?? 0;
      const by = removedBy[token] ?? KEPT;
      const [share, was] = [probs[token] ?? 0, before.probs[token] ?? 0];
      if (by === KEPT) heights.after[i] = Math.max(heights.after[i] ?? 0, share);
      else if (heights.cutBy[i] === KEPT || was > (heights.cut[i] ?? 0)) {
        heights.cut[i] = was;
        heights.cutBy[i] = by;
      }
    }
  };
}
