// The entries beside the main one, in a program that knows no platform.
import init, { WasmSampler } from "nucleus-sampler/inline";
import module from "nucleus-sampler/nucleus_sampler_bg.wasm";
import { NucleusError, SamplerWorker, type WorkerLike, type WorkerSampler } from "nucleus-sampler/worker";

export async function drawn(logits: Float32Array, thread: WorkerLike): Promise<number> {
  await init();
  await init(module);
  const worker = new SamplerWorker({ worker: thread, source: { simd: false } });
  await worker.ready;
  const sampler: WorkerSampler = await worker.sampler({ topP: 0.9, seed: "42" });
  const token: number = await sampler.sample(logits, { row: 0 });
  await sampler.accept(token);
  await sampler.prompt([1, 2, 3]);
  const copy = await worker.fromState(await sampler.state());
  const draws: Uint32Array = await copy.sampleMany(logits, 8);
  await copy.free();
  worker.terminate();
  return draws.length + new WasmSampler().sample(logits);
}

export const isOurs = (error: unknown): boolean => error instanceof NucleusError;
