/** The entry point for models, in browsers and bundlers: the module lies beside this file. */
import { start } from "./model/instance.js";
import { beside } from "./prebundled.js";
import type { BuildChoice, WasmSource } from "./source.js";

/**
 * Starts the wasm module of models, which is another one than the sampler's; needed once before the first model.
 *
 * There are two builds of it, with SIMD and without, which give the same logits. By default the one that this engine
 * can run is fetched from beside this file: the other one is not. `simd()` says which it became.
 * @param source `{ simd: false }` or `{ simd: true }` to choose the build; or where another copy of the module comes
 *   from: bytes, a module, a URL or a response
 */
export default function init(source?: WasmSource | BuildChoice): Promise<void> {
  return start(source, {
    simd: () => beside(new URL("./wasm/nucleus_model_bg.wasm", import.meta.url)),
    scalar: () => beside(new URL("./wasm/nucleus_model_scalar_bg.wasm", import.meta.url)),
  });
}

export * from "./model/index.js";
