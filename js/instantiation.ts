/** A wasm instance: started once, from whatever names its module. */
import { type Builds, placeOf } from "./builds.js";
import { NucleusError } from "./errors.js";
import { compiled, type Exports } from "./module.js";
import type { BuildChoice, WasmSource } from "./source.js";

/** What wasm-bindgen's glue makes an instance with. */
type Glue<Output> = (given: { module_or_path: WebAssembly.Module }) => Promise<Output>;

/** The one instance of a module that a program has. */
export class Instance<Output> {
  readonly #glue: Glue<Output>;
  readonly #ours: Exports;
  #exports: Output | undefined;
  #starting: Promise<void> | undefined;

  constructor(glue: Glue<Output>, ours: Exports) {
    this.#glue = glue;
    this.#ours = ours;
  }

  /**
   * Starts the module; later calls return the first one's promise, a failed start can be tried again.
   * @param source where the module comes from, or which of the entry point's own `builds` it is.
   */
  start(source: WasmSource | BuildChoice | undefined, builds: Builds): Promise<void> {
    this.#starting ??= (async () => {
      // Only what is compiled and known to be ours reaches the glue: it keeps the first instance that it makes.
      const module = await compiled(placeOf(source, builds), this.#ours);
      this.#exports = await this.#glue({ module_or_path: module });
    })().catch((error: unknown) => {
      this.#starting = undefined;
      if (error instanceof NucleusError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new NucleusError("not_initialized", `the wasm module could not be started: ${why}`, {}, error);
    });
    return this.#starting;
  }

  /** What the running module exports; `not_initialized` where none runs. */
  started(): Output {
    if (this.#exports === undefined) {
      throw new NucleusError("not_initialized", "the wasm module is not started: call `await init()` first");
    }
    return this.#exports;
  }
}
