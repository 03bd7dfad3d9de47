/** The wasm instance that samplers live in, and where its memory is found. */
import type { Builds } from "./builds.js";
import { Instance } from "./instantiation.js";
import type { BuildChoice, WasmSource } from "./source.js";
import initGlue, { __wbg_reset_state, type InitOutput, initSync } from "./wasm/nucleus_sampler.js";
import ours from "./wasm/nucleus_sampler_exports.js";

/** The one instance of a program. */
export const instance = new Instance<InitOutput>(
  { start: initGlue, restart: __wbg_reset_state, latest: initSync },
  ours,
  "every sampler goes on from its state before this call",
);

/**
 * Starts the module; later calls return the first one's promise, a failed start can be tried again.
 * @param source where the module comes from, or which of the entry point's own `builds` it is.
 */
export const start = (source: WasmSource | BuildChoice | undefined, builds: Builds): Promise<void> =>
  instance.start(source, builds);

/** What the running module exports; `not_initialized` where none runs. */
export const started = (): InitOutput => instance.started();

/** The memory of the running module. */
export const memory = (): WebAssembly.Memory => started().memory;

/** Calls into the module, on behalf of no sampler that exists already. */
export const call = <T>(f: () => T, what = "sampler"): T => instance.call(f, what);
