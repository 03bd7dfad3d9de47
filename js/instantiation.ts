/** A wasm instance: started once, from whatever names its module, and replaced when it breaks. */
import { type Builds, placeOf } from "./builds.js";
import { NucleusError } from "./errors.js";
import { compiled, type Exports } from "./module.js";
import { Passengers } from "./passengers.js";
import type { BuildChoice, WasmSource } from "./source.js";
import { isThrown, ofThrown } from "./thrown.js";

/** What every module exports. */
interface Basics {
  readonly memory: WebAssembly.Memory;
}

/** Where a module's own stack ends: calls that break off leave it where they were. The glue's types do not know it. */
const stackOf = (exports: object) => (exports as { __stack_pointer: WebAssembly.Global }).__stack_pointer;

/** wasm-bindgen's glue. */
interface Glue<Output> {
  /** Makes the first instance. */
  readonly start: (given: { module_or_path: WebAssembly.Module }) => Promise<Output>;
  /** Makes another one of the same module, and forgets the one before it. */
  readonly restart: () => void;
  /** What the latest one exports. */
  readonly latest: (given: { module: WebAssembly.Module }) => Output;
}

/** The one instance of a module that a program has. */
export class Instance<Output extends Basics = Basics> {
  readonly #glue: Glue<Output>;
  readonly #ours: Exports;
  /** What becomes of the objects in an instance that broke, in words. */
  readonly #after: string;
  readonly passengers = new Passengers();
  #exports: Output | undefined;
  #module: WebAssembly.Module | undefined;
  #stackTop: unknown;
  #starting: Promise<void> | undefined;
  /** Whether a call broke off in it, and nobody may call into it before it is replaced. */
  broken = false;

  constructor(glue: Glue<Output>, ours: Exports, after: string) {
    this.#glue = glue;
    this.#ours = ours;
    this.#after = after;
  }

  /**
   * Starts the module; later calls return the first one's promise, a failed start can be tried again.
   * @param source where the module comes from, or which of the entry point's own `builds` it is.
   */
  start(source: WasmSource | BuildChoice | undefined, builds: Builds): Promise<void> {
    this.#starting ??= (async () => {
      // Only what is compiled and known to be ours reaches the glue: it keeps the first instance that it makes.
      const module = await compiled(placeOf(source, builds), this.#ours);
      this.#begin(module, await this.#glue.start({ module_or_path: module }));
    })().catch((error: unknown) => {
      this.#starting = undefined;
      if (error instanceof NucleusError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new NucleusError("not_initialized", `the wasm module could not be started: ${why}`, {}, error);
    });
    return this.#starting;
  }

  #begin(module: WebAssembly.Module, exports: Output): void {
    this.#module = module;
    this.#stackTop = stackOf(exports).value;
    this.#exports = exports;
  }

  /** What the running module exports; `not_initialized` where none runs. One that broke is replaced first. */
  started(): Output {
    if (this.broken) this.#replace();
    if (this.#exports === undefined) {
      throw new NucleusError("not_initialized", "the wasm module is not started: call `await init()` first");
    }
    return this.#exports;
  }

  /** Calls into the module; what it throws becomes a {@link NucleusError} with the caller's stack. */
  call<T>(f: () => T, what: string): T {
    try {
      return f();
    } catch (error) {
      throw this.failed(error, what);
    }
  }

  /**
   * The error of a call. What is not the module's own broke the call off, wherever it was: an impossible place, or a
   * stack or a memory without room. The instance is replaced then, and everyone in it carries over what it can.
   */
  failed(error: unknown, what: string): NucleusError {
    const before = this.broken;
    // First of all, for there may be no stack left for more than this.
    this.broken = true;
    if (error instanceof NucleusError || isThrown(error)) {
      this.broken = before;
      return error instanceof NucleusError ? error : ofThrown(error);
    }
    try {
      this.#replace();
    } catch {
      // The next call tries again, perhaps with more of the stack.
    }
    const message = `the ${what} broke (${String(error)}) and its module was replaced: ${this.#after}`;
    return new NucleusError("internal", message, {}, error);
  }

  /** Gives an object's memory back. What broke cannot; freeing it is harmless all the same. */
  release(object: { free(): void } | undefined): void {
    if (object === undefined || this.broken) return;
    try {
      object.free();
    } catch {
      this.broken = true;
    }
  }

  /** Every step of it can be done again, where one finds no stack or no memory to be done with. */
  #replace(): void {
    const [broken, module] = [this.#exports, this.#module];
    if (broken === undefined || module === undefined) return;
    try {
      for (const passenger of this.passengers) {
        stackOf(broken).value = this.#stackTop;
        passenger.leave(broken.memory);
      }
      // Growth, be it by nothing, ends every view: none outlives what it was a view of.
      broken.memory.grow(0);
      this.#glue.restart();
    } catch (cause) {
      const message = `the module broke, and could not be replaced yet (${String(cause)}): call again`;
      throw new NucleusError("internal", message, {}, cause);
    }
    this.#begin(module, this.#glue.latest({ module }));
    this.broken = false;
  }
}
