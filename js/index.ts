/** What every entry point of the package exports beside its own `init`. */
export { type ErrorCode, type ErrorDetails, NucleusError } from "./errors.js";
export { WasmSampler } from "./sampler.js";
export { simd } from "./simd.js";
export type { BuildChoice, WasmPlace, WasmSource } from "./source.js";
export { type CountIntervals, countIntervals, type GoodnessOfFit, goodnessOfFit } from "./statistics.js";
export type * from "./types.js";
