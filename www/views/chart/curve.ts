// The cumulative curve in pixels, and the p that a pointer beside it means.

import type { Column } from "./columns";

/** One riser of the curve: at x0 it goes up from `low` to `high`, then runs level to x1. Sums in [0, 1]. */
export interface Riser {
  readonly x0: number;
  readonly x1: number;
  readonly low: number;
  readonly high: number;
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
