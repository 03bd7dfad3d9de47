/** The wasm instance: started once, and where its memory is found. */
import { NucleusError } from "./errors.js";
import { compiled } from "./module.js";
import type { WasmSource } from "./source.js";
import initGlue, { type InitOutput } from "./wasm/nucleus_sampler.js";

let exports: InitOutput | undefined;
let starting: Promise<void> | undefined;

/**
 * Starts the module; later calls return the first one's promise, a failed start can be tried again.
 * @param source where the module comes from; `fallback` gives the entry point's own place.
 */
export function start(
  source: WasmSource | undefined,
  fallback: () => WasmSource | Promise<ArrayBufferView>,
): Promise<void> {
  starting ??= (async () => {
    // Only what is compiled and known to be ours reaches the glue: it keeps the first instance that it makes.
    const module = await compiled(source === undefined ? fallback() : source);
    exports = await initGlue({ module_or_path: module });
  })().catch((error: unknown) => {
    starting = undefined;
    if (error instanceof NucleusError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new NucleusError("not_initialized", `the wasm module could not be started: ${why}`, {}, error);
  });
  return starting;
}

/** The memory of the running module. */
export function memory(): WebAssembly.Memory {
  if (exports === undefined) {
    throw new NucleusError("not_initialized", "the wasm module is not started: call `await init()` first");
  }
  return exports.memory;
}
