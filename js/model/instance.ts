/** The wasm instance that models live in. */
import type { Builds } from "../builds.js";
import { Instance } from "../instantiation.js";
import type { BuildChoice, WasmSource } from "../source.js";
import initGlue, { __wbg_reset_state, type InitOutput, initSync } from "../wasm/nucleus_model.js";
import ours from "../wasm/nucleus_model_exports.js";

/** The one instance of a program. Weights are in it once: no model comes over into the next one. */
export const instance = new Instance<InitOutput>(
  { start: initGlue, restart: __wbg_reset_state, latest: initSync },
  ours,
  "load the model again",
);

/** Starts the module; later calls return the first one's promise, a failed start can be tried again. */
export const start = (source: WasmSource | BuildChoice | undefined, builds: Builds): Promise<void> =>
  instance.start(source, builds);

/** What the running module exports; `not_initialized` where none runs. */
export const started = (): InitOutput => instance.started();
