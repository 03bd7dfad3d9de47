// What a guard did while draws were made: how many tripped it, and for how many its breaker was open.

import type { Call, Sampler } from "./engine";
import type { GuardedDraws } from "./protocol";

export class GuardWatch {
  readonly #sampler: Sampler;
  /** For how many positions the breaker stays open once it has opened. */
  readonly #positions: number;
  readonly #tripsBefore: number;
  /** The sampler's position. */
  #at: number;
  #open = 0;

  constructor(sampler: Sampler, positions: number, at: number) {
    this.#sampler = sampler;
    this.#positions = positions;
    this.#at = at;
    this.#tripsBefore = sampler.breaker().trips;
  }

  get found(): GuardedDraws {
    const trips = this.#sampler.breaker().trips - this.#tripsBefore;
    return { trips, open: this.#open, last: this.#sampler.lastTrip() };
  }

  /** The next n draws, made in parts in which the breaker opens or closes once at most. */
  *draws(logits: Float32Array, n: number, call: Call): Generator<Uint32Array> {
    for (let left = n; left > 0; ) {
      const { isOpen, openUntil } = this.#sampler.breaker();
      const part = Math.min(left, isOpen ? openUntil - this.#at : this.#positions + 1);
      yield this.#sampler.sampleMany(logits, part, call);
      left -= part;
      this.#at += part;
      this.#open += isOpen ? part : this.#openSince(openUntil);
    }
  }

  /** Before a draw that somebody else makes. */
  beforeOne(): void {
    this.#at += 1;
    if (this.#sampler.breaker().isOpen) this.#open += 1;
  }

  /** How many of the latest draws came after the breaker had opened among them. */
  #openSince(openUntilBefore: number): number {
    const { openUntil } = this.#sampler.breaker();
    return openUntil === openUntilBefore ? 0 : this.#at - (openUntil - this.#positions);
  }
}
