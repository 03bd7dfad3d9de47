/** The wasm instance: started once, and where its memory is found. */
import { type Builds, placeOf } from "./builds.js";
import { NucleusError } from "./errors.js";
import { compiled } from "./module.js";
import type { BuildChoice, WasmSource } from "./source.js";
import initGlue, { type InitOutput } from "./wasm/nucleus_sampler.js";

let exports: InitOutput | undefined;
let starting: Promise<void> | undefined;

/**
 * Starts the module; later calls return the first one's promise, a failed start can be tried again.
 * @param source where the module comes from, or which of the entry point's own `builds` it is.
 */
export function start(source: WasmSource | BuildChoice | undefined, builds: Builds): Promise<void> {
  starting ??= (async () => {
    // Only what is compiled and known to be ours reaches the glue: it keeps the first instance that it makes.
    const module = await compiled(placeOf(source, builds));
    exports = await initGlue({ module_or_path: module });
  })().catch((error: unknown) => {
    starting = undefined;
    if (error instanceof NucleusError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new NucleusError("not_initialized", `the wasm module could not be started: ${why}`, {}, error);
  });
  return starting;
}

/** What the running module exports; `not_initialized` where none runs. */
export function started(): InitOutput {
  if (exports === undefined) {
    throw new NucleusError("not_initialized", "the wasm module is not started: call `await init()` first");
  }
  return exports;
}

/** The memory of the running module. */
export const memory = (): WebAssembly.Memory => started().memory;
