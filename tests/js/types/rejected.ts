// What must not compile. Each line that follows an expectation is an error of types; without one, that is the error.
import init, {
  type ErrorCode,
  type NucleusError,
  type SamplerOptions,
  type StageName,
  WasmSampler,
} from "nucleus-sampler";

declare const sampler: WasmSampler;
declare const logits: Float32Array;

// @ts-expect-error: null is no source
export const started = init(null);
// @ts-expect-error: a choice of the build is true or false
export const choice = init({ simd: "yes" });
// @ts-expect-error: nothing else is chosen
export const other = init({ simd: true, relaxed: true });

export const options: SamplerOptions[] = [
  // @ts-expect-error: options are camelCase
  { top_p: 0.5 },
  // @ts-expect-error: an unknown name
  { topQ: 0.5 },
  // @ts-expect-error: a number is no string
  { topP: "0.5" },
  // @ts-expect-error: null is an error; leave an option out instead
  { topP: null },
  // @ts-expect-error: only seeds may be bigints
  { topK: 40n },
  // @ts-expect-error: a seed is no list
  { seed: [1] },
  // @ts-expect-error: an order is a list
  { order: "top_p" },
  // @ts-expect-error: stages are snake_case
  { order: ["topP"] },
  // @ts-expect-error: the mask is given with a call
  { order: ["mask"] },
  // @ts-expect-error: an unknown preset
  { preset: "classic" },
  // @ts-expect-error: tokens are numbers
  { allowedTokens: ["1"] },
  // @ts-expect-error: a single token is no list
  { allowedTokens: 1 },
  // @ts-expect-error: a bias is a number
  { logitBias: { 5: "1" } },
  // @ts-expect-error: pairs have two numbers
  { logitBias: [[5]] },
];

// @ts-expect-error: a second row is logits
sampler.sample(logits, { unconditional: "1, 2" });
// @ts-expect-error: a draw's coin is its position's
sampler.sample(logits, { coin: true });
// @ts-expect-error: a coin is true or false
sampler.distribution(logits, { coin: 1 });
// @ts-expect-error: options are an object
export const fromNull = new WasmSampler(null);
// @ts-expect-error: an object has no place before the options
export const twice = new WasmSampler({}, {});

// @ts-expect-error: logits are needed
sampler.sample();
// @ts-expect-error: a string holds no logits
sampler.sample("1, 2");
// @ts-expect-error: strings are no logits
sampler.sample(["1", "2"]);
// @ts-expect-error: bigints are no logits
sampler.sample([1n, 2n]);
// @ts-expect-error: a row is a number
sampler.sample(logits, { row: "0" });
// @ts-expect-error: a mask is a Uint32Array
sampler.sample(logits, { mask: [1] });
// @ts-expect-error: an unknown name
sampler.sample(logits, { maks: new Uint32Array(1) });
// @ts-expect-error: a row is named
sampler.sample(logits, 0);
// @ts-expect-error: n is needed
sampler.sampleMany(logits);
// @ts-expect-error: tokens is true or false
sampler.report(logits, { tokens: 1 });
// @ts-expect-error: only reports take tokens
sampler.distribution(logits, { tokens: true });
// @ts-expect-error: a token is a number
sampler.explain(logits, "5");
// @ts-expect-error: rows are needed
sampler.sampleBatch(logits);
// @ts-expect-error: rows are a number or a list of numbers
sampler.sampleBatch(logits, ["0"]);
// @ts-expect-error: a batch has masks, not a mask
sampler.sampleBatch(logits, 1, { mask: new Uint32Array(1) });
// @ts-expect-error: a token is a number
sampler.accept("5");
// @ts-expect-error: a prompt is a list
sampler.prompt(5);
// @ts-expect-error: a stream is named
sampler.clone(5);
// @ts-expect-error: options are read, and changed with update
sampler.options = {};
// @ts-expect-error: a state has a version
WasmSampler.fromState({});
// @ts-expect-error: there is no such method
sampler.draw(logits);

// @ts-expect-error: counts are a Uint32Array
goodnessOfFit([1, 2], Float64Array.of(0.5, 0.5));

// @ts-expect-error: codes are listed
export const code: ErrorCode = "wrong";
// @ts-expect-error: stage names are listed
export const stage: StageName = "top_q";
declare const error: NucleusError;
// @ts-expect-error: an error is read only
error.code = "empty";
