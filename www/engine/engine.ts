// The part of the sampler package that the page uses; session.ts works on whatever has this shape.

import type {
  Breaker,
  CountIntervals,
  Distribution,
  Explanation,
  GoodnessOfFit,
  Report,
  SampleDetails,
  Trip,
} from "nucleus-sampler";
import type { ChainOptions } from "../chain/options";
import type { Controllers } from "../state";

/** A report that says of every token what became of it. */
export type TokenReport = Report & Required<Pick<Report, "removedBy" | "rank">>;

/** What comes along with the logits. */
export interface Call {
  /** Guidance's second row. */
  readonly unconditional?: Float32Array;
  /** In previews: whether XTC's coin falls. */
  readonly coin?: boolean;
}

/** Where a sampler goes on. */
export interface Place {
  /** Words of the stream that were used up. */
  readonly position: number;
  readonly controllers: Controllers;
}

export interface Sampler {
  prompt(tokens: Uint32Array): void;
  accept(token: number): void;
  distribution(logits: Float32Array, call?: Call): Distribution;
  report(logits: Float32Array, call?: Call): Report;
  /** The report with every token's fate: it takes longer. */
  tokenReport(logits: Float32Array, call?: Call): TokenReport;
  explain(logits: Float32Array, token: number, call?: Call): Explanation;
  sampleDetailed(logits: Float32Array, call?: Call): SampleDetails;
  sampleMany(logits: Float32Array, n: number, call?: Call): Uint32Array;
  /** Goes on from a place in the stream with controllers that accepted draws have moved. */
  goOn(place: Place): void;
  controllers(): Controllers;
  /** The guard's breaker. */
  breaker(): Breaker;
  /** The latest draw that tripped the guard. */
  lastTrip(): Trip | null;
  free(): void;
}

export interface Engine {
  /** The counts to expect of each share in n draws, and those between which it stays in 95 of 100 runs. */
  intervals(probs: Float64Array, n: number): CountIntervals;
  /** How well counts fit the probabilities that they were drawn from. */
  fit(counts: Uint32Array, probs: Float64Array): GoodnessOfFit;
  /** A sampler with a fresh history at position 0; throws an error with a `code` for bad options. */
  create(options: ChainOptions & { seed?: string; stream?: number }): Sampler;
}
