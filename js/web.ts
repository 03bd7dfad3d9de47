/** The entry point for browsers and bundlers: the module lies beside this file. */
import { start } from "./instance.js";
import type { WasmSource } from "./source.js";

/**
 * Starts the wasm module; needed once before the first sampler, further calls are free.
 * @param source bytes, a module, a URL or a response; by default the `.wasm` file beside this one is fetched
 */
export default function init(source?: WasmSource): Promise<void> {
  return start(source, () => new URL("./wasm/nucleus_sampler_bg.wasm", import.meta.url));
}

export * from "./index.js";
