/** The entry point for Node: the module is read from the file system, nothing is fetched. */
import { readFile } from "node:fs/promises";
import { start } from "./instance.js";
import type { WasmSource } from "./source.js";

/**
 * Starts the wasm module; needed once before the first sampler, further calls are free.
 * @param source bytes, a module or a response; by default the `.wasm` file beside this one is read
 */
export default function init(source?: WasmSource): Promise<void> {
  return start(source, () => readFile(new URL("./wasm/nucleus_sampler_bg.wasm", import.meta.url)));
}

export * from "./index.js";
