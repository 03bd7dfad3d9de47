// What page and engine worker say to each other. Every request has an id; every id gets one result or one error.

import type { Breaker, Explanation, StageReport, Trip } from "nucleus-sampler";
import type { ChainOptions } from "../chain/options";
import type { Controllers, TokenValue } from "../state";

/** One chain over one row: all that a picture depends on. */
export interface Setup {
  readonly rowKey: string;
  /** The row's logits, sent when the worker has not had this row yet. */
  readonly logits: Float32Array | null;
  readonly edits: readonly TokenValue[];
  readonly prompt: readonly number[];
  readonly output: readonly number[];
  readonly chain: ChainOptions;
  /** The chain up to the stage whose input the cumulative curve shows. */
  readonly upstream: ChainOptions;
  /** Guidance's second row, where the chain has one. */
  readonly second: SecondRow | null;
  /** Whether XTC's coin falls in what is shown. */
  readonly coin: boolean;
  readonly controllers: Controllers;
  /** Words of the stream that draws used up before they were accepted. */
  readonly position: number;
}

/** A row that guidance moves away from. */
export interface SecondRow {
  readonly key: string;
  /** Sent when the worker has not had this row yet; the flat row never is. */
  readonly logits: Float32Array | null;
}

export interface PictureRequest {
  readonly kind: "picture";
  readonly id: number;
  readonly setup: Setup;
}

/** Draws of a seed's stream. */
export interface Stretch {
  readonly seed: string;
  /** Which of the seed's streams, below 2^32. */
  readonly stream: number;
  /** The place in the stream where they begin. */
  readonly from: number;
  /** How many they are. */
  readonly n: number;
}

export interface DrawRequest extends Stretch {
  readonly kind: "draw";
  readonly id: number;
}

/** Accepts the last of these draws: controllers learn from it. */
export interface AcceptRequest extends Stretch {
  readonly kind: "accept";
  readonly id: number;
}

/** Why a token of the picture on screen is in or out. */
export interface ExplainRequest {
  readonly kind: "explain";
  readonly id: number;
  readonly token: number;
}

export type Request = PictureRequest | DrawRequest | AcceptRequest | ExplainRequest;

/** The row before the chain: a softmax at temperature 1. */
export interface Before {
  /** By token id. */
  readonly probs: Float64Array;
  readonly highest: number;
  readonly entropy: number;
}

/** What the curve's stage is given: its tokens, highest first, and the running sum of their probabilities. */
export interface Upstream {
  readonly tokenIds: Uint32Array;
  readonly cumulative: Float64Array;
}

/** Where every token stands; a temperature or a truncation leaves it as it is. */
export interface Ranking {
  /** Every token id: the ranked ones by rank, then the others by id. */
  readonly order: Uint32Array;
  /** How many tokens have a rank: those alive before the first truncation. */
  readonly nRanked: number;
  /** By token id: 0-based rank, or NO_RANK. */
  readonly rank: Uint32Array;
}

/** What became of every token. */
export interface Outcome {
  /** By token id: index into `stages` of the stage that removed it, KEPT, or DEAD. */
  readonly removedBy: Uint8Array;
  /** By token id: the probability of being drawn. */
  readonly probs: Float64Array;
  readonly highest: number;
  readonly keptCount: number;
  readonly keptMass: number;
  readonly entropy: number;
  readonly stages: readonly StageReport[];
  /** What the guard does, where it trips: the stages are those of the chain that it chose. */
  readonly trip: Trip | null;
  /** The guard's breaker. */
  readonly breaker: Breaker;
}

/** The chain's effect on every token. */
export interface After extends Ranking, Outcome {}

export const KEPT = 255;
export const DEAD = 254;
export const NO_RANK = 0xffffffff;

/** A picture on the wire: parts that have not changed since the last one are null. */
export interface PictureResult {
  readonly kind: "picture";
  readonly before: Before | null;
  readonly upstream: Upstream | null;
  readonly ranking: Ranking | null;
  readonly outcome: Outcome;
}

/** Kept tokens that are counted one by one in the statistics; the others are counted together. */
export const N_BINS = 12;

/** What the guard did in a stretch of draws. */
export interface GuardedDraws {
  /** Draws that tripped it. */
  readonly trips: number;
  /** Draws for which its breaker was open. */
  readonly open: number;
  /** The latest of those that tripped. */
  readonly last: Trip | null;
}

/** Draws against what was to be expected. */
export interface DrawStatistics {
  /** Expected counts of the first N_BINS kept tokens by rank, then of all others together. */
  readonly expected: Float64Array;
  /** The interval that each count stays in in 95 of 100 runs. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Half the sum of |observed share - probability| over all kept tokens, in [0, 1]. */
  readonly totalVariation: number;
  /** Bins of the G-test less one; 0 where there is nothing to test. */
  readonly degrees: number;
  readonly pValue: number;
}

export interface DrawResult {
  readonly kind: "draw";
  /** How many draws the counts hold; less than asked for while there is more to do. */
  readonly n: number;
  /** By token id. */
  readonly counts: Uint32Array;
  readonly last: number | null;
  /** Where the last draw fell, as a share of the kept mass laid out in ascending id; null when no chance was needed. */
  readonly target: number | null;
  /** The kept tokens by rank, which the statistics follow. */
  readonly kept: Uint32Array;
  readonly statistics: DrawStatistics;
  /** Null where there is no guard. */
  readonly guarded: GuardedDraws | null;
}

export interface AcceptResult {
  readonly kind: "accept";
  readonly token: number;
  readonly controllers: Controllers;
}

export interface ExplainResult {
  readonly kind: "explain";
  readonly explanation: Explanation;
}

export type Result = PictureResult | DrawResult | AcceptResult | ExplainResult;

/** An engine's error as plain data. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly option: string | null;
  readonly stage: string | null;
  readonly index: number | null;
}

export type Reply =
  | { readonly kind: "ready" }
  | { readonly kind: "unavailable"; readonly message: string }
  | { readonly kind: "result"; readonly id: number; readonly result: Result }
  | { readonly kind: "error"; readonly id: number; readonly problem: Problem };
