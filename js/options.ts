/** Options: what a sampler or a row is given, and what is in force. */
import type { StageName } from "./types.js";

/** A list of ids: an array, a typed array, or whatever can be iterated. */
export type Ids = ArrayLike<number> | Iterable<number>;

/** The options of a sampler or of a row. `undefined` is not given; `null` and unknown names are errors. */
export interface SamplerOptions {
  /** Logits are divided by it. At least 0; 1 is off (the default); 0 is greedy. */
  temperature?: number | undefined;
  /** A temperature that grows with the entropy, from temperature - range to temperature + range. */
  dynamicTemperature?: DynamicTemperature | undefined;
  /** Bends the logits: a curve of their distance from the best. */
  smoothing?: Smoothing | undefined;
  /** The longest prefix stays whose entropy is at most this share of the whole entropy. In [0, 1]; 1 is off (the default). */
  topH?: number | undefined;
  /** The best k tokens stay: an integer from 0 to 4294967295; 0 is off (the default). */
  topK?: number | undefined;
  /** The shortest prefix whose mass reaches p stays. In [0, 1]; 1 is off (the default). */
  topP?: number | undefined;
  /** Tokens with at least m times the best probability stay. In [0, 1]; 0 is off (the default). */
  minP?: number | undefined;
  /** The most typical tokens stay until they hold this mass. In [0, 1]; 1 is off (the default). */
  typicalP?: number | undefined;
  /** Tokens within this many standard deviations of the best logit stay. At least 0; 0 is off (the default). */
  topNSigma?: number | undefined;
  /** Tokens with at least this times the square of the best probability stay. In [0, 1]; 0 is off (the default). */
  topA?: number | undefined;
  /** The share of the curve's bends that stays. In [0, 1]; 1 is off (the default). */
  tailFree?: number | undefined;
  /** Whether tokens less probable than two draws are to be the same go. False is off (the default). */
  pLess?: boolean | undefined;
  /** Tokens of at least this probability stay. In [0, 1]; 0 is off (the default). */
  epsilonCutoff?: number | undefined;
  /** Tokens of at least min(eta, sqrt(eta) e^-entropy) stay. In [0, 1]; 0 is off (the default). */
  etaCutoff?: number | undefined;
  /** Now and then removes the best tokens but the last of those above a threshold. */
  xtc?: Xtc | undefined;
  /** Positive logits of tokens in the history are divided by it, negative ones multiplied. Above 0; 1 is off (the default). */
  repetitionPenalty?: number | undefined;
  /** Subtracted for each time that a token was output. Finite; 0 is off (the default). */
  frequencyPenalty?: number | undefined;
  /** Subtracted once from the logit of a token that was output. Finite; 0 is off (the default). */
  presencePenalty?: number | undefined;
  /** The penalties see the last n tokens of prompt and output; not given: all; 0: none. */
  penaltyLastN?: number | undefined;
  /** A sequence of n tokens never comes twice. 0 is off (the default). */
  noRepeatNgramSize?: number | undefined;
  /** Lowers the logits of tokens that would go on repeating what was said, the more the longer the repetition. */
  dry?: Dry | undefined;
  /** Added to logits by token id, each once; finite, or -Infinity, which bans. Not given: none. */
  logitBias?: LogitBias | undefined;
  /** Only these tokens may be drawn; at least one. Not given: all. */
  allowedTokens?: Ids | undefined;
  /** Sequences of tokens that never appear, each with at least one. Not given: none. */
  badWords?: ArrayLike<Ids> | Iterable<Ids> | undefined;
  /** The end of the text is banned until so many tokens were output; needs `eosTokenIds`. 0 is off (the default). */
  minNewTokens?: number | undefined;
  /** The tokens that end a text. Not given: none. */
  eosTokenIds?: Ids | undefined;
  /** Moves the logits away from those of a second row, given with the call as `unconditional`. */
  guidance?: Guidance | undefined;
  /** Cuts at a surprise that follows what was drawn. */
  mirostat?: Mirostat | undefined;
  /** Bends probabilities towards one that follows what was drawn. */
  adaptiveP?: AdaptiveP | undefined;
  /** What happens where truncating stages leave next to nothing. */
  guard?: Guard | undefined;
  /** Every truncating stage keeps at least this many tokens. At least 1 (the default). */
  minKeep?: number | undefined;
  /** The stages to run, in this order; every active one must be listed. Not given: the preset's order. */
  order?: ArrayLike<StageName> | Iterable<StageName> | undefined;
  /** The engine whose order, defaults and dialect are the base. `nucleus` by default. */
  preset?: "nucleus" | "textbook" | undefined;
  /** 0 to 2^64 - 1: a number up to 2^53 - 1, a bigint, or a string of digits. Not given: fresh from the platform. */
  seed?: number | bigint | string | undefined;
  /** The row's stream, below 2^32. Not given: 0 for a row with a seed of its own, else the row's id; given to the sampler, what those are counted from. */
  stream?: number | undefined;
}

/** Biases by token id: an object, a Map, or pairs. */
export type LogitBias =
  | Readonly<Record<number, number>>
  | ReadonlyMap<number, number>
  | ArrayLike<readonly [number, number]>
  | Iterable<readonly [number, number]>;

/** A temperature between two. */
export interface DynamicTemperature {
  /** The distance to either side of `temperature`. At least 0; 0 is off (the default). */
  range?: number | undefined;
  /** The power of the relative entropy. At least 0; 1 by default. */
  exponent?: number | undefined;
}

/** A curve over the logits. */
export interface Smoothing {
  /** How much the logits are bent. At least 0; 0 is off (the default). */
  factor?: number | undefined;
  /** How much of the curve is cubic: 1 (the default) none, 3 all. At least 1. */
  curve?: number | undefined;
}

/** Exclude top choices. */
export interface Xtc {
  /** How often. In [0, 1]; 0 is off (the default). */
  probability?: number | undefined;
  /** Tokens of at least this probability are the top choices. In (0, 0.5]; 0.1 by default. */
  threshold?: number | undefined;
  /** Tokens that are never removed. Not given: none. */
  protectedTokens?: Ids | undefined;
}

/** Don't repeat yourself. */
export interface Dry {
  /** The penalty of the shortest repetition. At least 0; 0 is off (the default). */
  multiplier?: number | undefined;
  /** By what the penalty grows with every further repeated token. At least 1; 1.75 by default. */
  base?: number | undefined;
  /** Repetitions of at least this many tokens are punished. 2 by default. */
  allowedLength?: number | undefined;
  /** Only the last n tokens of prompt and output are looked at; not given: all; 0: none. */
  lastN?: number | undefined;
  /** Sequences that no repetition goes across, each with at least one token. Not given: none. */
  breakers?: ArrayLike<Ids> | Iterable<Ids> | undefined;
}

/** Classifier-free guidance. */
export interface Guidance {
  /** How far the logits are moved away from those of the second row. Finite; 1 is off (the default). */
  scale?: number | undefined;
}

/** A guard over truncating stages other than top-k and top-p. */
export interface Guard {
  /** `off` (the default); `error` fails; `relax` moves thresholds towards off; `greedy` takes the best token that masks allow. */
  policy?: "off" | "error" | "relax" | "greedy" | undefined;
  /** The share of the mass that guarded stages may remove. In [0, 1]; 0.999 by default. */
  maxMaskedMass?: number | undefined;
  /** How often `relax` halves the distance of thresholds to their off values. 1 to 32; 3 by default. */
  maxSteps?: number | undefined;
  /** Leaves guarded stages out after repeated trips. */
  breaker?: BreakerOptions | undefined;
}

/** When a guard's breaker opens, and for how long. */
export interface BreakerOptions {
  /** Trips within `positions` that open it. 1 to 1024; 3 by default. */
  trips?: number | undefined;
  /** The positions over which trips are counted, and for which it stays open. At least 1; 32 by default. */
  positions?: number | undefined;
}

/** A controller of the surprise. */
export interface Mirostat {
  /** 1 or 2; 0 is off (the default). */
  version?: 0 | 1 | 2 | undefined;
  /** The surprise in bits that is aimed at. At least 0; 5 by default. */
  tau?: number | undefined;
  /** How fast the cut follows. In [0, 1]; 0.1 by default. */
  eta?: number | undefined;
}

/** A controller of the drawn tokens' probability. */
export interface AdaptiveP {
  /** The probability that drawn tokens are to have on average. In [0, 1]; 0 is off (the default). */
  target?: number | undefined;
  /** How long drawn tokens are remembered. In [0, 0.99]; 0.9 by default. */
  decay?: number | undefined;
}

/** The options in force: every one with its value, the seed as a number when that is safe. */
export interface EffectiveOptions {
  temperature: number;
  dynamicTemperature: { range: number; exponent: number };
  smoothing: { factor: number; curve: number };
  topH: number;
  topK: number;
  topP: number;
  minP: number;
  typicalP: number;
  topNSigma: number;
  topA: number;
  tailFree: number;
  pLess: boolean;
  epsilonCutoff: number;
  etaCutoff: number;
  xtc: { probability: number; threshold: number; protectedTokens?: number[] };
  repetitionPenalty: number;
  frequencyPenalty: number;
  presencePenalty: number;
  penaltyLastN?: number;
  noRepeatNgramSize: number;
  dry: { multiplier: number; base: number; allowedLength: number; lastN?: number; breakers?: number[][] };
  logitBias?: [number, number][];
  allowedTokens?: number[];
  badWords?: number[][];
  minNewTokens: number;
  eosTokenIds?: number[];
  guidance: { scale: number };
  mirostat: { version: number; tau: number; eta: number };
  adaptiveP: { target: number; decay: number };
  guard: {
    policy: string;
    maxMaskedMass: number;
    maxSteps: number;
    breaker: { trips: number; positions: number };
  };
  minKeep: number;
  order?: StageName[];
  preset: string;
  seed: number | string;
  stream: number;
}
