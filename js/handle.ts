import { call, NucleusError } from "./errors.js";
import type { RawSampler } from "./wasm/nucleus_sampler.js";

/** The sampler inside the module that an object of ours stands for, until it is freed. */
export class Handle {
  #raw: RawSampler | undefined;

  constructor(raw: RawSampler) {
    this.#raw = raw;
  }

  /** The sampler; the error `freed` once there is none. */
  live(): RawSampler {
    if (this.#raw === undefined) throw new NucleusError("freed", "this sampler was freed");
    return this.#raw;
  }

  /** What the sampler answers; what it throws becomes a {@link NucleusError}. */
  ask<T>(question: (raw: RawSampler) => T): T {
    const raw = this.live();
    return call(() => question(raw));
  }

  /** Gives the memory back; a second call does nothing. */
  free(): void {
    const raw = this.#raw;
    this.#raw = undefined;
    try {
      raw?.free();
    } catch {
      // A sampler that broke cannot give its memory back; freeing it is harmless all the same.
    }
  }
}
