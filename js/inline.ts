/** The entry point that needs no file and no request: both builds of the module lie in it as text. */
import { bytesOf } from "./base64.js";
import { start } from "./instance.js";
import type { BuildChoice, WasmSource } from "./source.js";
import simdText from "./wasm/nucleus_sampler_bg.base64.js";
import scalarText from "./wasm/nucleus_sampler_scalar_bg.base64.js";

/**
 * Starts the wasm module; needed once before the first sampler, further calls are free.
 *
 * There are two builds of it, with SIMD and without, which draw the same tokens. Both lie in this entry point as text:
 * nothing is fetched and nothing is read. By default the one is compiled that this engine can run; `simd()` says which.
 * @param source `{ simd: false }` or `{ simd: true }` to choose the build; or where another copy of the module comes
 *   from: bytes, a module, a URL or a response
 */
export default function init(source?: WasmSource | BuildChoice): Promise<void> {
  return start(source, { simd: () => bytesOf(simdText), scalar: () => bytesOf(scalarText) });
}

export * from "./index.js";
