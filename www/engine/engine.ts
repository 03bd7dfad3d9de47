// The part of the sampler package that the page uses; session.ts works on whatever has this shape.

import type { CountIntervals, Distribution, GoodnessOfFit, Report, SampleDetails } from "nucleus-sampler";
import type { ChainOptions } from "../chain/options";

/** A report that says of every token what became of it. */
export type TokenReport = Required<Report>;

export interface Sampler {
  prompt(tokens: Uint32Array): void;
  accept(token: number): void;
  distribution(logits: Float32Array): Distribution;
  report(logits: Float32Array): Report;
  /** The report with every token's fate: it takes longer. */
  tokenReport(logits: Float32Array): TokenReport;
  sampleDetailed(logits: Float32Array): SampleDetails;
  sampleMany(logits: Float32Array, n: number): Uint32Array;
  free(): void;
}

export interface Engine {
  /** The counts to expect of each share in n draws, and those between which it stays in 95 of 100 runs. */
  intervals(probs: Float64Array, n: number): CountIntervals;
  /** How well counts fit the probabilities that they were drawn from. */
  fit(counts: Uint32Array, probs: Float64Array): GoodnessOfFit;
  /** A sampler with a fresh history at position 0; throws an error with a `code` for bad options. */
  create(options: ChainOptions & { seed?: string }): Sampler;
}
