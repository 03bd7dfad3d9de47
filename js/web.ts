/** The entry point for browsers and bundlers: the module lies beside this file. */
import { start } from "./instance.js";
import { beside } from "./prebundled.js";
import type { BuildChoice, WasmSource } from "./source.js";

/**
 * Starts the wasm module; needed once before the first sampler, further calls are free.
 *
 * There are two builds of it, with SIMD and without, which draw the same tokens. By default the one that this engine
 * can run is fetched from beside this file: the other one is not. `simd()` says which it became.
 * @param source `{ simd: false }` or `{ simd: true }` to choose the build; or where another copy of the module comes
 *   from: bytes, a module, a URL or a response
 */
export default function init(source?: WasmSource | BuildChoice): Promise<void> {
  return start(source, {
    simd: () => beside(new URL("./wasm/nucleus_sampler_bg.wasm", import.meta.url)),
    scalar: () => beside(new URL("./wasm/nucleus_sampler_scalar_bg.wasm", import.meta.url)),
  });
}

export * from "./index.js";
