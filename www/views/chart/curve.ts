// The cumulative curve in pixels, and the p that a pointer beside it means.

import type { Ranking, Upstream } from "../../engine/protocol";
import type { Column } from "./columns";

/** One riser of the curve: at x0 it goes up from `low` to `high`, then runs level to x1. Sums in [0, 1]. */
export interface Riser {
  readonly x0: number;
  readonly x1: number;
  readonly low: number;
  readonly high: number;
}

/** The curve over the ranks of the picture, with the rank of each of the tokens that are summed up. */
export interface RankedCurve {
  /** By rank: the sum up to this token. Where one was removed before, it stays what it was. */
  readonly cumulative: Float64Array;
  /** By position: the token's rank. */
  readonly ranks: Uint32Array;
}

/** The curve's sums by rank; null where its stage sees the tokens in another order than the picture's ranks. */
export function rankedCurve({ tokenIds, cumulative }: Upstream, { rank }: Ranking): RankedCurve | null {
  const ranks = new Uint32Array(tokenIds.length);
  for (let i = 0; i < ranks.length; i++) {
    ranks[i] = rank[tokenIds[i] ?? 0] ?? 0;
    if (i > 0 && (ranks[i] ?? 0) <= (ranks[i - 1] ?? 0)) return null;
  }
  const last = ranks.at(-1) ?? -1;
  if (last >= rank.length) return null;
  if (last + 1 === ranks.length) return { cumulative, ranks };
  const spread = new Float64Array(last + 1);
  for (let i = 0; i < ranks.length; i++) spread.fill(cumulative[i] ?? 0, ranks[i], ranks[i + 1] ?? last + 1);
  return { cumulative: spread, ranks };
}

/** Risers over columns of ranks; a column of several tokens is one riser. */
export function risersOf(columns: readonly Column[], cumulative: Float64Array): Riser[] {
  const risers: Riser[] = [];
  let low = 0;
  for (const { to, x0, x1 } of columns) {
    const high = cumulative[to - 1] ?? 1;
    risers.push({ x0, x1, low, high });
    low = high;
  }
  return risers;
}

/** The sums that the curve passes between x0 and x1, or null where there is no curve. */
export function spanOf(risers: readonly Riser[], x0: number, x1: number): [number, number] | null {
  const first = risers[firstFrom(risers, (riser) => riser.x1 >= x0)];
  const last = risers[firstFrom(risers, (riser) => riser.x0 > x1) - 1];
  if (first === undefined || last === undefined) return null;
  return [first.x0 < x0 ? first.high : first.low, last.high];
}

/** The index of the first riser for which something holds that holds for all after it; a binary search. */
function firstFrom(risers: readonly Riser[], holds: (riser: Riser) => boolean): number {
  let [low, high] = [0, risers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const riser = risers[middle];
    if (riser === undefined || holds(riser)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The p for a pointer at (x, y) px: the handle stands at the right edge of the last kept token, at the height
 * of p, so it moves on the right edges of the risers. Rounded down to as many decimals as 1 - p calls for.
 */
export function pNear(risers: readonly Riser[], x: number, y: number, height: number): number {
  // Without a curve only the height counts.
  if (risers.length === 0) return roundDown(Math.min(1, Math.max(0, 1 - y / height)));
  let nearest = Infinity;
  let p = 1;
  for (const { x1, low, high } of risers) {
    const sum = Math.min(high, Math.max(low, 1 - y / height));
    const distance = (x1 - x) ** 2 + ((1 - sum) * height - y) ** 2;
    if (distance < nearest) [nearest, p] = [distance, sum];
  }
  return roundDown(p);
}

function roundDown(p: number): number {
  if (p >= 1) return 1;
  const decimals = Math.min(7, 1 + Math.max(1, Math.ceil(-Math.log10(1 - p))));
  return Math.floor(p * 10 ** decimals + 1e-9) / 10 ** decimals;
}
