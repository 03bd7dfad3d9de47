// The draws of one seed under one chain: a stretch of its stream, made a part at a time and counted.

import type { SampleDetails } from "nucleus-sampler";
import type { Controllers } from "../state";
import type { Call, Sampler } from "./engine";

/** Draws done for one request, so that a picture never waits long behind them. */
const DRAWS_A_REQUEST = 100_000;

export class DrawStream {
  /** Equal keys mean equal draws. */
  readonly key: string;
  readonly counts: Uint32Array;
  readonly #sampler: Sampler;
  #n = 0;
  #last: SampleDetails | null = null;

  constructor(key: string, sampler: Sampler, vocabSize: number) {
    this.key = key;
    this.#sampler = sampler;
    this.counts = new Uint32Array(vocabSize);
  }

  /** How many draws the counts hold. */
  get n(): number {
    return this.#n;
  }

  get last(): SampleDetails | null {
    return this.#last;
  }

  /** Draws on until there are `n`, or as many as one request may make. */
  draw(logits: Float32Array, n: number, call: Call): void {
    const more = Math.min(n - this.#n, DRAWS_A_REQUEST);
    if (more <= 0) return;
    const tokens = this.#sampler.sampleMany(logits, more - 1, call);
    // The last one by itself: it is described, and can be accepted.
    const last = this.#sampler.sampleDetailed(logits, call);
    for (const token of tokens) this.counts[token] = (this.counts[token] ?? 0) + 1;
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
