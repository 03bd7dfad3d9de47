/** What every entry point for models exports beside its own `init`. */
export { type ErrorCode, type ErrorDetails, NucleusError } from "../errors.js";
export type { BuildChoice, WasmSource } from "../source.js";
export { Model } from "./model.js";
export { Session } from "./session.js";
export { simd } from "./simd.js";
export { Tokenizer } from "./tokenizer.js";
export type * from "./types.js";
