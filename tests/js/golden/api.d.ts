// index.d.ts
/** What every entry point of the package exports beside its own `init`. */
export { type ErrorCode, type ErrorDetails, NucleusError } from "./errors.js";
export { WasmSampler } from "./sampler.js";
export { simd } from "./simd.js";
export type { BuildChoice, WasmPlace, WasmSource } from "./source.js";
export { type CountIntervals, countIntervals, type GoodnessOfFit, goodnessOfFit } from "./statistics.js";
export type * from "./types.js";

// web.d.ts
import type { BuildChoice, WasmSource } from "./source.js";
/**
 * Starts the wasm module; needed once before the first sampler, further calls are free.
 *
 * There are two builds of it, with SIMD and without, which draw the same tokens. By default the one that this engine
 * can run is fetched from beside this file: the other one is not. `simd()` says which it became.
 * @param source `{ simd: false }` or `{ simd: true }` to choose the build; or where another copy of the module comes
 *   from: bytes, a module, a URL or a response
 */
export default function init(source?: WasmSource | BuildChoice): Promise<void>;
export * from "./index.js";

// sampler.d.ts
import { type Disposal } from "./disposal.js";
import type * as types from "./types.js";
/** As {@link WasmSampler.free}, at the end of a `using` block. */
export interface WasmSampler extends Disposal {
}
/**
 * Draws tokens from logits, for one row or many, exactly and reproducibly: the same seed, options and logits give the
 * same tokens in every engine.
 *
 * ```js
 * await init();
 * const sampler = new WasmSampler({ temperature: 0.8, topP: 0.95, seed: 42 });
 * const token = sampler.sample(logits);
 * sampler.accept(token);
 * ```
 *
 * Every method throws a {@link NucleusError} for input that is not accepted, and has then changed nothing.
 */
export declare class WasmSampler {
    #private;
    /**
     * @param options without a seed a fresh one is taken, and can be read back from {@link options}.
     * @throws `not_initialized` before `await init()`; `unknown_option`, `wrong_type`, `out_of_range`, `empty` or
     * `bad_order` for options that are not accepted.
     */
    constructor(options?: types.SamplerOptions);
    /**
     * The sampler of a state: it draws what the one that wrote the state would have drawn.
     * @throws `state_version` for a state of another version, `state_invalid` for anything that is no state.
     */
    static fromState(state: types.SamplerState): WasmSampler;
    /**
     * Draws a token from one row and advances one position; the history stays as it is. With mirostat or adaptiveP the token
     * stays pending, with its surprise, until it is accepted or the next one is drawn.
     */
    sample(logits: types.Logits, with_?: types.RowCall): number;
    /** Draws a token as {@link sample} does, and describes the draw. */
    sampleDetailed(logits: types.Logits, with_?: types.RowCall): types.SampleDetails;
    /** What `n` calls of {@link sample} with these logits return; advances by `n`, leaves nothing pending. At most 2^27 draws. */
    sampleMany(logits: types.Logits, n: number, with_?: types.RowCall): Uint32Array;
    /**
     * Draws one token for each row of a batch.
     * @param logits rows x vocab, row-major
     * @param rows how many rows, from 0 on (those never added are added), or their ids
     * @returns a token a row; 0xFFFFFFFF for a row that failed and stays where it was: see {@link rowErrors}, and pass such
     * a row over when you {@link accept} the others' tokens
     */
    sampleBatch(logits: types.Logits, rows: number | types.Ids, with_?: types.BatchCall): Uint32Array;
    /** The rows that failed in the latest batch. */
    rowErrors(): types.RowError[];
    /** The kept tokens, highest first. Consumes nothing. */
    distribution(logits: types.Logits, with_?: types.PreviewCall): types.Distribution;
    /** What each stage saw, removed and kept; `tokens: true` adds every token's fate. Consumes nothing. */
    report(logits: types.Logits, with_?: types.PreviewCall & {
        tokens?: boolean | undefined;
    }): types.Report;
    /** Why `token` is in or out. Consumes nothing. */
    explain(logits: types.Logits, token: number, with_?: types.PreviewCall): types.Explanation;
    /** The `n` best tokens before and after the chain, plus the named one if it is not among them. Consumes nothing. */
    logprobs(logits: types.Logits, n: number, with_?: types.PreviewCall & {
        token?: number | undefined;
    }): types.Logprobs;
    /**
     * Records a chosen token: penalties see it from now on. Where it is the row's pending draw, mirostat or adaptiveP learns
     * from it; any other token leaves them as they are, and is counted in {@link report}. An id that no vocabulary has is
     * `bad_token`.
     */
    accept(token: number, row?: number): void;
    /** Records tokens of the prompt. */
    prompt(tokens: types.Ids, row?: number): void;
    /** The options in force for rows without their own, the seed included; for one row, see {@link rowOptions}. */
    get options(): types.EffectiveOptions;
    /** The options in force for a row: its own over the sampler's, with its seed and stream. */
    rowOptions(row: number): types.EffectiveOptions;
    /** The latest draw that tripped a guard, with its row; null where none did since the last reset. */
    get lastTrip(): (types.Trip & {
        row: number;
    }) | null;
    /** The circuit breaker of a row's guard. */
    breaker(row?: number): types.Breaker;
    /** Changes some options; history, position and what controllers have learned stay. Without a row: the sampler's, for every row not given its own. */
    update(options: types.SamplerOptions, row?: number): void;
    /** Adds a row with options of its own, or none. Ids are never used again. */
    addRow(options?: types.SamplerOptions): number;
    /** Removes a row; row 0 stays. */
    removeRow(row: number): void;
    /** Everything needed to resume exactly; survives JSON unchanged. */
    state(): types.SamplerState;
    /** Clears histories, positions and what controllers have learned; options and seed stay. */
    reset(): void;
    /**
     * A sampler with an identical future; with a `stream`, an independent one: row 0 is on that stream, other rows as far
     * from it as they were. Choose one that no row of this sampler is on.
     */
    clone(with_?: {
        stream?: number | undefined;
    }): WasmSampler;
    /**
     * A Float32Array inside wasm memory to write logits into; handing that very view to a call copies nothing.
     *
     * Call it every step, after any other call: the same view is returned while it is valid, a new one after memory has
     * grown or with another size. A view that is no longer valid is an error (`stale_buffer`), never a wrong answer.
     * @param vocabSize how many logits: a row's, or rows x vocab for a batch
     */
    logitsBuffer(vocabSize: number): Float32Array;
    /** Gives the memory back; a second call does nothing, any other use afterwards is the error `freed`. */
    free(): void;
}

// disposal.d.ts
/** What `using` asks of an object: `[Symbol.dispose]()`, or nothing where a program's types have no such symbol. */
export type Disposal = SymbolConstructor extends {
    readonly dispose: infer Dispose extends symbol;
} ? {
    readonly [Key in Dispose]: () => void;
} : object;
/** Makes `using` free what a class made. */
export declare function disposeByFreeing(prototype: {
    free(): void;
}): void;

// source.d.ts
/** Where `init` takes a module from: bytes, a module, a URL, a request, a response, or a promise of any of them. */
export type WasmSource = WasmPlace | Promise<WasmPlace>;
/**
 * What a module can be had from.
 *
 * Written without the names of any one platform, so that it means the same with and without the DOM's types.
 */
export type WasmPlace = ArrayBuffer | ArrayBufferView | CompiledModule | string | UrlLike | RequestLike | ResponseLike;
/** Which of the package's own two builds `init` takes. */
export interface BuildChoice {
    /** Whether the build with SIMD, which not every engine can run; undefined is the same as leaving it to `init`. */
    readonly simd: boolean | undefined;
}
/** A `WebAssembly.Module`: nothing of it can be seen but its name. */
export interface CompiledModule {
    readonly [Symbol.toStringTag]?: "WebAssembly.Module";
}
/** A `URL`. */
export interface UrlLike {
    readonly href: string;
    readonly searchParams: object;
}
/** A `Request`. */
export interface RequestLike {
    readonly url: string;
    readonly method: string;
}
/** A `Response`. */
export interface ResponseLike {
    readonly ok: boolean;
    readonly status: number;
    readonly url: string;
    arrayBuffer(): Promise<ArrayBuffer>;
}

// simd.d.ts
/**
 * Whether the running module is the build with SIMD. Both builds draw the same tokens: this tells only how fast.
 * @throws `not_initialized` before `await init()`.
 */
export declare function simd(): boolean;

// statistics.d.ts
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
export declare function goodnessOfFit(counts: Uint32Array, probs: Float64Array): GoodnessOfFit;
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
export declare function countIntervals(probs: Float64Array, n: number): CountIntervals;

// types.d.ts
/** What calls take and return. */
export type * from "./options.js";
/** A stage's name as orders and reports write it. */
export type StageName = "guidance" | "logit_bias" | "allowed_tokens" | "bad_words" | "min_new_tokens" | "repetition_penalty" | "frequency_penalty" | "presence_penalty" | "no_repeat_ngram" | "dry" | "temperature" | "dynamic_temperature" | "smoothing" | "top_h" | "top_k" | "top_p" | "min_p" | "typical_p" | "top_n_sigma" | "top_a" | "tail_free" | "p_less" | "epsilon_cutoff" | "eta_cutoff" | "xtc" | "mirostat" | "adaptive_p" | "greedy" | "draw";
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
    /** What a guard did, where it tripped: the stages are then those of the chain that it chose. */
    trip: Trip | null;
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
    logprob: {
        raw: number;
        final: number;
    };
    /** Where the draw fell, as a share of the kept mass laid out in ascending id; null when no word was read. */
    target: number | null;
    /** What a guard did, where it tripped. */
    trip: Trip | null;
}
/** What a guard did for one draw. */
export interface Trip {
    /** The position of the draw. */
    position: number;
    policy: "error" | "relax" | "greedy";
    /** The share of the mass that guarded stages removed, in [0, 1]. */
    maskedMass: number;
    /** How often thresholds were moved; 0 but for `relax`. */
    steps: number;
    /** The guarded stage that removed the largest share. */
    stage: string;
}
/** The circuit breaker of a row's guard. */
export interface Breaker {
    /** Trips of successful draws since the last reset. */
    trips: number;
    /** Whether guarded stages are left out at the row's position. */
    isOpen: boolean;
    /** The first position at which it is closed again; 0 when it never was open. */
    openUntil: number;
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

// options.d.ts
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
    /** Whether tokens less probable than two equal draws go. */
    pLess?: boolean | undefined;
    /** Tokens of at least this probability stay. In [0, 1]; 0 is off (the default). */
    epsilonCutoff?: number | undefined;
    /** Tokens of at least min(eta, sqrt(eta) e^-entropy) stay. In [0, 1]; 0 is off (the default). */
    etaCutoff?: number | undefined;
    /** Now and then removes the best tokens but the last of those above a threshold. */
    xtc?: Xtc | undefined;
    /** Positive logits of tokens in the history are divided by it, negative ones multiplied. Above 0; 1 is off. */
    repetitionPenalty?: number | undefined;
    /** Subtracted for each time that a token was output. Finite; 0 is off. */
    frequencyPenalty?: number | undefined;
    /** Subtracted once from the logit of a token that was output. Finite; 0 is off. */
    presencePenalty?: number | undefined;
    /** The penalties see the last n tokens of prompt and output; not given: all; 0: none. */
    penaltyLastN?: number | undefined;
    /** A sequence of n tokens never comes twice. 0 is off (the default). */
    noRepeatNgramSize?: number | undefined;
    /** Lowers the logits of tokens that would go on repeating what was said, the more the longer the repetition. */
    dry?: Dry | undefined;
    /** Added to logits by token id; -Infinity bans. */
    logitBias?: LogitBias | undefined;
    /** Only these tokens may be drawn; at least one. */
    allowedTokens?: Ids | undefined;
    /** Sequences of tokens that never appear. */
    badWords?: ArrayLike<Ids> | Iterable<Ids> | undefined;
    /** The end of the text is banned until so many tokens were output; needs `eosTokenIds`. 0 is off (the default). */
    minNewTokens?: number | undefined;
    /** The tokens that end a text. */
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
    /** The stages to run, in this order; every active one must be listed. */
    order?: ArrayLike<StageName> | Iterable<StageName> | undefined;
    /** The engine whose order, defaults and dialect are the base. */
    preset?: "nucleus" | "textbook" | undefined;
    /** 0 to 2^64 - 1: a number up to 2^53 - 1, a bigint, or a string of digits. Not given: fresh from the platform. */
    seed?: number | bigint | string | undefined;
    /** The row's stream, below 2^32. Not given: 0 for a row with a seed of its own, else the row's id; given to the sampler, what those are counted from. */
    stream?: number | undefined;
}
/** Biases by token id: an object, a Map, or pairs. */
export type LogitBias = Readonly<Record<number, number>> | ReadonlyMap<number, number> | ArrayLike<readonly [number, number]> | Iterable<readonly [number, number]>;
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
    /** Tokens that are never removed. */
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
    /** Sequences that no repetition goes across. */
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
    dynamicTemperature: {
        range: number;
        exponent: number;
    };
    smoothing: {
        factor: number;
        curve: number;
    };
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
    xtc: {
        probability: number;
        threshold: number;
        protectedTokens?: number[];
    };
    repetitionPenalty: number;
    frequencyPenalty: number;
    presencePenalty: number;
    penaltyLastN?: number;
    noRepeatNgramSize: number;
    dry: {
        multiplier: number;
        base: number;
        allowedLength: number;
        lastN?: number;
        breakers?: number[][];
    };
    logitBias?: [number, number][];
    allowedTokens?: number[];
    badWords?: number[][];
    minNewTokens: number;
    eosTokenIds?: number[];
    guidance: {
        scale: number;
    };
    mirostat: {
        version: number;
        tau: number;
        eta: number;
    };
    adaptiveP: {
        target: number;
        decay: number;
    };
    guard: {
        policy: string;
        maxMaskedMass: number;
        maxSteps: number;
        breaker: {
            trips: number;
            positions: number;
        };
    };
    minKeep: number;
    order?: StageName[];
    preset: string;
    seed: number | string;
    stream: number;
}

// errors.d.ts
/** Every code that an error of this package can have. */
export type ErrorCode = "unknown_option" | "wrong_type" | "out_of_range" | "not_finite" | "empty" | "wrong_length" | "bad_token" | "nothing_left" | "bad_order" | "preset_rejects" | "stale_buffer" | "freed" | "not_initialized" | "state_version" | "state_invalid" | "row_unknown" | "too_large" | "internal";
/** What an error says beside its message. */
export interface ErrorDetails {
    /** The offending option or argument, with dots for nesting. */
    option?: string;
    /** The offending place: an index into the logits, or the token id. */
    index?: number;
    /** The row at fault. */
    row?: number;
    /** The stage at fault, in snake_case. */
    stage?: string;
    /** What is accepted instead. */
    accepted?: string;
}
/**
 * Thrown by everything in this package; a failed call has changed nothing.
 *
 * `internal` is for what must not happen: a call broke off inside the wasm module, for a defect, or because the stack or the
 * memory of the program was used up. `cause` is what broke it. The module has been replaced then by a new instance of
 * itself, in which every sampler goes on from its state before the call: nothing has to be done, but for views of a
 * `logitsBuffer`, which are asked for again as after memory's growth, and for models, which are to be loaded again. What a
 * state does not hold is gone: `rowErrors()` and `lastTrip`.
 */
export declare class NucleusError extends Error implements ErrorDetails {
    readonly name = "NucleusError";
    /** Stable; messages may be reworded, codes are not. */
    readonly code: ErrorCode;
    readonly option?: string;
    readonly index?: number;
    readonly row?: number;
    readonly stage?: string;
    readonly accepted?: string;
    constructor(code: ErrorCode, message: string, details?: ErrorDetails, cause?: unknown);
}
/** The error for a value of the wrong type. */
export declare function wrongType(option: string, accepted: string, value: unknown): NucleusError;
/** The error for a value outside what is accepted. */
export declare function outOfRange(option: string, accepted: string, value: unknown): NucleusError;
/** The error for a name that a call's last argument does not have. */
export declare function unknownName(name: string, known: readonly string[]): NucleusError;
/** The error for a field of a state; an empty path is the state itself. */
export declare function stateInvalid(path: readonly string[], accepted: string, value: unknown): NucleusError;

// node.d.ts
import type { BuildChoice, WasmSource } from "./source.js";
/**
 * Starts the wasm module; needed once before the first sampler, further calls are free.
 *
 * There are two builds of it, with SIMD and without, which draw the same tokens. By default the one that this engine
 * can run is read from beside this file: the other one is not. `simd()` says which it became.
 * @param source `{ simd: false }` or `{ simd: true }` to choose the build; or where another copy of the module comes
 *   from: bytes, a module, a URL (of a file, too) or a response
 */
export default function init(source?: WasmSource | BuildChoice): Promise<void>;
export * from "./index.js";

// inline.d.ts
import type { BuildChoice, WasmSource } from "./source.js";
/**
 * Starts the wasm module; needed once before the first sampler, further calls are free.
 *
 * There are two builds of it, with SIMD and without, which draw the same tokens. Both lie in this entry point as text:
 * nothing is fetched and nothing is read. By default the one is compiled that this engine can run; `simd()` says which.
 * @param source `{ simd: false }` or `{ simd: true }` to choose the build; or where another copy of the module comes
 *   from: bytes, a module, a URL or a response
 */
export default function init(source?: WasmSource | BuildChoice): Promise<void>;
export * from "./index.js";

// workerd.d.ts
import type { BuildChoice, WasmSource } from "./source.js";
/**
 * Starts the wasm module; needed once before the first sampler, further calls are free.
 *
 * There are two builds of it, with SIMD and without, which draw the same tokens. Both are compiled when the program
 * is deployed. `simd()` says which one runs.
 * @param source `{ simd: false }` or `{ simd: true }` to choose the build; or another copy of the module, compiled
 */
export default function init(source?: WasmSource | BuildChoice): Promise<void>;
export * from "./index.js";

// edge-light.d.ts
import type { BuildChoice, WasmSource } from "./source.js";
/**
 * Starts the wasm module; needed once before the first sampler, further calls are free.
 *
 * There are two builds of it, with SIMD and without, which draw the same tokens. Both are compiled when the program
 * is deployed. `simd()` says which one runs.
 * @param source `{ simd: false }` or `{ simd: true }` to choose the build; or another copy of the module, compiled
 */
export default function init(source?: WasmSource | BuildChoice): Promise<void>;
export * from "./index.js";

// worker.d.ts
import { SamplerWorkerBase, type SamplerWorkerOptions } from "./worker/sampler-worker.js";
/**
 * A thread with a sampler module of its own, so that sampling keeps nothing else waiting.
 *
 * ```js
 * const worker = new SamplerWorker();
 * const sampler = await worker.sampler({ temperature: 0.8, topP: 0.95, seed: 42 });
 * const token = await sampler.sample(logits);
 * ```
 */
export declare class SamplerWorker extends SamplerWorkerBase {
    /** @throws `not_initialized` where there are no workers. */
    constructor({ source, worker }?: SamplerWorkerOptions);
}
export * from "./worker/index.js";

// worker-node.d.ts
import { SamplerWorkerBase, type SamplerWorkerOptions } from "./worker/sampler-worker.js";
/**
 * A thread with a sampler module of its own, so that sampling keeps nothing else waiting. It keeps a program running
 * only while something is asked of it.
 *
 * ```js
 * const worker = new SamplerWorker();
 * const sampler = await worker.sampler({ temperature: 0.8, topP: 0.95, seed: 42 });
 * const token = await sampler.sample(logits);
 * ```
 */
export declare class SamplerWorker extends SamplerWorkerBase {
    constructor({ source, worker }?: SamplerWorkerOptions);
}
export * from "./worker/index.js";

// worker/index.d.ts
/** What every entry point of the worker exports beside its own `SamplerWorker`. */
export { type ErrorCode, type ErrorDetails, NucleusError } from "../errors.js";
export type { BuildChoice, WasmPlace } from "../source.js";
export type * from "../types.js";
export type { AskedMethods, WorkerSampler } from "./sampler.js";
export type { SamplerWorkerOptions } from "./sampler-worker.js";
export type { WorkerEventLike, WorkerLike } from "./worker-like.js";

// worker/sampler-worker.d.ts
import type { BuildChoice, RequestLike, ResponseLike, WasmPlace } from "../source.js";
import type { SamplerOptions, SamplerState } from "../types.js";
import { type WorkerSampler } from "./sampler.js";
import type { WorkerLike } from "./worker-like.js";
/** How a thread is started. */
export interface SamplerWorkerOptions {
    /** As `init` takes it: `{ simd }`, or another copy of the module; requests and responses cannot be sent to a thread. */
    source?: Exclude<WasmPlace, RequestLike | ResponseLike> | BuildChoice | undefined;
    /** A worker of your own, whose script imports "nucleus-sampler/worker/thread"; not given: the package's. */
    worker?: WorkerLike | undefined;
}
/**
 * A thread with a sampler module of its own, so that sampling stands in nothing's way.
 *
 * ```js
 * const worker = new SamplerWorker();
 * const sampler = await worker.sampler({ temperature: 0.8, topP: 0.95, seed: 42 });
 * const token = await sampler.sample(logits);
 * ```
 */
export declare class SamplerWorkerBase {
    #private;
    /** Settled when the thread's module runs, rejected with `not_initialized` where it cannot. */
    readonly ready: Promise<void>;
    constructor(worker: WorkerLike, source: SamplerWorkerOptions["source"]);
    /** A sampler in the thread, as `new WasmSampler(options)` makes one. */
    sampler(options?: SamplerOptions): Promise<WorkerSampler>;
    /** The sampler of a state, as `WasmSampler.fromState(state)` makes one. */
    fromState(state: SamplerState): Promise<WorkerSampler>;
    /** Whether the thread runs the build with SIMD. */
    simd(): Promise<boolean>;
    /** Ends the thread and all its samplers: whatever is not answered yet is rejected with `freed`. */
    terminate(): void;
}

// worker/sampler.d.ts
import type { WasmSampler } from "../sampler.js";
import type { Client } from "./client.js";
import { type AskedName } from "./names.js";
/** What a member of a sampler is when it is asked from another thread: a method whose answer is a promise. */
type Asked<Member> = Member extends (...args: infer Args) => infer Answer ? (...args: Args) => Promise<Answer> : () => Promise<Member>;
/** The methods of {@link WasmSampler}, each with a promise of its answer; its properties are methods here. */
export type AskedMethods = {
    [Name in keyof Pick<WasmSampler, AskedName>]: Asked<WasmSampler[Name]>;
};
/** As {@link WasmSampler}, in another thread: calls are answered in their order, each by a promise. */
export interface WorkerSampler extends AskedMethods {
}
/** What makes a sampler in a thread; the promise is rejected where it cannot be made. */
export declare function make(client: Client, from: {
    options: unknown;
} | {
    state: unknown;
} | {
    original: number;
    with_: unknown;
}): Promise<WorkerSampler>;
export declare class WorkerSampler {
    #private;
    /** A sampler with an identical future, in the same thread; with a `stream`, an independent one. */
    clone(with_?: {
        stream?: number | undefined;
    }): Promise<WorkerSampler>;
    /** Gives the memory back once what was asked before is answered; any use afterwards is the error `freed`. */
    free(): Promise<void>;
}
export {};

// worker/names.d.ts
/** What of a sampler can be asked from another thread. */
export declare const askedNames: readonly ["sample", "sampleDetailed", "sampleMany", "sampleBatch", "rowErrors", "distribution", "report", "explain", "logprobs", "accept", "prompt", "options", "rowOptions", "lastTrip", "breaker", "update", "addRow", "removeRow", "state", "reset"];
export type AskedName = (typeof askedNames)[number];

// worker/worker-like.d.ts
/** What is read of a worker's events. */
export interface WorkerEventLike {
    readonly type?: string;
    readonly data?: unknown;
    readonly message?: string;
}
/** What is needed of a `Worker`, written without any platform's types. */
export interface WorkerLike {
    postMessage(message: unknown, transfer: ArrayBuffer[]): void;
    addEventListener(type: string, listener: (event: WorkerEventLike) => void): void;
    terminate(): unknown;
    /** Keeps the program running while something is asked, where programs end by themselves. */
    ref?(): void;
    unref?(): void;
}
