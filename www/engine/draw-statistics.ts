// Observed draws against expected ones: the engine's intervals and its test, binned as the histogram is.

import type { Engine } from "./engine";
import type { Expected } from "./mixture";
import { type DrawStatistics, N_BINS } from "./protocol";

/** `counts` are by token id. */
export function drawStatistics(
  engine: Engine,
  { tokenIds, probs, cumulative }: Expected,
  counts: Uint32Array,
  n: number,
): DrawStatistics {
  const { expected, low, high } = engine.intervals(binned(probs, cumulative), n);
  const observed = Uint32Array.from(tokenIds, (token) => counts[token] ?? 0);
  const { totalVariation, degrees, pValue } = engine.fit(observed, probs);
  return { expected, low, high, totalVariation, degrees, pValue };
}

/** The first tokens' probabilities as they are, then what the others hold together. */
function binned(probs: Float64Array, cumulative: Float64Array): Float64Array {
  if (probs.length <= N_BINS) return probs.slice();
  const shares = new Float64Array(N_BINS + 1);
  shares.set(probs.subarray(0, N_BINS));
  // The only arithmetic here: the engine sums from the first rank on, and what follows a rank is the rest to 1.
  shares[N_BINS] = 1 - (cumulative[N_BINS - 1] ?? 1);
  return shares;
}
