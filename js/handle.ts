import { call, NucleusError } from "./errors.js";
import type { RawSampler } from "./wasm/nucleus_sampler.js";

/** The object inside the module that an object of ours stands for, until it is freed: a sampler, or what `name` says. */
export class Handle<Raw extends { free(): void } = RawSampler> {
  #raw: Raw | undefined;
  readonly #name: string;

  constructor(raw: Raw, name = "sampler") {
    this.#raw = raw;
    this.#name = name;
  }

  /** The object; the error `freed` once there is none. */
  live(): Raw {
    if (this.#raw === undefined) throw new NucleusError("freed", `this ${this.#name} was freed`);
    return this.#raw;
  }

  /** What the object answers; what it throws becomes a {@link NucleusError}. */
  ask<T>(question: (raw: Raw) => T): T {
    const raw = this.live();
    return call(() => question(raw), this.#name);
  }

  /** Gives the memory back; a second call does nothing. */
  free(): void {
    const raw = this.#raw;
    this.#raw = undefined;
    try {
      raw?.free();
    } catch {
      // What broke cannot give its memory back; freeing it is harmless all the same.
    }
  }
}
