// The package whose modules break when some input asks them to, started; and the package itself, to compare with.
import { fileURLToPath } from "node:url";
import initWhole, * as whole from "nucleus-sampler";
import type * as threads from "nucleus-sampler/worker";
import type * as models from "../../dist/model-node.js";

/** Where `scripts/build-trap.mjs` puts it. */
export const folder = fileURLToPath(new URL("../../tmp/trap/", import.meta.url));

/** One of its entry points, which has the types of the package's own. */
const entry = async <Module>(name: string) => (await import(`${folder}${name}.js`)) as Module;

const broken = await entry<typeof import("nucleus-sampler")>("node");
await Promise.all([initWhole(), broken.default()]);

export const { NucleusError, WasmSampler } = broken;
export type WasmSampler = whole.WasmSampler;

/** Samplers of the package itself, which never break. */
export const Whole = whole.WasmSampler;

export const modelEntry = () => entry<typeof models>("model-node");
export const workerEntry = () => entry<typeof threads>("worker-node");

/** The logits 0 that break the module, by how. */
export const fuses = { panic: 1.0e38, calls: 1.1e38, frames: 1.2e38, memory: 1.3e38 };
export type Fuse = keyof typeof fuses;

/** These logits, which are to break the module. */
export function lit(logits: Float32Array, fuse: Fuse = "panic"): Float32Array {
  const copy = logits.slice();
  copy[0] = fuses[fuse];
  return copy;
}

/** Logits without order or ties, the same every time: shape (n), in [-8, 8). */
export function scattered(n: number, start = 1): Float32Array {
  let word = start;
  return Float32Array.from({ length: n }, () => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return (word / 2 ** 32) * 16 - 8;
  });
}

/** What a call throws. */
export function thrown(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("the call was to fail");
}
