/** The wasm instance that samplers live in, and where its memory is found. */
import type { Builds } from "./builds.js";
import { Instance } from "./instantiation.js";
import type { BuildChoice, WasmSource } from "./source.js";
import initGlue, { type InitOutput } from "./wasm/nucleus_sampler.js";
import ours from "./wasm/nucleus_sampler_exports.js";

const instance = new Instance<InitOutput>(initGlue, ours);

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
