// The part of the sampler package that the page uses; session.ts works on whatever has this shape.

import type { ChainOptions } from "../chain/options";

export interface Distribution {
  readonly tokenIds: Uint32Array;
  readonly probs: Float64Array;
  readonly cumulative: Float64Array;
  readonly keptCount: number;
  readonly keptMass: number;
  readonly entropy: number;
}

export interface StageReport {
  readonly name: string;
  readonly active: boolean;
  readonly keptBefore: number;
  readonly keptAfter: number;
  readonly massRemoved: number;
  readonly entropyBefore: number;
  readonly entropyAfter: number;
}

export interface TokenReport {
  readonly stages: readonly StageReport[];
  readonly removedBy: Uint8Array;
  readonly rank: Uint32Array;
}

export interface TokenExplanation {
  readonly kept: boolean;
  readonly stage: string | null;
  readonly rank: number | null;
  readonly threshold: number | null;
  readonly massBefore: number;
}

export interface DetailedDraw {
  readonly token: number;
  readonly target: number | null;
}

export interface Sampler {
  prompt(tokens: Uint32Array): void;
  accept(token: number): void;
  distribution(logits: Float32Array): Distribution;
  report(logits: Float32Array): TokenReport;
  explain(logits: Float32Array, token: number): TokenExplanation;
  sampleDetailed(logits: Float32Array): DetailedDraw;
  sampleMany(logits: Float32Array, n: number): Uint32Array;
  free(): void;
}

export interface Fit {
  readonly totalVariation: number;
  readonly g: number;
  readonly degrees: number;
  readonly pValue: number;
}

export interface Engine {
  /** The counts between which each share stays in 95 of 100 runs of n draws. */
  intervals(probs: Float64Array, n: number): { low: Float64Array; high: Float64Array };
  /** How well counts fit the probabilities that they were drawn from. */
  fit(counts: Uint32Array, probs: Float64Array): Fit;
  /** A sampler with a fresh history at position 0; throws an error with a `code` for bad options. */
  create(options: ChainOptions & { seed?: string }): Sampler;
}
