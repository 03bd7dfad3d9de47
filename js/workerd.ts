/** The entry point for engines that compile no bytes at run time: both builds are imported as compiled modules. */
import { start } from "./instance.js";
import type { BuildChoice, WasmSource } from "./source.js";
import simdModule from "./wasm/nucleus_sampler_bg.wasm";
import scalarModule from "./wasm/nucleus_sampler_scalar_bg.wasm";

/**
 * Starts the wasm module; needed once before the first sampler, further calls are free.
 *
 * There are two builds of it, with SIMD and without, which draw the same tokens. Both are compiled when the program
 * is deployed. `simd()` says which one runs.
 * @param source `{ simd: false }` or `{ simd: true }` to choose the build; or another copy of the module, compiled
 */
export default function init(source?: WasmSource | BuildChoice): Promise<void> {
  return start(source, { simd: () => simdModule, scalar: () => scalarModule });
}

export * from "./index.js";
