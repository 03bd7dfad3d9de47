/** The wasm instance: started once, and where its memory is found. */
import { NucleusError } from "./errors.js";
import initGlue, { type InitInput, type InitOutput } from "./wasm/nucleus_sampler.js";

/** What `init` accepts: bytes, a module, a URL, or a response (or a promise of one). */
export type WasmSource =
  | BufferSource
  | WebAssembly.Module
  | string
  | URL
  | Request
  | Response
  | Promise<Response>;

let exports: InitOutput | undefined;
let starting: Promise<void> | undefined;

/**
 * Starts the module; later calls return the first one's promise, a failed start can be tried again.
 * @param source where the module comes from; `fallback` gives the entry point's own place.
 */
export function start(
  source: WasmSource | undefined,
  fallback: () => InitInput | Promise<InitInput>,
): Promise<void> {
  starting ??= (async () => {
    const module = source ?? (await fallback());
    exports = await initGlue({ module_or_path: module });
  })().catch((error: unknown) => {
    starting = undefined;
    throw new NucleusError(
      "not_initialized",
      `the wasm module could not be started: ${String(error)}`,
      {},
      error,
    );
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
