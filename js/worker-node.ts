/** The entry point for sampling in a thread of Node's. */
import { Worker } from "node:worker_threads";
import { SamplerWorkerBase, type SamplerWorkerOptions } from "./worker/sampler-worker.js";
import type { WorkerEventLike, WorkerLike } from "./worker/worker-like.js";

/** A thread as browsers show theirs. */
function spawn(): WorkerLike {
  const thread = new Worker(new URL("./worker-thread-node.js", import.meta.url));
  const listeners: Record<string, (listener: (event: WorkerEventLike) => void) => unknown> = {
    message: (listener) => thread.on("message", (data: unknown) => listener({ data })),
    error: (listener) => thread.on("error", (error) => listener({ message: String(error) })),
    messageerror: (listener) => thread.on("messageerror", () => listener({})),
  };
  return {
    postMessage: (message, transfer) => thread.postMessage(message, transfer),
    addEventListener: (type, listener) => void listeners[type]?.(listener),
    terminate: () => thread.terminate(),
    ref: () => thread.ref(),
    unref: () => thread.unref(),
  };
}

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
export class SamplerWorker extends SamplerWorkerBase {
  constructor({ source, worker }: SamplerWorkerOptions = {}) {
    super(worker ?? spawn(), source);
  }
}

export * from "./worker/index.js";
