/** The entry point for models in Node: the module is read from the file system, nothing is fetched. */
import { besideScript, opened } from "./files-node.js";
import { start } from "./model/instance.js";
import type { BuildChoice, WasmSource } from "./source.js";

const script = import.meta.url;
const simdFile = "./wasm/nucleus_model_bg.wasm";
const scalarFile = "./wasm/nucleus_model_scalar_bg.wasm";

const beside = (place: URL, name: string) =>
  besideScript(place, new URL(name, script), "pass the bytes of its file to init instead");

/**
 * Starts the wasm module of models, which is another one than the sampler's; needed once before the first model.
 *
 * There are two builds of it, with SIMD and without, which give the same logits. By default the one that this engine
 * can run is read from beside this file: the other one is not. `simd()` says which it became.
 * @param source `{ simd: false }` or `{ simd: true }` to choose the build; or where another copy of the module comes
 *   from: bytes, a module, a URL (of a file, too) or a response
 */
export default function init(source?: WasmSource | BuildChoice): Promise<void> {
  return start(source, {
    simd: () => beside(new URL("./wasm/nucleus_model_bg.wasm", import.meta.url), simdFile),
    scalar: () => beside(new URL("./wasm/nucleus_model_scalar_bg.wasm", import.meta.url), scalarFile),
    opened,
  });
}

export * from "./model/index.js";
