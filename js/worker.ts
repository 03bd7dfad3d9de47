/** The entry point for sampling in a module worker, in browsers and bundlers: the worker's script lies beside this file. */
import { NucleusError } from "./errors.js";
import { folderBefore } from "./prebundled.js";
import { SamplerWorkerBase, type SamplerWorkerOptions } from "./worker/sampler-worker.js";
import type { WorkerLike } from "./worker/worker-like.js";

function spawn(): WorkerLike {
  if (typeof Worker === "undefined") {
    const instead = 'sample where you are, with "nucleus-sampler" itself';
    throw new NucleusError("not_initialized", `this engine has no workers: ${instead}`);
  }
  const folder = folderBefore(import.meta.url);
  if (folder !== undefined) return new Worker(`${folder}worker-thread.js`, { type: "module" });
  // Bundlers look for these very words.
  return new Worker(new URL("./worker-thread.js", import.meta.url), { type: "module" });
}

/**
 * A thread with a sampler module of its own, so that sampling keeps nothing else waiting.
 *
 * ```js
 * const worker = new SamplerWorker();
 * const sampler = await worker.sampler({ temperature: 0.8, topP: 0.95, seed: 42 });
 * const token = await sampler.sample(logits);
 * ```
 */
export class SamplerWorker extends SamplerWorkerBase {
  /** @throws `not_initialized` where there are no workers. */
  constructor({ source, worker }: SamplerWorkerOptions = {}) {
    super(worker ?? spawn(), source);
  }
}

export * from "./worker/index.js";
