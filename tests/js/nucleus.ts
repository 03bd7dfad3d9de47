// The started package, and short ways of asking it.
import init, {
  type Ids,
  NucleusError,
  type SamplerOptions,
  type SamplerState,
  WasmSampler,
} from "nucleus-sampler";

await init();

export type { Ids, SamplerOptions, SamplerState };
export { NucleusError, WasmSampler };

/** A sampler with a seed, so that nothing depends on the platform. */
export const seeded = (options: SamplerOptions = {}): WasmSampler =>
  new WasmSampler({ seed: 42, ...options });

/** A value in the place of any type: for calls that TypeScript would stop. */
export const untyped = <T>(value: unknown): T => value as T;

/** The error of a call; a call that returns, or that throws anything but the package's own error, fails the test. */
export function thrown(call: () => unknown): NucleusError {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    if (error instanceof NucleusError) return error;
    throw new Error(`threw ${String(error)}, which is no NucleusError`, { cause: error });
  }
  throw new Error(`returned ${String(result)} and threw nothing`);
}

/** Logits whose softmax these probabilities are: ln p. */
export const ln = (...probabilities: number[]): Float32Array => Float32Array.from(probabilities, Math.log);

/** `n` logits without order or ties, the same every time: shape (n), in [-8, 8). */
export function scattered(n: number, start = 1): Float32Array {
  let word = start;
  return Float32Array.from({ length: n }, () => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return (word / 2 ** 32) * 16 - 8;
  });
}

/** The kept tokens, highest rank first. */
export const kept = (options: SamplerOptions, logits: Float32Array): number[] => [
  ...seeded(options).distribution(logits).tokenIds,
];

/** A mask over `nVocab` tokens that allows these ids. */
export function maskOf(nVocab: number, ids: number[]): Uint32Array {
  const words = new Uint32Array(Math.ceil(nVocab / 32));
  for (const id of ids) {
    const word = Math.floor(id / 32);
    words[word] = ((words[word] ?? 0) | (1 << (id % 32))) >>> 0;
  }
  return words;
}

/** What JSON makes of a value and back. */
export const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
