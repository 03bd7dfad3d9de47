// The draws of one seed under one chain: a stretch of its stream, made a part at a time and counted.

import type { SampleDetails } from "nucleus-sampler";
import type { ChainOptions } from "../chain/options";
import type { Controllers } from "../state";
import type { Call, Sampler } from "./engine";
import { GuardWatch } from "./guard-watch";
import type { GuardedDraws } from "./protocol";

/** Draws done for one request, so that a picture never waits long behind them. */
const DRAWS_A_REQUEST = 100_000;
/** Under a guard the engine makes them one by one. */
const GUARDED_A_REQUEST = 1000;

export class DrawStream {
  /** Equal keys mean equal draws. */
  readonly key: string;
  readonly counts: Uint32Array;
  readonly #sampler: Sampler;
  readonly #watch: GuardWatch | null;
  #n = 0;
  #last: SampleDetails | null = null;

  constructor(key: string, sampler: Sampler, { guard }: ChainOptions, from: number, vocabSize: number) {
    this.key = key;
    this.#sampler = sampler;
    const positions = guard?.breaker?.positions;
    this.#watch = positions === undefined ? null : new GuardWatch(sampler, positions, from);
    this.counts = new Uint32Array(vocabSize);
  }

  /** How many draws the counts hold. */
  get n(): number {
    return this.#n;
  }

  get last(): SampleDetails | null {
    return this.#last;
  }

  /** What the guard did, where there is one. */
  get guarded(): GuardedDraws | null {
    return this.#watch?.found ?? null;
  }

  /** Draws on until there are `n`, or as many as one request may make. */
  draw(logits: Float32Array, n: number, call: Call): void {
    const more = Math.min(n - this.#n, this.#watch === null ? DRAWS_A_REQUEST : GUARDED_A_REQUEST);
    if (more <= 0) return;
    const parts = this.#watch?.draws(logits, more - 1, call) ?? [
      this.#sampler.sampleMany(logits, more - 1, call),
    ];
    for (const tokens of parts)
      for (const token of tokens) this.counts[token] = (this.counts[token] ?? 0) + 1;
    this.#watch?.beforeOne();
    // The last one by itself: it is described, and can be accepted.
    const last = this.#sampler.sampleDetailed(logits, call);
    this.counts[last.token] = (this.counts[last.token] ?? 0) + 1;
    this.#n += more;
    this.#last = last;
  }

  /** Accepts the last draw; what the controllers have come to then. */
  accept(token: number): Controllers {
    this.#sampler.accept(token);
    return this.#sampler.controllers();
  }

  free(): void {
    this.#sampler.free();
  }
}
