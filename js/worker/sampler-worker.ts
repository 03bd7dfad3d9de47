/** A thread that samples: it is started at once, and makes samplers that are asked by promises. */
import { plainOptions, plainState } from "../arguments.js";
import type { BuildChoice, RequestLike, ResponseLike, UrlLike, WasmPlace } from "../source.js";
import type { SamplerOptions, SamplerState } from "../types.js";
import { Client } from "./client.js";
import { copied } from "./parcel.js";
import { make, type WorkerSampler } from "./sampler.js";
import type { WorkerLike } from "./worker-like.js";

/** How a thread is started. */
export interface SamplerWorkerOptions {
  /** As `init` takes it: `{ simd }`, or another copy of the module; requests and responses cannot be sent to a thread. */
  source?: Exclude<WasmPlace, RequestLike | ResponseLike> | BuildChoice | undefined;
  /** A worker of your own, whose script imports "nucleus-sampler/worker/thread"; not given: the package's. */
  worker?: WorkerLike | undefined;
}

const isUrl = (source: unknown): source is UrlLike =>
  Object.prototype.toString.call(source) === "[object URL]";

/** An address means here what it would mean to `init`: a thread's script lies elsewhere. */
function sent(source: SamplerWorkerOptions["source"]): unknown {
  if (isUrl(source)) return source.href;
  if (typeof source !== "string" || typeof location === "undefined") return source;
  return new URL(source, typeof document === "undefined" ? location.href : document.baseURI).href;
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
export class SamplerWorkerBase {
  /** Settled when the thread's module runs, rejected with `not_initialized` where it cannot. */
  readonly ready: Promise<void>;
  readonly #client: Client;

  constructor(worker: WorkerLike, source: SamplerWorkerOptions["source"]) {
    this.#client = new Client(worker);
    const start = { kind: "start", source: sent(source) } as const;
    // The caller's bytes stay the caller's, and a compiled module is shared.
    this.ready = this.#client.ask(copied(start)).then(() => undefined);
    // Whoever asks is told, too: nobody has to look at `ready`.
    this.ready.catch(() => undefined);
  }

  /** A sampler in the thread, as `new WasmSampler(options)` makes one. */
  async sampler(options?: SamplerOptions): Promise<WorkerSampler> {
    return make(this.#client, { options: plainOptions(options) });
  }

  /** The sampler of a state, as `WasmSampler.fromState(state)` makes one. */
  async fromState(state: SamplerState): Promise<WorkerSampler> {
    return make(this.#client, { state: plainState(state) });
  }

  /** Whether the thread runs the build with SIMD. */
  async simd(): Promise<boolean> {
    return (await this.#client.ask(copied({ kind: "simd" }))) as boolean;
  }

  /** Ends the thread and all its samplers: whatever is not answered yet is rejected with `freed`. */
  terminate(): void {
    this.#client.end("freed", "the sampler's worker was ended");
  }
}
