import { outOfRange, wrongType } from "./errors.js";
import { call, memory } from "./instance.js";
import { copied } from "./typed.js";
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

/** Compares the counts of draws with the probabilities that they were drawn from, whose sum is 1 to a millionth. */
export function goodnessOfFit(counts: Uint32Array, probs: Float64Array): GoodnessOfFit {
  memory();
  const observed = copied(counts, Uint32Array, "counts");
  const expected = copied(probs, Float64Array, "probs");
  return call(() => raw.goodnessOfFit(observed, expected) as GoodnessOfFit, "comparison");
}

/** Counts to expect of each token in `n` draws. */
export interface CountIntervals {
  /** n p. */
  expected: Float64Array;
  /** In 95 of 100 runs the count is not below. */
  low: Float64Array;
  /** In 95 of 100 runs the count is not above. */
  high: Float64Array;
}

/** The counts between which each token stays in 95 of 100 runs of `n` draws. */
export function countIntervals(probs: Float64Array, n: number): CountIntervals {
  memory();
  const shares = copied(probs, Float64Array, "probs");
  if (typeof n !== "number") throw wrongType("n", "an integer from 0 to 2^53 - 1", n);
  if (!Number.isSafeInteger(n) || n < 0) throw outOfRange("n", "an integer from 0 to 2^53 - 1", n);
  const threes = call(() => raw.countIntervals(shares, n), "comparison");
  const every = (rest: number) => threes.filter((_, i) => i % 3 === rest);
  return { expected: every(0), low: every(1), high: every(2) };
}
