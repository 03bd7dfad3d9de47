// Every entry of the package in a strict program: what it exports and what it takes.
import init, { NucleusError, type SamplerOptions, simd, WasmSampler, type WasmSource } from "nucleus-sampler";
import startInline, * as inline from "nucleus-sampler/inline";
import startModels, { Model } from "nucleus-sampler/model";
import startNode from "nucleus-sampler/node";
import simdModule from "nucleus-sampler/nucleus_sampler_bg.wasm";
import scalarModule from "nucleus-sampler/nucleus_sampler_scalar_bg.wasm";
import tinyAddress from "nucleus-sampler/tiny.gguf";
import startWeb from "nucleus-sampler/web";
import { SamplerWorker, type WorkerSampler } from "nucleus-sampler/worker";
import "nucleus-sampler/worker/thread";

const options: SamplerOptions = { temperature: 0.8, topP: 0.95, seed: 42 };
const starts: ((source?: WasmSource | { simd: boolean }) => Promise<void>)[] = [
  init,
  startInline,
  startNode,
  startWeb,
];
const sources: WasmSource[] = [
  new Uint8Array(8),
  new ArrayBuffer(8),
  "https://example.org/module.wasm",
  new URL("https://example.org/module.wasm"),
  new Response(),
  Promise.resolve(new Response()),
  Promise.resolve(new Uint8Array(8)),
  simdModule,
  scalarModule,
  new WebAssembly.Module(new Uint8Array(8)),
];

export async function sampled(logits: Float32Array): Promise<number> {
  await Promise.all(starts.map((start) => start(sources[0])));
  await init({ simd: false });
  const sampler: WasmSampler = new WasmSampler(options);
  const other: number = new inline.WasmSampler().sample(logits);
  return simd() ? sampler.sample(logits) : other;
}

export async function sampledElsewhere(logits: Float32Array): Promise<number> {
  const worker = new SamplerWorker({ source: { simd: true } });
  const sampler: WorkerSampler = await worker.sampler(options);
  const copy: WorkerSampler = await sampler.clone({ stream: 3 });
  const { seed } = await copy.options();
  const { probs }: { probs: Float64Array } = await sampler.distribution(logits, { row: 0 });
  await sampler.accept(3, 0);
  // @ts-expect-error: an option of another name
  await sampler.update({ topp: 0.9 });
  // @ts-expect-error: an answer is a promise of a token
  const token: number = sampler.sample(logits);
  return [seed, probs.length, token].length;
}

export const codeOf = (error: unknown): string => (error instanceof NucleusError ? error.code : "none");

export async function tinyLogits(): Promise<Float32Array> {
  await startModels();
  const model: Model = await Model.stream(fetch(tinyAddress));
  return model.session().prefill(model.tokenizer.encode("Once"));
}
