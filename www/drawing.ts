// Draws as a function of state: the first n tokens of the seed's stream under the chain on screen.

import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { EngineClient } from "./engine/client";
import { Latest } from "./engine/latest";
import type { DrawResult } from "./engine/protocol";
import { MAX_DRAWS, type State } from "./state";

const RUN_EVERY_MS = 50;
/** A run adds this share of the draws so far at each step, so that a million takes seconds, not hours. */
const RUN_GROWTH = 0.05;
const RUN_LEAST = 10;

export class Drawing {
  readonly result: Signal<DrawResult | null> = signal(null);
  readonly running: Signal<boolean> = signal(false);
  readonly #state: Signal<State>;
  readonly #client: EngineClient;
  readonly #fail: (error: unknown) => void;
  readonly #requests: Latest<null>;

  constructor(
    client: EngineClient,
    state: Signal<State>,
    picture: ReadonlySignal<object | null>,
    fail: (error: unknown) => void,
  ) {
    this.#client = client;
    this.#state = state;
    this.#fail = fail;
    this.#requests = new Latest(() => this.#ask());
    const wanted = computed(
      () => `${state.value.seed} ${state.value.stream} ${state.value.from} ${state.value.draws}`,
    );
    effect(() => {
      if (picture.value === null || wanted.value === "") return;
      if (state.peek().draws === 0) this.result.value = null;
      else this.#requests.request(null);
    });
  }

  /** Draws n more tokens, up to a million in all. */
  add(n: number): void {
    const state = this.#state.peek();
    this.#state.value = { ...state, draws: Math.min(MAX_DRAWS, state.draws + n) };
  }

  /** Goes back to the start of the stream. */
  reset(): void {
    this.running.value = false;
    this.#state.value = { ...this.#state.peek(), from: 0, draws: 0 };
  }

  /** Adds draws step by step until stopped or a million is reached. */
  run(): void {
    this.running.value = true;
    const step = () => {
      const { draws } = this.#state.peek();
      if (draws >= MAX_DRAWS) this.running.value = false;
      if (!this.running.value) return;
      if (!this.#requests.busy) this.add(Math.max(RUN_LEAST, Math.round(draws * RUN_GROWTH)));
      setTimeout(step, RUN_EVERY_MS);
    };
    step();
  }

  stop(): void {
    this.running.value = false;
  }

  /** Asks until the counts hold what the state wants; the worker does a part at a time. */
  async #ask(): Promise<void> {
    for (;;) {
      const { seed, stream, from, draws } = this.#state.peek();
      if (draws === 0) return;
      try {
        const result = await this.#client.draw({ seed, stream, from, n: draws });
        const now = this.#state.peek();
        if (now.draws === 0) return;
        this.result.value = result;
        const isSame = now.seed === seed && now.stream === stream && now.from === from;
        if (result.n >= now.draws && isSame) return;
      } catch (error) {
        this.running.value = false;
        this.#fail(error);
        return;
      }
    }
  }
}
