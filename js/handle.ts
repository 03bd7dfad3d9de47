import { NucleusError } from "./errors.js";
import type { Instance } from "./instantiation.js";
import type { Passenger, Seat } from "./passengers.js";

/** How an object gets from an instance that broke into the next one. */
export interface Passage<Raw> {
  /** What it is, read from the broken instance: as it was before the call that broke. */
  rescue(raw: Raw): unknown;
  /** The same object in the next instance. */
  revive(state: unknown): Raw;
}

/** The object inside the module that an object of ours stands for, until it is freed. */
export class Handle<Raw extends { free(): void }> implements Passenger {
  readonly #home: Instance;
  readonly #name: string;
  readonly #passage: Passage<Raw> | undefined;
  readonly #seat: Seat;
  #raw: Raw | undefined;
  /** Makes it in the instance that came after its own; there from then on until it is used. */
  #again: (() => Raw) | undefined;

  /** @param passage not given: the object is lost with its instance. */
  constructor(home: Instance, raw: Raw, name: string, passage?: Passage<Raw>) {
    this.#home = home;
    this.#raw = raw;
    this.#name = name;
    this.#passage = passage;
    this.#seat = home.passengers.board(this);
  }

  /** The object; the error `freed` once there is none. */
  live(): Raw {
    const raw = this.#raw;
    return raw === undefined || this.#home.broken ? this.#revived() : raw;
  }

  /** What the object answers; what it throws becomes a {@link NucleusError}. */
  ask<T>(question: (raw: Raw) => T): T {
    const raw = this.live();
    try {
      return question(raw);
    } catch (error) {
      throw this.failed(error);
    }
  }

  /** The error of a call on the object. */
  failed(error: unknown): NucleusError {
    return this.#home.failed(error, this.#name);
  }

  /** Gives the memory back; a second call does nothing. */
  free(): void {
    const raw = this.#raw;
    this.forget();
    this.#home.release(raw);
  }

  /** Lets go of an object that has given its memory back itself. */
  forget(): void {
    this.#raw = undefined;
    this.#again = undefined;
    this.#home.passengers.alight(this.#seat);
  }

  leave(): void {
    const raw = this.#raw;
    if (raw === undefined) return;
    this.#again = this.#wayOver(raw);
    this.#raw = undefined;
  }

  #revived(): Raw {
    if (this.#raw === undefined && this.#again === undefined)
      throw new NucleusError("freed", `this ${this.#name} was freed`);
    this.#home.started();
    this.#raw ??= this.#again?.();
    this.#again = undefined;
    return this.live();
  }

  #wayOver(raw: Raw): () => Raw {
    const passage = this.#passage;
    if (passage === undefined) return () => this.#lost("load the model again");
    try {
      const state = passage.rescue(raw);
      return () => this.#home.call(() => passage.revive(state), this.#name);
    } catch (cause) {
      if (isForWantOfStack(cause)) throw cause;
      return () => this.#lost("make a new one", cause);
    }
  }

  #lost(instead: string, cause?: unknown): never {
    const message = `this ${this.#name} was lost when its module broke: ${instead}`;
    throw new NucleusError("internal", message, {}, cause);
  }
}

/** Engines have two names for it. */
const isForWantOfStack = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.name === "InternalError");
