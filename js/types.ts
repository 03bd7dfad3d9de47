/** What calls take and return. */
export type * from "./options.js";

/** A stage's name as orders and reports write it. */
export type StageName =
  | "guidance"
  | "logit_bias"
  | "allowed_tokens"
  | "bad_words"
  | "min_new_tokens"
  | "repetition_penalty"
  | "frequency_penalty"
  | "presence_penalty"
  | "no_repeat_ngram"
  | "dry"
  | "temperature"
  | "dynamic_temperature"
  | "smoothing"
  | "top_h"
  | "top_k"
  | "top_p"
  | "min_p"
  | "typical_p"
  | "top_n_sigma"
  | "top_a"
  | "tail_free"
  | "p_less"
  | "epsilon_cutoff"
  | "eta_cutoff"
  | "xtc"
  | "mirostat"
  | "adaptive_p"
  | "greedy"
  | "draw";

/** Logits of one row or of a batch, row-major: raw values, -Infinity cannot be drawn. */
export type Logits = Float32Array | Float16ArrayLike | readonly number[];

/** A Float16Array, where the platform has it. */
export interface Float16ArrayLike extends ArrayLike<number> {
  readonly [Symbol.toStringTag]: "Float16Array";
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: ArrayBufferLike;
}

/** What may come along with the logits of one row. */
export interface RowCall {
  /** The row; 0 by default. */
  row?: number | undefined;
  /** Allowed tokens as bits: bit i mod 32 of word floor(i / 32), 1 is allowed; ceil(vocab / 32) words. */
  mask?: Uint32Array | undefined;
  /** The second row, that of the text without its prompt: needed while guidance is active, else not looked at. */
  unconditional?: Logits | undefined;
}

/** What may come along with the logits of a preview. */
export interface PreviewCall extends RowCall {
  /** The side on which XTC's coin is taken to fall; not given: that of the next draw. */
  coin?: boolean | undefined;
}

/** What may come along with the logits of a batch. */
export interface BatchCall {
  /** A mask for each row in the batch's order (`undefined` allows all), or all of them one after the other. */
  masks?: readonly (Uint32Array | undefined)[] | Uint32Array | undefined;
  /** The second rows, row-major like the logits: needed where guidance is active. */
  unconditional?: Logits | undefined;
}

/** The kept tokens, highest first. */
export interface Distribution {
  tokenIds: Uint32Array;
  /** After the chain, temperature applied. */
  logits: Float32Array;
  /** In [0, 1]. */
  probs: Float64Array;
  /** Exact prefix sums; the last is 1. */
  cumulative: Float64Array;
  keptCount: number;
  /** The set's share of the mass that entered the first active truncating stage. */
  keptMass: number;
  /** In nats. */
  entropy: number;
  /** The rank at which the set ends: keptCount. */
  cutoff: number;
}

/** What one stage saw, removed and kept. */
export interface StageReport {
  name: StageName | "mask";
  active: boolean;
  keptBefore: number;
  keptAfter: number;
  /** The share of what entered, in the stage's own weights. */
  massRemoved: number;
  /** In nats. */
  entropyBefore: number;
  /** In nats. */
  entropyAfter: number;
  /** In the unit that the stage documents; null where it has none. */
  threshold: number | null;
}

/** What a chain did to a row. */
export interface Report {
  stages: StageReport[];
  keptCount: number;
  keptMass: number;
  /** In nats. */
  entropy: number;
  /**
   * How many tokens the row accepted that were not the one it drew last, while mirostat or adaptiveP was at work: those do
   * not move the controller.
   */
  unmatchedAccepts: number;
  /** With `{ tokens: true }`: per token the index into `stages`; 255 kept, 254 -Infinity in the given row. */
  removedBy?: Uint8Array;
  /** With `{ tokens: true }`: 0-based rank among those alive before truncation, else 0xFFFFFFFF. */
  rank?: Uint32Array;
}

/** Why a token is in or out; the numbers are those of the moment of decision. */
export interface Explanation {
  token: number;
  kept: boolean;
  /** The stage that removed it; null when kept or never alive. */
  stage: StageName | "mask" | null;
  logit: number;
  /** 0-based; null when never alive. */
  rank: number | null;
  /** An integer in [0, 2^44]. */
  weight: number;
  prob: number;
  /** The share of the mass that ranks before it. */
  massBefore: number;
  threshold: number | null;
  keptBefore: number;
  keptAfter: number;
}

/** A token with its log probability. */
export interface TokenLogprob {
  token: number;
  /** -Infinity for a token that cannot be drawn (null in JSON). */
  logprob: number;
  /** 0-based; null for a token that is not in the distribution. */
  rank: number | null;
}

/** Log probabilities of the given row at temperature 1, and of what the chain kept. */
export interface Logprobs {
  raw: TokenLogprob[];
  final: TokenLogprob[];
}

/** A drawn token and what describes the draw. */
export interface SampleDetails {
  token: number;
  /** The position that the draw had. */
  position: number;
  keptCount: number;
  keptMass: number;
  /** In nats. */
  entropy: number;
  logprob: { raw: number; final: number };
  /** Where the draw fell, as a share of the kept mass laid out in ascending id; null when no word was read. */
  target: number | null;
  /** Set when a guard changed the chain for this draw. */
  trip: null;
}

/** A row that failed in the latest batch. */
export interface RowError {
  row: number;
  code: string;
  message: string;
}

/** Everything needed to resume exactly; survives JSON unchanged. */
export interface SamplerState {
  version: number;
  [field: string]: unknown;
}
