import { call, outOfRange, wrongType } from "./errors.js";
import { memory } from "./instance.js";
import * as raw from "./wasm/nucleus_sampler.js";

/** How well observed counts fit probabilities. */
export interface GoodnessOfFit {
  /** The number of draws. */
  n: number;
  /** Half the sum of |observed share - probability|, in [0, 1]. */
  totalVariation: number;
  /** The G statistic; Infinity when something of probability 0 was drawn. */
  g: number;
  /** Bins (those that expect fewer than 5 draws pooled) less one. */
  degrees: number;
  /** The probability of a G at least this large under fair draws, in [0, 1]. */
  pValue: number;
}

/** Compares the counts of draws with the probabilities that they were drawn from. */
export function goodnessOfFit(counts: Uint32Array, probs: Float64Array): GoodnessOfFit {
  memory();
  if (!(counts instanceof Uint32Array)) throw wrongType("counts", "a Uint32Array", counts);
  if (!(probs instanceof Float64Array)) throw wrongType("probs", "a Float64Array", probs);
  return call(() => raw.goodnessOfFit(counts, probs) as GoodnessOfFit);
}

/** The counts between which each token stays in 95 of 100 runs of `n` draws. */
export function countIntervals(probs: Float64Array, n: number): { low: Float64Array; high: Float64Array } {
  memory();
  if (!(probs instanceof Float64Array)) throw wrongType("probs", "a Float64Array", probs);
  if (typeof n !== "number") throw wrongType("n", "an integer from 0 to 2^53 - 1", n);
  if (!Number.isSafeInteger(n) || n < 0) throw outOfRange("n", "an integer from 0 to 2^53 - 1", n);
  const pairs = call(() => raw.countIntervals(probs, n));
  return {
    low: pairs.filter((_, i) => i % 2 === 0),
    high: pairs.filter((_, i) => i % 2 === 1),
  };
}
