/** What every entry point of the worker exports beside its own `SamplerWorker`. */
export { type ErrorCode, type ErrorDetails, NucleusError } from "../errors.js";
export type { BuildChoice, WasmPlace } from "../source.js";
export type * from "../types.js";
export type { AskedMethods, WorkerSampler } from "./sampler.js";
export type { SamplerWorkerOptions } from "./sampler-worker.js";
export type { WorkerEventLike, WorkerLike } from "./worker-like.js";
